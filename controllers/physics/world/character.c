/* Characters of a world: adding, removing, states. */
#include "physics/collide/collider.h"
#include "physics/collide/contact.h"
#include "physics/scene/stepper.h"
#include "physics/spatial/rotation.h"
#include "physics/world/entity.h"
#include "physics/world/ground.h"
#include "physics/world/intake.h"
#include "physics/world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_state(tr_character *c, const tr_state *state) {
    tr_intake_state(c->model, state, &c->state);
    c->faulted = false;
    c->follows_goal = false;
    c->bodies_current = false;
}

static void destroy_character(tr_character *c) {
    for (int g = 0; g < TR_GEOM_MAX; g++)
        tr_collider_deinit(&c->collider[g]);
    free(c);
}

void tr_character_destroy(tr_world *world, tr_character *c) {
    world->stepper->detach_character(world, c);
    destroy_character(c);
}

tr_status tr_character_create(tr_world *world, const tr_model *model, const tr_state *state,
                              tr_character **out) {
    if (!tr_intake_state_usable(model, state))
        return TR_INVALID_ARGUMENT;
    tr_character *c = aligned_alloc(64, (sizeof *c + 63) & ~(size_t)63);
    if (!c)
        return TR_RESOURCE_EXHAUSTED;
    memset(c, 0, sizeof *c);
    c->model = model;
    c->state.pose.root_rot = c->state.pose.joint[0] = tr_quat_identity();
    take_state(c, state);
    for (int i = 0; i < model->body_count; i++)
        c->target[i] = i ? c->state.pose.joint[i] : tr_quat_identity();
    tr_servo_use_set(world, c, 0);
    tr_status status = TR_OK;
    for (int g = 0; g < model->geom_count && !status; g++) {
        const tr_geom *geom = &model->geom[g];
        status = tr_collider_init(&c->collider[g], geom, geom->body, model->body[geom->body].com);
    }
    tr_contact_set_partners(c);
    if (!status)
        status = world->stepper->attach_character(world, c);
    return TR_GIVE(status, c, destroy_character, out);
}

tr_status tr_world_add_character(tr_world *world, const tr_model *model, const tr_state *state,
                                 tr_entity_id *out_id) {
    if (world->character_count == TR_CHARACTER_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_character *c = NULL;
    tr_status status = tr_character_create(world, model, state, &c);
    if (status)
        return status;
    tr_ground_find(world, c);
    c->id = tr_entity_take(world);
    tr_scene_add_character(world, c);
    *out_id = c->id;
    return TR_OK;
}

tr_status tr_world_remove_character(tr_world *world, tr_entity_id id) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    tr_scene_forget(world, id);
    tr_scene_remove_character(world, c);
    tr_character_destroy(world, c);
    tr_entity_release(world, id);
    return TR_OK;
}

const tr_model *tr_world_character_model(const tr_world *world, tr_entity_id id) {
    const tr_character *c = tr_scene_character(world, id);
    return c ? c->model : NULL;
}

int tr_world_characters(const tr_world *world, tr_entity_id *out_ids, int capacity) {
    for (int i = 0; i < world->character_count && i < capacity; i++)
        out_ids[i] = world->character[i]->id;
    return world->character_count;
}

const tr_state *tr_world_state(const tr_world *world, tr_entity_id id) {
    const tr_character *c = tr_scene_character(world, id);
    return c ? &c->state : NULL;
}

tr_status tr_world_get_state(const tr_world *world, tr_entity_id id, tr_state *out) {
    const tr_state *state = tr_world_state(world, id);
    if (!state)
        return TR_NOT_FOUND;
    *out = *state;
    return TR_OK;
}

tr_status tr_world_set_state(tr_world *world, tr_entity_id id, const tr_state *state) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    if (!tr_intake_state_usable(c->model, state))
        return TR_INVALID_ARGUMENT;
    bool elsewhere = tr_vec3_distance(state->pose.root_pos, c->state.pose.root_pos) > 0;
    take_state(c, state);
    world->stepper->character_moved(world, c);
    if (elsewhere)
        tr_ground_find(world, c);
    return TR_OK;
}

