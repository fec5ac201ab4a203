#include "physics/world/kinematic.h"

#include "math/elementary.h"
#include "physics/scene/stepper.h"
#include "physics/spatial/rotation.h"
#include "physics/world/intake.h"
#include "physics/world/world.h"

#include <math.h>

/* Beyond this a coordinate has too few digits left to be a place. */
static const double GOAL_MAX_M = 1e6;
static const int64_t TRAVEL_STEPS_MAX = 1000000000;

/* --- what a step does --- */

/* Rotation vector over h that turns `from` into `to`, outer frame. */
static tr_vec3 rate_between(tr_quat from, tr_quat to, double h) {
    return tr_vec3_scale(tr_rotation_log(tr_quat_mul(to, tr_quat_conj(from))), 1 / h);
}

static tr_sweep sweep_between(const tr_body_state *from, const tr_body_state *to, double h) {
    return (tr_sweep){tr_vec3_scale(tr_vec3_sub(to->com_pos, from->com_pos), 1 / h),
                      rate_between(from->rot, to->rot, h)};
}

/* The goal, with the rates that lead to it. */
static void follow_goal(tr_character *c, double h) {
    const tr_pose *now = &c->state.pose, *goal = &c->goal;
    c->next = c->state; /* joint 0 is unused, but kept and hashed */
    c->next.root_vel = tr_vec3_scale(tr_vec3_sub(goal->root_pos, now->root_pos), 1 / h);
    c->next.root_omega = rate_between(now->root_rot, goal->root_rot, h);
    for (int i = 1; i < c->model->body_count; i++) {
        tr_vec3 rate = rate_between(now->joint[i], goal->joint[i], h);
        c->next.joint_rate[i] = tr_intake_joint_vector(&c->model->body[i], rate);
    }
    c->next.pose = *goal;
    c->next.pose.joint[0] = now->joint[0];
}

static void coast(tr_character *c, double h) {
    const tr_state *now = &c->state;
    c->next = *now;
    c->next.pose.root_pos = tr_vec3_add_scaled(now->pose.root_pos, h, now->root_vel);
    c->next.pose.root_rot = tr_rotation_advance(now->pose.root_rot, now->root_omega, h);
    for (int i = 1; i < c->model->body_count; i++)
        c->next.pose.joint[i] = tr_rotation_advance(now->pose.joint[i], now->joint_rate[i], h);
}

static void freeze_character(tr_character *c) {
    c->faulted = true;
    tr_pose pose = c->state.pose;
    c->state = tr_state_at_rest(c->model, &pose);
}

static void begin_character(tr_character *c, double h) {
    tr_body_state now[TR_BODY_MAX], next[TR_BODY_MAX];
    if (c->follows_goal)
        follow_goal(c, h);
    else
        coast(c, h);
    tr_state_forward(c->model, &c->state, now);
    tr_state_forward(c->model, &c->next, next);
    bool finite = tr_intake_state_usable(c->model, &c->next);
    for (int i = 0; finite && i < c->model->body_count; i++) {
        c->sweep[i] = sweep_between(&now[i], &next[i], h);
        finite = tr_vec3_is_finite(c->sweep[i].vel) && tr_vec3_is_finite(c->sweep[i].omega);
    }
    if (!finite)
        freeze_character(c);
}

/* The goal of the coming step on the way; the last one is exact. */
static void follow_travel(tr_object *o) {
    tr_travel *travel = &o->travel;
    travel->made++;
    double time = (double)travel->made / (double)travel->steps;
    double share = travel->made < travel->steps ? 0.5 * (1 - tr_cos(TR_PI * time)) : 1;
    tr_vec3 way = tr_vec3_sub(travel->to, travel->from);
    o->goal_pos = share < 1 ? tr_vec3_add_scaled(travel->from, share, way) : travel->to;
    o->goal_rot = o->state.rot;
    o->follows_goal = true;
    if (travel->made < travel->steps)
        return;
    if (travel->shuttle)
        *travel = (tr_travel){travel->to, travel->from, travel->steps, 0, true};
    else
        travel->steps = 0;
}

static void begin_object(tr_object *o, double h) {
    tr_object_state *now = &o->state, *next = &o->next;
    if (o->travel.steps > 0)
        follow_travel(o);
    *next = *now;
    if (o->follows_goal) {
        next->pos = o->goal_pos;
        next->rot = o->goal_rot;
        next->vel = tr_vec3_scale(tr_vec3_sub(next->pos, now->pos), 1 / h);
        next->omega = rate_between(now->rot, next->rot, h);
    } else {
        next->pos = tr_vec3_add_scaled(now->pos, h, now->vel);
        next->rot = tr_rotation_advance(now->rot, now->omega, h);
    }
    o->sweep = (tr_sweep){next->vel, next->omega};
    if (tr_vec3_is_finite(next->pos) && tr_vec3_is_finite(next->vel) &&
        tr_vec3_is_finite(next->omega) && tr_intake_quat_usable(next->rot))
        return;
    o->faulted = true;
    now->vel = now->omega = (tr_vec3){0, 0, 0};
}

