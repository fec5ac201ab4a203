#include "control/gait/gait_step.h"

#include "control/gait/felt_force.h"

#include <math.h>

static const double GRAVITY_MPS2 = 9.81;
static const double STRIKE_SHARE = 0.08; /* of the weight, on a foot that stands */
/* A strike ends lifting from EARLIEST_STRIKE_S on, and setting from SHORTEST_S on; setting waits
 * for one for twice its duration and PATIENCE_S. */
static const double EARLIEST_STRIKE_S = 0.15, SHORTEST_S = 0.05, PATIENCE_S = 0.2;
static const double ACCELERATION_MPS2 = 0.3;  /* of the asked speed towards the wanted one */
static const double COMPENSATION_SHARE = 0.3; /* of a step's torque in its filter */
static const double DAMPING = 0.1;            /* kd / kp, Shum et al., section 3.1 */
static const double KP_MIN = 5, KP_MAX = 4000;
static const double KP_NECK = 100, KP_TOE = 100;
static const double FOREARM_SHARE = 0.67, HAND_SHARE = 0.33; /* of the shoulder's gain */

/* --- reading the world --- */

/* Adds up the upward force on the feet, of whatever they stand on. */
static void look_at_feet(const tr_world *world, tr_entity_id character, tr_gait_sight *out) {
    int count = 0;
    const tr_contact *contact = tr_world_contacts(world, &count);
    for (int i = 0; i < count; i++) {
        if (contact[i].entity[0] == contact[i].entity[1])
            continue;
        for (int end = 0; end < 2; end++)
            for (int side = 0; side < 2; side++)
                if (contact[i].entity[end] == character &&
                    tr_model_is_of_foot(out->model, contact[i].body[end], side))
                    out->load_n[side] += (end ? -1 : 1) * contact[i].impulse.z / out->step_s;
    }
}

tr_status tr_gait_look(const tr_world *world, tr_entity_id character, tr_gait_sight *out) {
    tr_gait_sight sight = {.model = tr_world_character_model(world, character),
                           .bodies = tr_world_bodies(world, character),
                           .torque = tr_world_servo_torques(world, character),
                           .stiffness = 1,
                           .step_s = tr_world_definition(world)->step_s};
    if (!sight.model)
        return TR_NOT_FOUND;
    look_at_feet(world, character, &sight);
    sight.felt = tr_felt_force(world, character);
    *out = sight;
    return TR_OK;
}

/* --- the state machine --- */

static int swing_side(const tr_gait_state *state) {
    return state->keyframe < 2; /* the right leg first */
}

static bool is_done(const tr_gait_state *state, const tr_gait_sight *sight, const double *value) {
    int stored = state->keyframe & 1;
    double t = state->keyframe_s, duration = value[TR_GAIT_DURATION + stored];
    double weight_n = sight->model->mass * GRAVITY_MPS2;
    bool strikes = sight->load_n[swing_side(state)] > STRIKE_SHARE * weight_n;
    /* Only lifting may end by the clock alone: SIMBICON ends the other keyframes at a foot
     * strike. */
    if (stored == 0)
        return t >= duration - 1e-9 || (strikes && t > EARLIEST_STRIKE_S);
    return (strikes && t > SHORTEST_S) || t > 2 * duration + PATIENCE_S;
}

static double approach(double from, double to, double by) {
    return from + fmin(fmax(to - from, -by), by);
}

/* Moves heading and speed towards the target's. */
static void follow_target(const tr_gait *gait, tr_gait_state *state, const tr_gait_sight *sight) {
    double root_rad = tr_quat_heading(sight->bodies[0].rot), h = sight->step_s;
    if (!state->begun)
        state->heading_rad = root_rad;
    if (sight->has_target) {
        double off_rad = tr_angle_wrap(root_rad + sight->turn_rad - state->heading_rad);
        state->heading_rad =
            tr_angle_wrap(state->heading_rad + approach(0, off_rad, TR_GAIT_TURN_RAD_S * h));
    }
    /* A speed of 0, asked or in the state, stands for that of the gait. */
    double own = gait->own_mps, now = state->speed_mps ? state->speed_mps : own;
    double wanted = sight->speed_mps ? sight->speed_mps : own;
    state->speed_mps = approach(now, wanted, ACCELERATION_MPS2 * h);
}

static void filter_felt_force(const tr_gait *gait, tr_gait_state *state,
                              const tr_gait_sight *sight) {
    tr_vec3 force = tr_vec3_to_heading(sight->felt, state->heading_rad);
    /* A low-pass filter of first order, h / (lag + h). */
    double share = sight->step_s / (gait->felt_lag_s + sight->step_s);
    state->felt_n[0] += share * (force.x - state->felt_n[0]);
    state->felt_n[1] += share * (force.y - state->felt_n[1]);
}

/* --- servos --- */

/* All that the parts of a step below share.
 *   out: sign of an outward roll of the swing leg about x
 *   pelvis: rotation in the gait frame
 *   ahead, left, ahead_mps, left_mps: centroid from the stance ankle, and its velocity, gait frame
 *   side: sideways force felt, 100 N
 *   lean: of the pelvis, rad */
