#include "control/balance/balance_sight.h"

#include "math/elementary.h"

const tr_balance_feature_row tr_balance_feature_row_of[TR_BALANCE_FEATURES] = {
    [TR_BALANCE_BASE_VEL_X] = {"base_vel_x", false, true},
    [TR_BALANCE_DRIFT_X] = {"drift_x", false, true},
    [TR_BALANCE_COM_X] = {"com_x", false, false},
    [TR_BALANCE_COM_VEL_X] = {"com_vel_x", false, false},
    [TR_BALANCE_FEET_X] = {"feet_x", false, false},
    [TR_BALANCE_LEAN_PITCH] = {"lean_pitch", false, false},
    [TR_BALANCE_LEAN_PITCH_RATE] = {"lean_pitch_rate", false, false},
    [TR_BALANCE_BASE_VEL_Y] = {"base_vel_y", true, true},
    [TR_BALANCE_DRIFT_Y] = {"drift_y", true, true},
    [TR_BALANCE_COM_Y] = {"com_y", true, false},
    [TR_BALANCE_COM_VEL_Y] = {"com_vel_y", true, false},
    [TR_BALANCE_FEET_Y] = {"feet_y", true, false},
    [TR_BALANCE_LEAN_ROLL] = {"lean_roll", true, false},
    [TR_BALANCE_LEAN_ROLL_RATE] = {"lean_roll_rate", true, false},
    [TR_BALANCE_DECK_ROLL] = {"deck_roll", true, true},
    [TR_BALANCE_DECK_ROLL_RATE] = {"deck_roll_rate", true, true},
    [TR_BALANCE_HEADING] = {"heading", true, true},
    [TR_BALANCE_YAW_RATE] = {"yaw_rate", true, true},
    [TR_BALANCE_DECK_YAW] = {"deck_yaw", true, false},
    [TR_BALANCE_BASE_YAW] = {"base_yaw", true, false},
    [TR_BALANCE_ROOT_X] = {"root_x", false, true},
    [TR_BALANCE_ROOT_Z] = {"root_z", false, true},
    [TR_BALANCE_ROOT_PITCH] = {"root_pitch", false, true},
    [TR_BALANCE_WAIST_PITCH] = {"waist_pitch", false, true},
    [TR_BALANCE_HIP_PITCH_MEAN] = {"hip_pitch_mean", false, true},
    [TR_BALANCE_KNEE_MEAN] = {"knee_mean", false, true},
    [TR_BALANCE_ANKLE_PITCH_MEAN] = {"ankle_pitch_mean", false, true},
    [TR_BALANCE_ROOT_VEL_X] = {"root_vel_x", false, true},
    [TR_BALANCE_ROOT_VEL_Z] = {"root_vel_z", false, true},
    [TR_BALANCE_ROOT_PITCH_RATE] = {"root_pitch_rate", false, true},
    [TR_BALANCE_WAIST_PITCH_RATE] = {"waist_pitch_rate", false, true},
    [TR_BALANCE_HIP_PITCH_RATE] = {"hip_pitch_rate", false, true},
    [TR_BALANCE_KNEE_RATE] = {"knee_rate", false, true},
    [TR_BALANCE_ANKLE_PITCH_RATE] = {"ankle_pitch_rate", false, true},
    [TR_BALANCE_ROOT_Y] = {"root_y", true, true},
    [TR_BALANCE_ROOT_ROLL] = {"root_roll", true, true},
    [TR_BALANCE_WAIST_ROLL] = {"waist_roll", true, true},
    [TR_BALANCE_WAIST_YAW] = {"waist_yaw", true, true},
    [TR_BALANCE_HIP_ROLL_MEAN] = {"hip_roll_mean", true, true},
    [TR_BALANCE_HIP_YAW_MEAN] = {"hip_yaw_mean", true, true},
    [TR_BALANCE_HIP_PITCH_DIFF] = {"hip_pitch_diff", true, true},
    [TR_BALANCE_KNEE_DIFF] = {"knee_diff", true, true},
    [TR_BALANCE_ANKLE_PITCH_DIFF] = {"ankle_pitch_diff", true, true},
    [TR_BALANCE_ANKLE_ROLL_MEAN] = {"ankle_roll_mean", true, true},
    [TR_BALANCE_ROOT_VEL_Y] = {"root_vel_y", true, true},
    [TR_BALANCE_ROOT_ROLL_RATE] = {"root_roll_rate", true, true},
    [TR_BALANCE_WAIST_ROLL_RATE] = {"waist_roll_rate", true, true},
    [TR_BALANCE_WAIST_YAW_RATE] = {"waist_yaw_rate", true, true},
    [TR_BALANCE_HIP_ROLL_RATE] = {"hip_roll_rate", true, true},
    [TR_BALANCE_HIP_YAW_RATE] = {"hip_yaw_rate", true, true},
    [TR_BALANCE_HIP_PITCH_DIFF_RATE] = {"hip_pitch_diff_rate", true, true},
    [TR_BALANCE_KNEE_DIFF_RATE] = {"knee_diff_rate", true, true},
    [TR_BALANCE_ANKLE_PITCH_DIFF_RATE] = {"ankle_pitch_diff_rate", true, true},
    [TR_BALANCE_ANKLE_ROLL_RATE] = {"ankle_roll_rate", true, true},
};

