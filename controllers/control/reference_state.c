#include "control/reference_state.h"

#include <math.h>

static const double UNIT_TOLERANCE = 1e-6;

tr_state tr_reference_identity(void) {
    tr_state state = {.pose.root_rot = {1, 0, 0, 0}};
    for (int b = 0; b < TR_BODY_MAX; b++)
        state.pose.joint[b] = tr_quat_identity();
    return state;
}

bool tr_reference_is_rotation(tr_quat q) {
    return fabs(tr_quat_dot(q, q) - 1.0) < UNIT_TOLERANCE;
}

bool tr_reference_is_sound(const tr_model *model, const tr_state *state) {
    bool sound = tr_vec3_is_finite(state->pose.root_pos) &&
                 tr_reference_is_rotation(state->pose.root_rot) &&
                 tr_vec3_is_finite(state->root_vel) && tr_vec3_is_finite(state->root_omega);
    for (int b = 1; sound && b < model->body_count; b++)
        sound = tr_reference_is_rotation(state->pose.joint[b]) &&
                tr_vec3_is_finite(state->joint_rate[b]);
    return sound;
}