const tr_body_state *tr_world_bodies(const tr_world *world, tr_entity_id id) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return NULL;
    if (!c->bodies_current) {
        tr_state_forward(c->model, &c->state, c->body);
        c->bodies_current = true;
    }
    return c->body;
}

tr_quat tr_world_body_rotation(const tr_world *world, tr_entity_id id, int body) {
    const tr_character *c = tr_scene_character(world, id);
    if (!c || body < 0 || body >= c->model->body_count)
        return tr_quat_identity();
    return tr_pose_body_rotation(c->model, &c->state.pose, body);
}

/* --- what must hold --- */

enum { WATCH_STEPS = 2 * TR_CHARACTER_MAX }; /* each character has one of as many steps */

/* Measured over all scenes of the tests, the largest are a tenth of these. */
static const double PLACE_MAX = 1e-9, GAIN_SHARE = 0.1, SLIP_RAD = 0.05;
static const double GRAVITY_MAX = 20;
static const double BEYOND_RAD = 0.1, CALM_RAD = 0.1; /* far beyond a limit; slow, in a step */

/* Kinetic energy, J; out_weight: that of its height. body: [body_count]. */
static double energy_of(const tr_world *world, const tr_character *c, const tr_body_state *body,
                        double *out_weight) {
    double kinetic = 0;
    *out_weight = 0;
    for (int i = 0; i < c->model->body_count; i++) {
        const tr_body *part = &c->model->body[i];
        tr_vec3 turn = tr_quat_rotate_inverse(body[i].rot, body[i].omega);
        kinetic += 0.5 * part->mass * tr_vec3_dot(body[i].com_vel, body[i].com_vel) +
                   0.5 * tr_vec3_dot(turn, tr_mat3_apply(&part->inertia, turn));
        *out_weight -= part->mass * tr_vec3_dot(world->def.gravity, body[i].com_pos);
    }
    return kinetic;
}

/* The fastest joint or the root, rad in a step. */
static double fastest(const tr_world *world, const tr_model *model, const tr_state *state) {
    double most = tr_vec3_length(state->root_omega);
    for (int i = 1; i < model->body_count; i++)
        most = fmax(most, tr_vec3_length(state->joint_rate[i]));
    return most * world->def.step_s;
}

/* Does nothing that moves, and no push or pin, act on the character in this step? Nor does it turn so fast,
 * or is gravity so strong, that the work of a step is not that along a line. */
static bool is_alone(const tr_world *world, const tr_character *c) {
    bool alone = !c->kinematic && world->push_count == 0 && world->pin_count == 0 &&
                 tr_vec3_length(world->def.gravity) < GRAVITY_MAX &&
                 fastest(world, c->model, &c->state) < CALM_RAD;
    for (int i = 0; i < world->contact_count && alone; i++) {
        const tr_entity_id *entity = world->contact[i].entity;
        alone =
            entity[1] == 0 || entity[0] == entity[1] || (entity[0] != c->id && entity[1] != c->id);
    }
    return alone;
}

void tr_character_watch(tr_world *world) {
    int turn = (int)((uint32_t)world->tick % WATCH_STEPS);
    const tr_character *c = turn < world->character_count ? world->character[turn] : NULL;
    tr_watch *watch = &world->watch;
    watch->character = c && !c->faulted ? c : NULL;
    if (!watch->character)
        return;
    tr_body_state body[TR_BODY_MAX];
    watch->before = c->state;
    watch->alone = is_alone(world, c);
    tr_state_forward(c->model, &c->state, body);
    watch->kinetic = energy_of(world, c, body, &watch->weight);
}

/* The energy that a step may add beyond the work of the servos: in the air the error of the integration;
 * else what the correction of an overlap gives, at most contact_max_vel for all of the body. */
static double gain_max(const tr_world *world, const tr_character *c) {
    double before = world->watch.kinetic, vel = world->def.contact_max_vel;
    if (world->contact_count == 0)
        return GAIN_SHARE * (1 + before);
    double most = sqrt(before) + sqrt(0.5 * c->model->mass) * vel;
    return 1 + 2 * (most * most - before);
}

