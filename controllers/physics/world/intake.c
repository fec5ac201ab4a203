#include "physics/world/intake.h"

#include <math.h>

static const double EXACT = 1e-9;

bool tr_intake_quat_usable(tr_quat q) {
    double s = tr_quat_dot(q, q);
    return s > 0.01 && s < 100;
}

bool tr_intake_pose_usable(const tr_model *model, const tr_pose *pose) {
    bool good = tr_vec3_is_finite(pose->root_pos) && tr_intake_quat_usable(pose->root_rot);
    for (int i = 1; good && i < model->body_count; i++)
        good = tr_intake_quat_usable(pose->joint[i]);
    return good;
}

bool tr_intake_state_usable(const tr_model *model, const tr_state *state) {
    bool good = tr_intake_pose_usable(model, &state->pose) && tr_vec3_is_finite(state->root_vel) &&
                tr_vec3_is_finite(state->root_omega);
    for (int i = 1; good && i < model->body_count; i++)
        good = tr_vec3_is_finite(state->joint_rate[i]);
    return good;
}

tr_quat tr_intake_quat(tr_quat q) {
    return fabs(tr_quat_dot(q, q) - 1) > EXACT ? tr_quat_normalize(q) : q;
}

/* |a - b| > EXACT, as a root decides; most are so near that none is needed. */
static bool are_apart(tr_vec3 a, tr_vec3 b) {
    tr_vec3 d = tr_vec3_sub(a, b);
    double square = tr_vec3_dot(d, d);
    return !(square < 0.99 * EXACT * EXACT) && sqrt(square) > EXACT;
}

static tr_vec3 along(tr_vec3 v, tr_vec3 axis) {
    tr_vec3 on = tr_vec3_scale(axis, tr_vec3_dot(v, axis));
    return are_apart(v, on) ? on : v;
}

/* A joint's orientation or target: of unit length, about the axis if there is one. */
static inline tr_quat take_joint(const tr_body *body, tr_quat q) {
    if (fabs(tr_quat_dot(q, q) - 1) > EXACT)
        q = tr_quat_normalize(q);
    if (!tr_body_has_axis(body))
        return q;
    tr_vec3 v = {q.x, q.y, q.z}, on = tr_vec3_scale(body->axis, tr_vec3_dot(v, body->axis));
    if (!are_apart(v, on))
        return q;
    return tr_quat_normalize((tr_quat){q.w, on.x, on.y, on.z});
}

bool tr_intake_targets(const tr_model *model, const tr_quat *target, tr_quat *out) {
    for (int i = 1; i < model->body_count; i++)
        if (!tr_intake_quat_usable(target[i]))
            return false;
    for (int i = 1; i < model->body_count; i++)
        out[i] = take_joint(&model->body[i], target[i]);
    return true;
}

tr_vec3 tr_intake_joint_vector(const tr_body *body, tr_vec3 v) {
    return tr_body_has_axis(body) ? along(v, body->axis) : v;
}

void tr_intake_pose(const tr_model *model, const tr_pose *pose, tr_pose *out) {
    out->root_pos = pose->root_pos;
    out->root_rot = tr_intake_quat(pose->root_rot);
    for (int i = 1; i < model->body_count; i++)
        out->joint[i] = take_joint(&model->body[i], pose->joint[i]);
}

void tr_intake_state(const tr_model *model, const tr_state *state, tr_state *out) {
    tr_intake_pose(model, &state->pose, &out->pose);
    out->root_vel = state->root_vel;
    out->root_omega = state->root_omega;
    for (int i = 1; i < model->body_count; i++)
        out->joint_rate[i] = tr_intake_joint_vector(&model->body[i], state->joint_rate[i]);
}
