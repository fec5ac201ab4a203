/* Pins: points held to points, hinges, tracks and sliders. */
#include "physics/world/pin.h"
#include "physics/scene/pin_place.h"
#include "physics/scene/stepper.h"
#include "physics/spatial/rotation.h"
#include "physics/world/entity.h"
#include "physics/world/intake.h"
#include "physics/world/world.h"

#include <math.h>
#include <stdlib.h>

/* --- adding and removing --- */

/* Whether `body` is a body of the entity. */
static bool names_body(const tr_world *world, tr_entity_id id, int body) {
    const tr_character *c = tr_scene_character(world, id);
    if (c)
        return body >= 0 && body < c->model->body_count;
    return tr_scene_object(world, id) && body == 0;
}

static tr_status check_ends(const tr_world *world, const tr_pin_def *def) {
    for (int s = 0; s < 2; s++) {
        if (s == 1 && def->entity[1] == 0)
            break;
        if (tr_scene_mover(world, def->entity[s]) < 0)
            return TR_NOT_FOUND;
        if (!names_body(world, def->entity[s], def->body[s]))
            return TR_INVALID_ARGUMENT;
    }
    bool itself = def->entity[0] == def->entity[1] && def->body[0] == def->body[1];
    return itself ? TR_INVALID_ARGUMENT : TR_OK;
}

/* A hinge's angle is known only within half a turn. */
static bool usable_range(const tr_pin_def *def) {
    double most = def->kind == TR_PIN_HINGE ? TR_PI : 1e4;
    return !def->limited ||
           (def->range[0] >= -most && def->range[1] <= most && def->range[0] <= def->range[1]);
}

/* A point has nothing that a spring could turn back. */
static bool usable_spring(const tr_pin_def *def) {
    return def->spring == 0 ||
           (def->kind != TR_PIN_POINT && def->spring > 1e-6 && def->spring <= 1e6);
}

bool tr_pin_is_usable(const tr_pin_def *def) {
    double axis = tr_vec3_length(def->axis), rest = tr_quat_dot(def->rest, def->rest);
    bool guided = def->kind != TR_PIN_POINT;
    return def->kind >= TR_PIN_POINT && def->kind <= TR_PIN_SLIDER &&
           tr_vec3_is_finite(def->point[0]) && tr_vec3_is_finite(def->point[1]) &&
           tr_vec3_is_finite(def->axis) && (!guided || (axis > 1e-6 && axis < 1e6)) &&
           (rest == 0 || (rest > 0.01 && rest < 100)) && usable_range(def) && def->damping >= 0 &&
           def->damping <= 1e6 && usable_spring(def) && def->break_n >= 0 && isfinite(def->break_n);
}

/* The definition put right: a unit axis, and the present turn as the one at rest where none is
 * given. */
static tr_pin_def settle(const tr_world *world, const tr_pin_def *def) {
    tr_pin_def out = *def;
    if (out.kind == TR_PIN_POINT)
        return out;
    if (fabs(tr_vec3_length(def->axis) - 1) > 1e-9) /* an axis of unit length keeps its bits */
        out.axis = tr_vec3_normalize_or(def->axis, def->axis);
    if (tr_quat_dot(def->rest, def->rest) > 0) {
        out.rest = tr_intake_quat(def->rest);
        return out;
    }
    tr_pin_place first = tr_pin_end(world, def, 0), second = tr_pin_end(world, def, 1);
    out.rest = tr_quat_normalize(tr_quat_mul(tr_quat_conj(second.rot), first.rot));
    return out;
}

tr_status tr_world_add_pin(tr_world *world, const tr_pin_def *def, tr_entity_id *out_id) {
    tr_status status = check_ends(world, def);
    if (!status && !tr_pin_is_usable(def))
        status = TR_INVALID_ARGUMENT;
    if (status)
        return status;
    if (world->pin_count == TR_PIN_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_pin *pin = calloc(1, sizeof *pin);
    if (!pin)
        return TR_RESOURCE_EXHAUSTED;
    pin->def = settle(world, def);
    if (world->stepper->attach_pin)
        status = world->stepper->attach_pin(world, pin);
    if (status) {
        free(pin);
        return status;
    }
    pin->id = tr_entity_take(world);
    world->pin[world->pin_count++] = pin;
    *out_id = pin->id;
    return TR_OK;
}

static bool holds_same(const tr_pin_def *a, const tr_pin_def *b) {
    bool same = a->kind == b->kind;
    for (int s = 0; s < 2 && same; s++)
        same = a->entity[s] == b->entity[s] && a->body[s] == b->body[s] &&
               tr_vec3_distance(a->point[s], b->point[s]) == 0;
    return same;
}

bool tr_world_has_pin(const tr_world *world, const tr_pin_def *def) {
    for (int i = 0; i < world->pin_count; i++)
        if (holds_same(&world->pin[i]->def, def))
            return true;
    return false;
}

tr_status tr_world_remove_pin(tr_world *world, tr_entity_id id) {
    for (int i = 0; i < world->pin_count; i++) {
        tr_pin *pin = world->pin[i];
        if (pin->id != id)
            continue;
        if (world->stepper->detach_pin)
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

int tr_world_let_go(tr_world *world, tr_entity_id id, int body, tr_entity_id other) {
    int count = 0;
    for (int i = world->pin_count - 1; i >= 0; i--) {
        const tr_pin *pin = world->pin[i];
        const tr_pin_def *def = &pin->def;
        if (def->entity[0] != id || def->entity[1] != other || (body >= 0 && def->body[0] != body))
            continue;
        (void)!tr_world_remove_pin(world, pin->id);
        count++;
    }
    return count;
}

void tr_pin_break(tr_world *world) {
    world->broken_count = 0;
    for (int i = world->pin_count - 1; i >= 0; i--) {
        const tr_pin *pin = world->pin[i];
        const tr_pin_def *def = &pin->def;
        if (def->break_n == 0 || pin->force_n <= def->break_n)
            continue;
        world->broken[world->broken_count++] =
            (tr_broken_pin){.entity = {def->entity[0], def->entity[1]},
                            .body = {def->body[0], def->body[1]},
                            .force_n = pin->force_n};
        (void)!tr_world_remove_pin(world, pin->id);
    }
}

const tr_broken_pin *tr_world_broken_pins(const tr_world *world, int *out_count) {
    *out_count = world->broken_count;
    return world->broken;
}

int tr_world_pins(const tr_world *world, tr_entity_id *out_ids, int capacity) {
    for (int i = 0; i < world->pin_count && i < capacity; i++)
        out_ids[i] = world->pin[i]->id;
    return world->pin_count;
}

void tr_pin_must_hold(tr_world *world, const tr_pin *pin) {
    const tr_pin_def *def = &pin->def;
    tr_entity_must_hold(world, pin->id);
    for (int s = 0; s < 2; s++)
        TR_MUST(&world->invariant,
                (s == 1 && def->entity[1] == 0) || names_body(world, def->entity[s], def->body[s]));
    if (def->kind != TR_PIN_POINT)
        TR_MUST_BE(&world->invariant, fabs(tr_vec3_length(def->axis) - 1), <, 1e-6);
    TR_MUST(&world->invariant, def->break_n == 0 || !(pin->force_n > def->break_n));
}
