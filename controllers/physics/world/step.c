/* The step: pushes, what comes before and after the stepper, and reports. */
#include "physics/world/step.h"
#include "physics/collide/contact.h"
#include "physics/scene/stepper.h"
#include "physics/world/entity.h"
#include "physics/world/ground.h"
#include "physics/world/kinematic.h"
#include "physics/world/pin.h"
#include "physics/world/scenery.h"
#include "physics/world/snapshot_walk.h"

static const double DEPTH_MAX_M = 1e5; /* shapes are smaller, and nothing sinks deeper */

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
    for (int i = 0; i < world->push_count; i++) {
        TR_MUST_BE(&world->invariant, world->push[i].steps, >, 0);
        TR_MUST(&world->invariant, tr_scene_mover(world, world->push[i].entity) >= 0);
        if (--world->push[i].steps > 0)
            world->push[kept++] = world->push[i];
    }
    world->push_count = kept;
}

static void count_feedforward(tr_world *world) {
    for (int i = 0; i < world->character_count; i++)
        if (world->character[i]->feedforward_steps > 0)
            world->character[i]->feedforward_steps--;
}

/* --- what must hold after a step, whatever the input was --- */

/* Sums over what is checked, without a branch: `off` of squares over unit length, `still` of numbers
 * times 0, which are 0 if and only if they are finite. */
typedef struct sums {
    double off;
    tr_vec3 still;
} sums;

static void add_unit(sums *s, double square) {
    s->off += (square - 1) * (square - 1);
}

static void add_finite(sums *s, tr_vec3 v) {
    s->still = tr_vec3_add_scaled(s->still, 0, v);
}

/* Positions and speeds are finite, and so is the energy; what is not is frozen by the stepper. */
static void check_sums(tr_world *world, const sums *s) {
    TR_MUST_BE(&world->invariant, s->off, <, 1e-10);
    TR_MUST_BE(&world->invariant, s->still.x + s->still.y + s->still.z, ==, 0);
}

static void check_character(tr_world *world, const tr_character *c) {
    const tr_state *state = &c->state;
    sums s = {0};
    add_unit(&s, tr_quat_dot(state->pose.root_rot, state->pose.root_rot));
    add_finite(&s, state->pose.root_pos);
    add_finite(&s, state->root_vel);
    add_finite(&s, state->root_omega);
    for (int i = 1; i < c->model->body_count; i++) {
        add_unit(&s, tr_quat_dot(state->pose.joint[i], state->pose.joint[i]));
        add_finite(&s, state->joint_rate[i]);
    }
    check_sums(world, &s);
    TR_MUST_BE(&world->invariant, c->feedforward_steps, >=, 0);
    TR_MUST(&world->invariant, c->kinematic || !c->follows_goal);
    TR_MUST_BE(&world->invariant, c->servo, <, c->model->gain_set_count);
}

static void check_object(tr_world *world, const tr_object *o) {
    sums s = {0};
    add_unit(&s, tr_quat_dot(o->state.rot, o->state.rot));
    add_finite(&s, o->state.pos);
    add_finite(&s, o->state.vel);
    add_finite(&s, o->state.omega);
    check_sums(world, &s);
    TR_MUST(&world->invariant, o->kinematic || (!o->follows_goal && o->travel.steps == 0));
}

/* Contacts have a direction and a depth. */
static void check_contacts(tr_world *world) {
    double deepest = 0;
    sums s = {0};
    for (int i = 0; i < world->contact_count; i++) {
        const tr_contact *c = &world->contact[i];
        add_unit(&s, tr_vec3_dot(c->normal, c->normal));
        deepest = c->depth > deepest ? c->depth : deepest;
    }
    check_sums(world, &s);
    TR_MUST_BE(&world->invariant, deepest, <, DEPTH_MAX_M);
}

/* Returns which of `count` things this step checks; -1: there are none. */
static int turn_of(const tr_world *world, int count) {
    return count > 0 ? (int)((uint32_t)world->tick % (uint32_t)count) : -1;
}

/* One of each kind in turns, so that a step costs the same whatever is in the world. */
static void check_in_turns(tr_world *world, bool faulted) {
    int object = turn_of(world, world->object_count), pin = turn_of(world, world->pin_count);
    int scenery = turn_of(world, world->scenery_count);
    int contact = turn_of(world, world->contact_count);
    tr_character_must_hold(world);
    tr_entity_slots_must_hold(world);
    if (object >= 0)
        tr_object_must_hold(world, world->object[object]);
    if (pin >= 0)
        tr_pin_must_hold(world, world->pin[pin]);
    if (scenery >= 0)
        tr_scenery_must_hold(world, scenery);
    if (contact >= 0 && !faulted)
        tr_contact_must_hold(world, contact);
    if (world->stepper->check && !faulted)
        world->stepper->check(world);
}

static void check(tr_world *world, bool faulted) {
    for (int i = 0; i < world->character_count; i++) {
        TR_MUST(&world->invariant, world->character_id[i] == world->character[i]->id);
        check_character(world, world->character[i]);
    }
    for (int i = 0; i < world->object_count; i++)
        check_object(world, world->object[i]);
    if (!faulted) /* its contacts may be what it was frozen for */
        check_contacts(world);
    check_in_turns(world, faulted);
    TR_MUST_BE(&world->invariant, world->contact_count, <=, TR_CONTACT_MAX);
    TR_MUST_BE(&world->invariant, world->solver.sweeps, <=, world->def.solver_iterations);
    TR_MUST_BE(&world->invariant, world->tick, >, 0);
}

const tr_invariant *tr_world_invariant(const tr_world *world) {
    return &world->invariant;
}

/* --- stepping --- */

int tr_step_begin(tr_world *world) {
    int faults = tr_world_faults(world, NULL, 0);
    world->solver = (tr_solver_report){.converged = true};
    tr_contact_find(world);
    tr_kinematic_begin(world);
    tr_character_watch(world);
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
    int faults = tr_world_faults(world, NULL, 0);
    check(world, faults > 0);
    tr_snapshot_walk_poison(world);
    return faults > faults_before ? TR_DATA_LOSS : TR_OK;
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