tr_balance_home tr_balance_home_of(const tr_balance_place *place, const tr_sight *sight) {
    tr_vec3 base = sight->object[place->base].pos;
    return (tr_balance_home){base.x, base.y, tr_quat_heading(sight->state->pose.root_rot)};
}

/* The sight, turned into the heading frame, from which all features are made.
 *   frame: turns from the world into it */
typedef struct view {
    const tr_balance_place *place;
    const tr_gait_body *body;
    const tr_balance_home *home;
    const tr_sight *sight;
    const tr_body_state *bodies;
    double heading_rad;
    tr_quat frame;
    tr_object_state base;
} view;

static tr_vec3 turn(const view *v, tr_vec3 world) {
    return tr_quat_rotate(v->frame, world);
}

/* Returns a rotation, seen in the frame, as a rotation vector. */
static tr_vec3 turn_of(const view *v, tr_quat rot) {
    return tr_quat_log(tr_quat_mul(v->frame, rot));
}

static void look_at_base(const view *v, double *z) {
    tr_vec3 drift = {v->base.pos.x - v->home->x, v->base.pos.y - v->home->y, 0};
    tr_vec3 vel = turn(v, v->base.vel);
    drift = turn(v, drift);
    z[TR_BALANCE_BASE_VEL_X] = vel.x;
    z[TR_BALANCE_BASE_VEL_Y] = vel.y;
    z[TR_BALANCE_DRIFT_X] = drift.x;
    z[TR_BALANCE_DRIFT_Y] = drift.y;
}

static void look_at_mass(const view *v, double *z) {
    tr_momentum momentum = tr_body_momentum(v->sight->model, v->bodies);
    tr_vec3 com = turn(v, tr_vec3_sub(momentum.com_pos, v->base.pos));
    tr_vec3 vel = turn(v, momentum.com_vel);
    const int *foot = v->body->foot;
    tr_vec3 feet = tr_vec3_lerp(v->bodies[foot[0]].com_pos, v->bodies[foot[1]].com_pos, 0.5);
    feet = turn(v, tr_vec3_sub(feet, v->base.pos));
    z[TR_BALANCE_COM_X] = com.x;
    z[TR_BALANCE_COM_Y] = com.y;
    z[TR_BALANCE_COM_VEL_X] = vel.x;
    z[TR_BALANCE_COM_VEL_Y] = vel.y;
    z[TR_BALANCE_FEET_X] = feet.x;
    z[TR_BALANCE_FEET_Y] = feet.y;
}