typedef struct worker {
    const tr_gait *gait;
    const tr_gait_sight *sight;
    const double *key, *common;
    int swing, stance;
    double out_sign, side;
    tr_quat to_gait, pelvis;
    double ahead, left, ahead_mps, left_mps, lean;
    tr_gait_servos *out;
} worker;

static tr_quat about_x(double rad) {
    return tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, rad);
}

static tr_quat about_y(double rad) {
    return tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, rad);
}

static void set_gain(worker *w, int body, double kp) {
    kp = fmin(fmax(kp * w->sight->stiffness, KP_MIN), KP_MAX);
    w->out->kp[body] = kp;
    w->out->kd[body] = DAMPING * kp;
}

static void begin_work(worker *w, const tr_gait_state *state) {
    const tr_model *model = w->sight->model;
    const tr_body_state *bodies = w->sight->bodies;
    int ankle = w->gait->body.foot[w->stance];
    tr_momentum momentum = tr_body_momentum(model, bodies);
    tr_vec3 stance = tr_body_origin(model, ankle, &bodies[ankle]);
    tr_vec3 off = tr_vec3_to_heading(tr_vec3_sub(momentum.com_pos, stance), state->heading_rad);
    tr_vec3 velocity = tr_vec3_to_heading(momentum.com_vel, state->heading_rad);
    w->ahead = off.x;
    w->left = off.y;
    w->ahead_mps = velocity.x;
    w->left_mps = velocity.y;
    w->lean =
        w->key[TR_GAIT_LEAN] + w->common[TR_GAIT_LEAN_VEL] * (state->speed_mps - w->ahead_mps);
    w->to_gait = tr_quat_from_heading(-state->heading_rad);
    w->pelvis = tr_quat_mul(w->to_gait, bodies[0].rot);
    for (int i = 0; i < model->body_count; i++) {
        /* Joints that no part of the step below sets are held straight, as the neck is. */
        w->out->target[i] = tr_quat_identity();
        w->out->torque[i] = (tr_vec3){0, 0, 0};
        set_gain(w, i, KP_NECK);
    }
}

static void swing_leg(worker *w) {
    const tr_gait_body *body = &w->gait->body;
    const double *key = w->key, *c = w->common;
    /* SIMBICON: an angle of the keyframe + c_d d + c_v v, forwards and sideways. */
    double pitch =
        key[TR_GAIT_SWING_HIP] + c[TR_GAIT_HIP_POS] * w->ahead + c[TR_GAIT_HIP_VEL] * w->ahead_mps;
    double roll = w->out_sign * key[TR_GAIT_SWING_HIP_OUT] + c[TR_GAIT_HIP_SIDE_POS] * w->left +
                  c[TR_GAIT_HIP_SIDE_VEL] * w->left_mps + c[TR_GAIT_SIDE_HIP] * w->side;
    pitch = fmin(fmax(pitch, -1.0), 1.5);
    roll = fmin(fmax(roll, -0.8), 0.8);
    tr_quat thigh = tr_quat_mul(about_x(roll), about_y(-pitch));
    int hip = body->thigh[w->swing], knee = body->shank[w->swing], ankle = body->foot[w->swing];
    w->out->target[hip] = tr_quat_mul(tr_quat_conj(w->pelvis), thigh);
    w->out->target[knee] = about_y(key[TR_GAIT_SWING_KNEE]);
    w->out->target[ankle] = about_y(-key[TR_GAIT_SWING_ANKLE]);
    set_gain(w, hip, tr_exp(key[TR_GAIT_LOG_KP_SWING_HIP]));
    set_gain(w, knee, tr_exp(key[TR_GAIT_LOG_KP_SWING_KNEE]));
    set_gain(w, ankle, tr_exp(key[TR_GAIT_LOG_KP_SWING_ANKLE]));
}

/* Sets knee and ankle of the stance leg. */
static void stance_leg(worker *w) {
    const tr_gait_body *body = &w->gait->body;
    const double *key = w->key, *c = w->common;
    double pitch = key[TR_GAIT_STANCE_ANKLE] - c[TR_GAIT_ANKLE_POS] * w->ahead -
                   c[TR_GAIT_ANKLE_VEL] * w->ahead_mps;
    double roll = c[TR_GAIT_ANKLE_SIDE_POS] * w->left + c[TR_GAIT_ANKLE_SIDE_VEL] * w->left_mps +
                  c[TR_GAIT_SIDE_ANKLE] * w->side;
    int knee = body->shank[w->stance], ankle = body->foot[w->stance];
    w->out->target[knee] = about_y(key[TR_GAIT_STANCE_KNEE]);
    w->out->target[ankle] = tr_quat_mul(about_x(roll), about_y(-pitch));
    set_gain(w, knee, tr_exp(key[TR_GAIT_LOG_KP_STANCE_KNEE]));
    set_gain(w, ankle, tr_exp(key[TR_GAIT_LOG_KP_STANCE_ANKLE]));
}

