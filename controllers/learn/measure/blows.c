#include "learn/measure/blows.h"

#include <math.h>

static const double BLOW_S = 0.025;

static int part_of(const tr_model *model, int body) {
    return body == model->head    ? TR_BLOW_HEAD
           : body == model->trunk ? TR_BLOW_TRUNK
           : body == 0            ? TR_BLOW_ROOT
                                  : -1;
}

static void add_contacts(tr_blows *blows, const tr_world *world, tr_entity_id character, int slot) {
    const tr_model *model = tr_world_character_model(world, character);
    int count = 0;
    const tr_contact *contact = tr_world_contacts(world, &count);
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++) {
            int part = part_of(model, contact[i].body[side]);
            if (contact[i].entity[side] == character && contact[i].entity[1 - side] != character &&
                part >= 0)
                blows->impulse_ns[part][slot] += tr_vec3_length(contact[i].impulse);
        }
}

void tr_blows_note(tr_blows *blows, const tr_world *world, tr_entity_id character, double step_s) {
    /* A ring of the last 25 ms: the slot of this tick takes the place of the oldest. */
    int steps = (int)fmin(fmax(BLOW_S / step_s, 1), TR_BLOW_STEPS_MAX);
    int slot = (int)(tr_world_tick(world) % steps);
    for (int part = 0; part < TR_BLOW_PARTS; part++)
        blows->impulse_ns[part][slot] = 0;
    add_contacts(blows, world, character, slot);
    for (int part = 0; part < TR_BLOW_PARTS; part++) {
        double sum = 0;
        for (int i = 0; i < steps; i++)
            sum += blows->impulse_ns[part][i];
        blows->hardest_ns[part] = fmax(blows->hardest_ns[part], sum);
    }
}
