/* Pins: a point of one body held to a point of another. */
#include "physics/entity.h"
#include "physics/stepper.h"

#include <stdlib.h>

/* Whether `body` is a body of the entity. */
static bool names_body(const tr_world *world, tr_entity_id id, int body) {
    const tr_character *c = tr_scene_character(world, id);
    if (c)
        return body >= 0 && body < c->model->body_count;
    return tr_scene_object(world, id) && body == 0;
}

static tr_status check_pin(const tr_world *world, const tr_pin_def *def) {
    for (int s = 0; s < 2; s++) {
        if (s == 1 && def->entity[1] == 0)
            break;
        if (tr_scene_mover(world, def->entity[s]) < 0)
            return TR_NOT_FOUND;
        if (!names_body(world, def->entity[s], def->body[s]))
            return TR_INVALID_ARGUMENT;
    }
    bool itself = def->entity[0] == def->entity[1] && def->body[0] == def->body[1];
    if (itself || !tr_vec3_is_finite(def->point[0]) || !tr_vec3_is_finite(def->point[1]))
        return TR_INVALID_ARGUMENT;
    return TR_OK;
}

tr_status tr_world_add_pin(tr_world *world, const tr_pin_def *def, tr_entity_id *out_id) {
    tr_status status = check_pin(world, def);
    if (status != TR_OK)
        return status;
    if (world->pin_count == TR_PIN_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_pin *pin = calloc(1, sizeof *pin);
    if (!pin)
        return TR_RESOURCE_EXHAUSTED;
    pin->def = *def;
    status = world->stepper->attach_pin(world, pin);
    if (status != TR_OK) {
        free(pin);
        return status;
    }
    pin->id = tr_entity_take(world);
    world->pin[world->pin_count++] = pin;
    *out_id = pin->id;
    return TR_OK;
}

tr_status tr_world_remove_pin(tr_world *world, tr_entity_id id) {
    for (int i = 0; i < world->pin_count; i++) {
        tr_pin *pin = world->pin[i];
        if (pin->id != id)
            continue;
        world->stepper->detach_pin(world, pin);
        free(pin);
        tr_entity_release(world, id);
        world->pin_count--;
        for (int k = i; k < world->pin_count; k++)
            world->pin[k] = world->pin[k + 1];
        return TR_OK;
    }
    return TR_NOT_FOUND;
}
