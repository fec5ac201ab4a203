/* The step: pushes, what comes before and after the stepper, and reports. */
#include "physics/world/step.h"
#include "physics/collide/contact.h"
#include "physics/scene/stepper.h"
#include "physics/world/ground.h"
#include "physics/world/kinematic.h"
#include "physics/world/pin.h"
#include "physics/world/snapshot_walk.h"

/* --- disturbances --- */

tr_status tr_world_push(tr_world *world, const tr_push *push) {
    const tr_character *c = tr_scene_character(world, push->entity);
    if (!c && !tr_scene_object(world, push->entity))
        return TR_NOT_FOUND;
    int bodies = c ? c->model->body_count : 1;
    if (push->body < 0 || push->body >= bodies || push->steps < 1 ||
        !tr_vec3_is_finite(push->point) || !tr_vec3_is_finite(push->force))
        return TR_INVALID_ARGUMENT;
    if (world->push_count == TR_PUSH_MAX)
        return TR_RESOURCE_EXHAUSTED;
    world->push[world->push_count++] = *push;
    return TR_OK;
}

int tr_world_pushes(const tr_world *world, tr_push *out, int capacity) {
    for (int i = 0; i < world->push_count && i < capacity; i++)
        out[i] = world->push[i];
    return world->push_count;
}

static void count_pushes(tr_world *world) {
    int kept = 0;
    for (int i = 0; i < world->push_count; i++)
        if (--world->push[i].steps > 0)
            world->push[kept++] = world->push[i];
    world->push_count = kept;
}

static void count_feedforward(tr_world *world) {
    for (int i = 0; i < world->character_count; i++)
        if (world->character[i]->feedforward_steps > 0)
            world->character[i]->feedforward_steps--;
}

/* --- stepping --- */

int tr_step_begin(tr_world *world) {
    int faults = tr_world_faults(world, NULL, 0);
    world->solver = (tr_solver_report){.converged = true};
    tr_contact_find(world);
    tr_kinematic_begin(world);
    return faults;
}

tr_status tr_step_end(tr_world *world, int faults_before) {
    tr_kinematic_end(world);
    tr_pin_break(world);
    tr_ground_follow(world);
    count_pushes(world);
    count_feedforward(world);
    world->tick++;
    for (int i = 0; i < world->character_count; i++)
        world->character[i]->bodies_current = false;
    tr_snapshot_walk_poison(world);
    return tr_world_faults(world, NULL, 0) > faults_before ? TR_DATA_LOSS : TR_OK;
}

tr_status tr_world_step(tr_world *world) {
    int faults = tr_step_begin(world);
    world->stepper->step(world);
    return tr_step_end(world, faults);
}

int tr_world_faults(const tr_world *world, tr_entity_id *out_ids, int capacity) {
    int count = 0;
    for (int i = 0; i < world->character_count + world->object_count; i++) {
        const tr_character *c = i < world->character_count ? world->character[i] : NULL;
        const tr_object *o = c ? NULL : world->object[i - world->character_count];
        if (!(c ? c->faulted : o->faulted))
            continue;
        if (count < capacity)
            out_ids[count] = c ? c->id : o->id;
        count++;
    }
    return count;
}

tr_solver_report tr_world_solver_report(const tr_world *world) {
    return world->solver;
}

const tr_contact *tr_world_contacts(const tr_world *world, int *out_count) {
    *out_count = world->contact_count;
    return world->contact;
}
