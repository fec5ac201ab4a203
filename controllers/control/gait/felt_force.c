#include "control/gait/felt_force.h"

static bool is_foot(const tr_model *model, int body) {
    return tr_model_is_of_foot(model, body, 0) || tr_model_is_of_foot(model, body, 1);
}

static tr_vec3 of_pushes(const tr_world *world, tr_entity_id character) {
    tr_push push[TR_PUSH_MAX];
    int count = tr_world_pushes(world, push, TR_PUSH_MAX);
    tr_vec3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++)
        if (push[i].entity == character)
            sum = tr_vec3_add(sum, push[i].force);
    return sum;
}

/* Returns the impulse of the last step's contacts, N s. Feet do not count, and neither do the
 * ground and the character's own bodies. */
static tr_vec3 of_contacts(const tr_world *world, tr_entity_id character, const tr_model *model) {
    int count = 0;
    const tr_contact *contact = tr_world_contacts(world, &count);
    tr_vec3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        const tr_entity_id *entity = contact[i].entity;
        if (entity[1] == 0 || entity[0] == entity[1])
            continue;
        for (int side = 0; side < 2; side++)
            if (entity[side] == character && !is_foot(model, contact[i].body[side]))
                sum = tr_vec3_add_scaled(sum, side ? -1 : 1, contact[i].impulse);
    }
    return sum;
}

tr_vec3 tr_felt_force(const tr_world *world, tr_entity_id character) {
    const tr_model *model = tr_world_character_model(world, character);
    if (!model)
        return (tr_vec3){0, 0, 0};
    tr_vec3 force = of_pushes(world, character);
    force = tr_vec3_add_scaled(force, 1 / tr_world_definition(world)->step_s,
                               of_contacts(world, character, model));
    double size = tr_vec3_length(force);
    return size > TR_FELT_FORCE_MAX_N ? tr_vec3_scale(force, TR_FELT_FORCE_MAX_N / size) : force;
}