void tr_kinematic_begin(tr_world *world) {
    double h = world->def.step_s;
    for (int i = 0; i < world->character_count; i++)
        if (world->character[i]->kinematic && !world->character[i]->faulted)
            begin_character(world->character[i], h);
    for (int i = 0; i < world->object_count; i++)
        if (world->object[i]->kinematic && !world->object[i]->faulted)
            begin_object(world->object[i], h);
}

void tr_kinematic_end(tr_world *world) {
    for (int i = 0; i < world->character_count; i++) {
        tr_character *c = world->character[i];
        if (!c->kinematic || c->faulted)
            continue;
        c->state = c->next;
        world->stepper->character_moved(world, c);
    }
    for (int i = 0; i < world->object_count; i++) {
        tr_object *o = world->object[i];
        if (!o->kinematic || o->faulted)
            continue;
        o->state = o->next;
        world->stepper->object_moved(world, o);
    }
}

/* --- what callers ask for --- */

tr_status tr_world_set_kinematic(tr_world *world, tr_entity_id id, bool kinematic) {
    tr_character *c = tr_scene_character(world, id);
    tr_object *o = tr_scene_object(world, id);
    if (!c && !o)
        return TR_NOT_FOUND;
    bool *flag = c ? &c->kinematic : &o->kinematic;
    if (*flag == kinematic)
        return TR_OK;
    *flag = kinematic;
    *(c ? &c->follows_goal : &o->follows_goal) = false;
    if (o)
        o->travel.steps = 0;
    for (int i = 0; c && i < c->model->body_count; i++)
        c->torque[i] = (tr_vec3){0, 0, 0};
    if (world->stepper->kinematic_changed)
        world->stepper->kinematic_changed(world);
    return TR_OK;
}

bool tr_world_is_kinematic(const tr_world *world, tr_entity_id id) {
    const tr_character *c = tr_scene_character(world, id);
    const tr_object *o = tr_scene_object(world, id);
    return (c && c->kinematic) || (o && o->kinematic);
}

static bool near(tr_vec3 pos) {
    return fabs(pos.x) <= GOAL_MAX_M && fabs(pos.y) <= GOAL_MAX_M && fabs(pos.z) <= GOAL_MAX_M;
}

tr_status tr_world_move_character(tr_world *world, tr_entity_id id, const tr_pose *pose) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    if (!c->kinematic)
        return TR_FAILED_PRECONDITION;
    if (!tr_intake_pose_usable(c->model, pose) || !near(pose->root_pos))
        return TR_INVALID_ARGUMENT;
    tr_intake_pose(c->model, pose, &c->goal);
    c->follows_goal = true;
    return TR_OK;
}

tr_status tr_world_move_object(tr_world *world, tr_entity_id id, tr_vec3 pos, tr_quat rot) {
    tr_object *o = tr_scene_object(world, id);
    if (!o)
        return TR_NOT_FOUND;
    if (!o->kinematic)
        return TR_FAILED_PRECONDITION;
    if (!near(pos) || !tr_intake_quat_usable(rot))
        return TR_INVALID_ARGUMENT;
    o->goal_pos = pos;
    o->goal_rot = tr_intake_quat(rot);
    o->follows_goal = true;
    o->travel.steps = 0;
    return TR_OK;
}

bool tr_kinematic_travel_usable(const tr_travel *travel) {
    return near(travel->from) && near(travel->to) && travel->made >= 0 &&
           travel->made < travel->steps && travel->steps <= TRAVEL_STEPS_MAX;
}

tr_status tr_world_carry_object(tr_world *world, tr_entity_id id, tr_vec3 pos, int64_t steps,
                                bool shuttle) {
    tr_object *o = tr_scene_object(world, id);
    if (!o)
        return TR_NOT_FOUND;
    if (!o->kinematic)
        return TR_FAILED_PRECONDITION;
    tr_travel travel = {o->state.pos, pos, steps, 0, shuttle};
    if (!tr_kinematic_travel_usable(&travel))
        return TR_INVALID_ARGUMENT;
    o->travel = travel;
    return TR_OK;
}