static void look_at_trunk(const view *v, double *z) {
    const tr_body_state *trunk = &v->bodies[v->sight->model->trunk];
    tr_vec3 lean = turn_of(v, trunk->rot), rate = turn(v, trunk->omega);
    z[TR_BALANCE_LEAN_ROLL] = lean.x;
    z[TR_BALANCE_LEAN_PITCH] = lean.y;
    z[TR_BALANCE_LEAN_ROLL_RATE] = rate.x;
    z[TR_BALANCE_LEAN_PITCH_RATE] = rate.y;
    z[TR_BALANCE_HEADING] = tr_angle_wrap(v->heading_rad - v->home->heading_rad);
    z[TR_BALANCE_YAW_RATE] = v->sight->state->root_omega.z;
}

/* Returns the angle of an axle, which has no direction, from the frame's x axis. */
static double axle_yaw(tr_vec3 axle) {
    double yaw = tr_atan2(axle.y, axle.x);
    /* Half a turn gives the same axle. */
    return yaw > TR_PI / 2 ? yaw - TR_PI : yaw < -TR_PI / 2 ? yaw + TR_PI : yaw;
}

static void look_at_deck(const view *v, double *z) {
    z[TR_BALANCE_DECK_ROLL] = z[TR_BALANCE_DECK_ROLL_RATE] = 0;
    z[TR_BALANCE_DECK_YAW] = z[TR_BALANCE_BASE_YAW] = 0;
    if (v->place->deck < 0)
        return;
    const tr_object_state *deck = &v->sight->object[v->place->deck];
    tr_vec3 tilt = turn_of(v, deck->rot), rate = turn(v, deck->omega);
    tr_vec3 axle = turn(v, tr_quat_rotate(v->base.rot, (tr_vec3){0, 0, 1}));
    z[TR_BALANCE_DECK_ROLL] = tilt.x;
    z[TR_BALANCE_DECK_ROLL_RATE] = rate.x;
    z[TR_BALANCE_DECK_YAW] = tilt.z;
    z[TR_BALANCE_BASE_YAW] = axle_yaw(axle);
}

static void look_at_root(const view *v, double *z) {
    const tr_state *state = v->sight->state;
    tr_vec3 pos = turn(v, tr_vec3_sub(state->pose.root_pos, v->base.pos));
    tr_vec3 vel = turn(v, tr_vec3_sub(state->root_vel, v->base.vel));
    tr_vec3 tilt = turn_of(v, state->pose.root_rot), rate = turn(v, state->root_omega);
    /* Sagittal features are x, z and pitch; lateral ones y and roll. */
    z[TR_BALANCE_ROOT_X] = pos.x;
    z[TR_BALANCE_ROOT_Y] = pos.y;
    z[TR_BALANCE_ROOT_Z] = pos.z;
    z[TR_BALANCE_ROOT_VEL_X] = vel.x;
    z[TR_BALANCE_ROOT_VEL_Y] = vel.y;
    z[TR_BALANCE_ROOT_VEL_Z] = vel.z;
    z[TR_BALANCE_ROOT_ROLL] = tilt.x;
    z[TR_BALANCE_ROOT_PITCH] = tilt.y;
    z[TR_BALANCE_ROOT_ROLL_RATE] = rate.x;
    z[TR_BALANCE_ROOT_PITCH_RATE] = rate.y;
}

static void look_at_waist(const view *v, double *z) {
    const tr_state *state = v->sight->state;
    tr_vec3 angle = {0, 0, 0}, rate = {0, 0, 0};
    /* The joints of the waist turn one after the other: small rotation vectors add up. */
    for (int i = 0; i < v->body->waist_count; i++) {
        int b = v->body->waist[i];
        angle = tr_vec3_add(angle, tr_quat_log(state->pose.joint[b]));
        rate = tr_vec3_add(rate, state->joint_rate[b]);
    }
    z[TR_BALANCE_WAIST_ROLL] = angle.x;
    z[TR_BALANCE_WAIST_PITCH] = angle.y;
    z[TR_BALANCE_WAIST_YAW] = angle.z;
    z[TR_BALANCE_WAIST_ROLL_RATE] = rate.x;
    z[TR_BALANCE_WAIST_PITCH_RATE] = rate.y;
    z[TR_BALANCE_WAIST_YAW_RATE] = rate.z;
}

