/* Characters of a world: adding, states, targets, servos. */
#include "physics/collider.h"
#include "physics/contact.h"
#include "physics/entity.h"
#include "physics/stepper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A quaternion further than this from unit length, or a hinge turned off its axis by more, is put
 * right; what is nearer is taken to the bit, so that a state survives being read and written. */
static const double EXACT = 1e-9;

static bool usable_quat(tr_quat q) {
    double s = tr_quat_dot(q, q);
    return s > 0.01 && s < 100;
}

static tr_quat unit(tr_quat q) {
    return fabs(tr_quat_dot(q, q) - 1) > EXACT ? tr_quat_normalize(q) : q;
}

static tr_vec3 along(tr_vec3 v, tr_vec3 axis) {
    tr_vec3 on = tr_vec3_scale(axis, tr_vec3_dot(v, axis));
    return tr_vec3_distance(v, on) > EXACT ? on : v;
}

static tr_quat joint_orientation(const tr_body *body, tr_quat q) {
    q = unit(q);
    if (body->joint != TR_JOINT_HINGE)
        return q;
    tr_vec3 v = {q.x, q.y, q.z}, on = along(v, body->axis);
    if (tr_vec3_distance(v, on) <= EXACT)
        return q;
    return tr_quat_normalize((tr_quat){q.w, on.x, on.y, on.z});
}

/* TR_INVALID_ARGUMENT when a number is not finite or a quaternion has no direction. */
static tr_status check_state(const tr_model *model, const tr_state *state) {
    bool good = tr_vec3_is_finite(state->pose.root_pos) && tr_vec3_is_finite(state->root_vel) &&
                tr_vec3_is_finite(state->root_omega) && usable_quat(state->pose.root_rot);
    for (int i = 1; good && i < model->body_count; i++)
        good = usable_quat(state->pose.joint[i]) && tr_vec3_is_finite(state->joint_rate[i]);
    return good ? TR_OK : TR_INVALID_ARGUMENT;
}

static void take_state(tr_character *c, const tr_state *state) {
    c->state.pose.root_pos = state->pose.root_pos;
    c->state.pose.root_rot = unit(state->pose.root_rot);
    c->state.root_vel = state->root_vel;
    c->state.root_omega = state->root_omega;
    for (int i = 1; i < c->model->body_count; i++) {
        const tr_body *body = &c->model->body[i];
        c->state.pose.joint[i] = joint_orientation(body, state->pose.joint[i]);
        c->state.joint_rate[i] = body->joint == TR_JOINT_HINGE
                                     ? along(state->joint_rate[i], body->axis)
                                     : state->joint_rate[i];
    }
    c->faulted = false;
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
    tr_status status = check_state(model, state);
    if (status != TR_OK)
        return status;
    tr_character *c = aligned_alloc(64, (sizeof *c + 63) & ~(size_t)63);
    if (!c)
        return TR_RESOURCE_EXHAUSTED;
    memset(c, 0, sizeof *c);
    c->model = model;
    c->state.pose.root_rot = c->state.pose.joint[0] = tr_quat_identity();
    take_state(c, state);
    for (int i = 0; i < model->body_count; i++)
        c->target[i] = i ? c->state.pose.joint[i] : tr_quat_identity();
    for (int g = 0; g < model->geom_count && status == TR_OK; g++) {
        const tr_geom *geom = &model->geom[g];
        status = tr_collider_init(&c->collider[g], geom, geom->body, model->body[geom->body].com);
    }
    tr_contact_set_partners(c);
    if (status == TR_OK)
        status = world->stepper->attach_character(world, c);
    if (status != TR_OK) {
        destroy_character(c);
        return status;
    }
    *out = c;
    return TR_OK;
}

tr_status tr_world_add_character(tr_world *world, const tr_model *model, const tr_state *state,
                                 tr_entity_id *out_id) {
    if (world->character_count == TR_CHARACTER_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_character *c = NULL;
    tr_status status = tr_character_create(world, model, state, &c);
    if (status != TR_OK)
        return status;
    c->id = tr_entity_take(world);
    world->character[world->character_count++] = c;
    *out_id = c->id;
    return TR_OK;
}

tr_status tr_world_remove_character(tr_world *world, tr_entity_id id) {
    for (int i = 0; i < world->character_count; i++) {
        tr_character *c = world->character[i];
        if (c->id != id)
            continue;
        tr_scene_forget(world, id);
        tr_character_destroy(world, c);
        tr_entity_release(world, id);
        world->character_count--;
        for (int k = i; k < world->character_count; k++)
            world->character[k] = world->character[k + 1];
        return TR_OK;
    }
    return TR_NOT_FOUND;
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

tr_status tr_world_get_state(const tr_world *world, tr_entity_id id, tr_state *out) {
    const tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    *out = c->state;
    return TR_OK;
}

tr_status tr_world_set_state(tr_world *world, tr_entity_id id, const tr_state *state) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    tr_status status = check_state(c->model, state);
    if (status != TR_OK)
        return status;
    take_state(c, state);
    world->stepper->character_moved(world, c);
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

tr_status tr_world_set_targets(tr_world *world, tr_entity_id id, const tr_quat *target) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    for (int i = 1; i < c->model->body_count; i++)
        if (!usable_quat(target[i]))
            return TR_INVALID_ARGUMENT;
    for (int i = 1; i < c->model->body_count; i++)
        c->target[i] = joint_orientation(&c->model->body[i], target[i]);
    return TR_OK;
}

tr_status tr_world_set_servo(tr_world *world, tr_entity_id id, int gain_set) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    if (gain_set < TR_SERVO_RAGDOLL || gain_set >= c->model->gain_set_count)
        return TR_INVALID_ARGUMENT;
    c->servo = gain_set;
    return TR_OK;
}

const tr_vec3 *tr_world_servo_torques(const tr_world *world, tr_entity_id id) {
    const tr_character *c = tr_scene_character(world, id);
    return c ? c->torque : NULL;
}