static void check_energy(tr_world *world, const tr_character *c, const tr_body_state *body) {
    double weight, kinetic = energy_of(world, c, body, &weight), work = 0;
    for (int i = 1; i < c->model->body_count; i++) {
        tr_vec3 twice = tr_vec3_add(world->watch.before.joint_rate[i], c->state.joint_rate[i]);
        work += 0.5 * world->def.step_s * tr_vec3_dot(c->torque[i], twice);
    }
    double gained = kinetic + weight - world->watch.kinetic - world->watch.weight - work;
    TR_MUST_BE(&world->invariant, gained, <=, gain_max(world, c));
}

/* How far a joint is beyond its limit, rad or m; 0 or less: it is within. */
static double excess(const tr_body *body, tr_quat q) {
    if (!body->limited)
        return 0;
    if (body->joint == TR_JOINT_BALL)
        return tr_vec3_length(tr_rotation_log(q)) - body->range[1];
    double angle = tr_rotation_angle(q, body->axis);
    return fmax(body->range[0] - angle, angle - body->range[1]);
}

/* How far a joint of one axis has left it. */
static double off_axis(const tr_body *body, tr_quat q) {
    tr_vec3 part = {q.x, q.y, q.z};
    return tr_body_has_axis(body) ? tr_vec3_length(tr_vec3_cross(part, body->axis)) : 0;
}

/* A hinge or slide keeps to its axis, rates are bounded, and in a calm body no joint that is beyond its
 * limit goes further. */
static void check_joints(tr_world *world, const tr_character *c) {
    const tr_state *before = &world->watch.before;
    double most = fastest(world, c->model, &c->state);
    bool calm = most < CALM_RAD && fastest(world, c->model, before) < CALM_RAD;
    TR_MUST_BE(&world->invariant, most, <=, 1 + PLACE_MAX);
    for (int i = 1; i < c->model->body_count; i++) {
        const tr_body *body = &c->model->body[i];
        tr_quat was = before->pose.joint[i], is = c->state.pose.joint[i];
        TR_MUST_BE(&world->invariant, off_axis(body, is), <, off_axis(body, was) + PLACE_MAX);
        double past = calm ? excess(body, was) : 0;
        if (past > BEYOND_RAD && tr_quat_angle(was, is) < CALM_RAD)
            TR_MUST_BE(&world->invariant, excess(body, is) - past, <, SLIP_RAD);
    }
}

/* The frames of the stepper show the state. */
static void check_frame(tr_world *world, const tr_frame *frame, const tr_body_state *body) {
    tr_vec3 off = tr_vec3_sub(tr_v4_to(frame->com), body->com_pos);
    tr_vec3 z = tr_quat_rotate(body->rot, (tr_vec3){0, 0, 1});
    double reach = 1 + tr_vec3_length(body->com_pos);
    TR_MUST_BE(&world->invariant, tr_vec3_length(off), <, PLACE_MAX * reach);
    TR_MUST_BE(&world->invariant, tr_vec3_distance(tr_v4_to(frame->column[2]), z), <, PLACE_MAX);
}

void tr_character_must_hold(tr_world *world) {
    const tr_character *c = world->watch.character;
    if (!c || c->faulted)
        return;
    tr_body_state body[TR_BODY_MAX];
    tr_entity_must_hold(world, c->id);
    TR_MUST_BE(&world->invariant, c->ground.normal.z, >, 0);
    TR_MUST(&world->invariant, isfinite(c->ground.height));
    if (world->stepper != &tr_stepper_articulated)
        return; /* what follows is too strict for the joints of the tests' stepper */
    tr_state_forward(c->model, &c->state, body);
    for (int i = 0; i < c->model->body_count; i++)
        check_frame(world, &c->frame[i], &body[i]);
    if (!c->kinematic)
        check_joints(world, c);
    if (world->watch.alone)
        check_energy(world, c, body);
}