static void trunk(worker *w) {
    const tr_gait_body *body = &w->gait->body;
    double pitch = w->lean + w->key[TR_GAIT_BEND];
    double roll = w->common[TR_GAIT_SIDE_TRUNK] * w->side;
    tr_quat wanted = tr_quat_mul(about_x(roll), about_y(pitch));
    tr_vec3 bend = tr_quat_log(tr_quat_mul(tr_quat_conj(w->pelvis), wanted));
    tr_quat share = tr_quat_exp(tr_vec3_scale(bend, 1.0 / body->waist_count));
    for (int i = 0; i < body->waist_count; i++) {
        w->out->target[body->waist[i]] = share;
        set_gain(w, body->waist[i], tr_exp(w->key[TR_GAIT_LOG_KP_WAIST]));
    }
}

/* The stance hip holds the pelvis in the gait frame. */
static void stance_hip(worker *w, tr_gait_state *state) {
    const tr_gait_body *body = &w->gait->body;
    const tr_body_state *bodies = w->sight->bodies;
    const tr_vec3 *torque = w->sight->torque;
    int hip = body->thigh[w->stance];
    double roll =
        w->out_sign * w->common[TR_GAIT_PELVIS_OUT] + w->common[TR_GAIT_SIDE_PELVIS] * w->side;
    tr_quat wanted = tr_quat_mul(about_x(roll), about_y(w->lean));
    tr_quat thigh = tr_quat_mul(w->to_gait, bodies[hip].rot);
    set_gain(w, hip, tr_exp(w->key[TR_GAIT_LOG_KP_STANCE_HIP]));
    w->out->target[hip] = tr_quat_mul(tr_quat_conj(wanted), thigh);
    /* SIMBICON: the torques of swing hip and waist, by which they turn the pelvis, are taken back
     * here. Before the first step they are those of another driver. */
    if (state->begun) {
        tr_vec3 load = tr_vec3_add(torque[body->thigh[w->swing]], torque[body->waist[0]]);
        load = tr_vec3_scale(load, -w->common[TR_GAIT_COMPENSATION]);
        state->compensation = tr_vec3_lerp(state->compensation, load, COMPENSATION_SHARE);
    }
    /* kd P^-1 w_T: the rotation of the thigh is not damped, only that of the pelvis. */
    tr_vec3 turning = tr_quat_rotate_inverse(bodies[0].rot, bodies[hip].omega);
    w->out->torque[hip] = tr_vec3_add_scaled(state->compensation, w->out->kd[hip], turning);
}

static void arms(worker *w) {
    const tr_gait_body *body = &w->gait->body;
    const double *c = w->common;
    double kp = tr_exp(c[TR_GAIT_LOG_KP_ARM]);
    for (int side = 0; side < 2; side++) {
        tr_quat thigh = tr_quat_mul(w->to_gait, w->sight->bodies[body->thigh[!side]].rot);
        /* An arm swings with the thigh of the other side. */
        tr_vec3 down = tr_quat_rotate(thigh, (tr_vec3){0, 0, -1});
        double pitch = c[TR_GAIT_ARM] + c[TR_GAIT_ARM_SWING] * tr_atan2(down.x, -down.z);
        double roll = (side ? -1 : 1) * c[TR_GAIT_ARM_OUT];
        int shoulder = body->upper_arm[side], elbow = body->forearm[side];
        w->out->target[shoulder] = tr_quat_mul(about_x(roll), about_y(-pitch));
        w->out->target[elbow] = about_y(-c[TR_GAIT_ELBOW]);
        set_gain(w, shoulder, kp);
        set_gain(w, elbow, FOREARM_SHARE * kp);
        set_gain(w, w->sight->model->hand[side], HAND_SHARE * kp);
        if (body->toe[side] > 0)
            set_gain(w, body->toe[side], KP_TOE);
    }
}

bool tr_gait_step(const tr_gait *gait, tr_gait_state *state, const tr_gait_sight *sight,
                  tr_gait_servos *out) {
    double value[TR_GAIT_SIZE];
    /* The parameters of the step, from speed and felt force. */
    follow_target(gait, state, sight);
    filter_felt_force(gait, state, sight);
    tr_gait_parameters_at(gait, state->felt_n, state->speed_mps, value);
    int swing = swing_side(state);
    worker w = {.gait = gait,
                .sight = sight,
                .key = value + (state->keyframe & 1) * TR_GAIT_KEY_SIZE,
                .common = value,
                .swing = swing,
                .stance = !swing,
                .out_sign = swing ? -1 : 1,
                .side = state->felt_n[1] / 100,
                .out = out};
    /* The servos, part by part. */
    begin_work(&w, state);
    swing_leg(&w);
    stance_leg(&w);
    trunk(&w);
    stance_hip(&w, state);
    arms(&w);
    state->begun = true;
    state->keyframe_s += sight->step_s;
    bool ends = is_done(state, sight, value);
    if (ends) {
        state->strikes += state->keyframe & 1;
        state->keyframe = (state->keyframe + 1) % TR_GAIT_STATES;
        state->keyframe_s = 0;
    }
    return ends;
}