/* Mean and half of the difference of a left and a right joint. */
typedef struct pair {
    tr_vec3 mean, diff, mean_rate, diff_rate;
} pair;

static pair pair_of(const tr_state *state, const int joint[2]) {
    tr_vec3 left = tr_quat_log(state->pose.joint[joint[0]]);
    tr_vec3 right = tr_quat_log(state->pose.joint[joint[1]]);
    tr_vec3 left_rate = state->joint_rate[joint[0]], right_rate = state->joint_rate[joint[1]];
    return (pair){tr_vec3_lerp(left, right, 0.5), tr_vec3_scale(tr_vec3_sub(left, right), 0.5),
                  tr_vec3_lerp(left_rate, right_rate, 0.5),
                  tr_vec3_scale(tr_vec3_sub(left_rate, right_rate), 0.5)};
}

static void look_at_legs(const view *v, double *z) {
    const tr_state *state = v->sight->state;
    pair hip = pair_of(state, v->body->thigh), knee = pair_of(state, v->body->shank);
    pair ankle = pair_of(state, v->body->foot);
    /* Means hold the body up and lean it; differences shift its weight from leg to leg. */
    z[TR_BALANCE_HIP_PITCH_MEAN] = hip.mean.y;
    z[TR_BALANCE_HIP_PITCH_RATE] = hip.mean_rate.y;
    z[TR_BALANCE_KNEE_MEAN] = knee.mean.y;
    z[TR_BALANCE_KNEE_RATE] = knee.mean_rate.y;
    z[TR_BALANCE_ANKLE_PITCH_MEAN] = ankle.mean.y;
    z[TR_BALANCE_ANKLE_PITCH_RATE] = ankle.mean_rate.y;
    z[TR_BALANCE_HIP_ROLL_MEAN] = hip.mean.x;
    z[TR_BALANCE_HIP_ROLL_RATE] = hip.mean_rate.x;
    z[TR_BALANCE_HIP_YAW_MEAN] = hip.mean.z;
    z[TR_BALANCE_HIP_YAW_RATE] = hip.mean_rate.z;
    z[TR_BALANCE_HIP_PITCH_DIFF] = hip.diff.y;
    z[TR_BALANCE_HIP_PITCH_DIFF_RATE] = hip.diff_rate.y;
    z[TR_BALANCE_KNEE_DIFF] = knee.diff.y;
    z[TR_BALANCE_KNEE_DIFF_RATE] = knee.diff_rate.y;
    z[TR_BALANCE_ANKLE_PITCH_DIFF] = ankle.diff.y;
    z[TR_BALANCE_ANKLE_PITCH_DIFF_RATE] = ankle.diff_rate.y;
    z[TR_BALANCE_ANKLE_ROLL_MEAN] = ankle.mean.x;
    z[TR_BALANCE_ANKLE_ROLL_RATE] = ankle.mean_rate.x;
}

void tr_balance_look(const tr_balance_place *place, const tr_gait_body *body,
                     const tr_balance_home *home, const tr_sight *sight, double *out) {
    double heading_rad = tr_quat_heading(sight->state->pose.root_rot);
    const view v = {.place = place,
                    .body = body,
                    .home = home,
                    .sight = sight,
                    .bodies = tr_sight_bodies(sight),
                    .heading_rad = heading_rad,
                    .frame = tr_quat_from_heading(-heading_rad),
                    .base = sight->object[place->base]};
    look_at_base(&v, out);
    look_at_mass(&v, out);
    look_at_trunk(&v, out);
    look_at_deck(&v, out);
    look_at_root(&v, out);
    look_at_waist(&v, out);
    look_at_legs(&v, out);
}
