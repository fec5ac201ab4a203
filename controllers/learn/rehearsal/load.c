#include "learn/rehearsal/load.h"

double tr_load_of_step(const tr_rehearsal *rehearsal) {
    const tr_world_def *def = tr_world_definition(rehearsal->world);
    double weight = rehearsal->model->mass * tr_vec3_length(def->gravity), sum = 0;
    int count;
    const tr_contact *contact = tr_world_contacts(rehearsal->world, &count);
    for (int i = 0; i < count; i++)
        if (contact[i].entity[0] == rehearsal->character && contact[i].entity[1] == 0)
            sum += contact[i].impulse.z;
    return sum / (weight * def->step_s);
}
