#include "learn/gait/gait_tilt.h"

#include "model/state.h"

static const double GRAVITY_MPS2 = 9.81;
/* Of a whole lean (controllers/log/2026-11-30-lean.md). */
static const double TRUNK_SHARE = 0.2, KNEE_PER_RAD = 8;

static double centroid_height(const tr_model *model) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose rest = tr_pose_rest(model);
    tr_pose_forward(model, &rest, bodies);
    return tr_body_momentum(model, bodies).com_pos.z;
}

void tr_gait_tilt(const tr_model *model, double lean, double force_n, double *value) {
    double lean_rad = -force_n / (model->mass * GRAVITY_MPS2);
    double ahead_m = lean_rad * centroid_height(model);
    /* The last terms undo what the balance feedback adds for a centroid that far ahead. */
    for (int k = 0; k < TR_GAIT_KEYFRAMES; k++) {
        double *key = value + k * TR_GAIT_KEY_SIZE;
        key[TR_GAIT_LEAN] += (1 + lean * TRUNK_SHARE) * lean_rad;
        key[TR_GAIT_LOG_KP_STANCE_KNEE] += lean * KNEE_PER_RAD * lean_rad;
        key[TR_GAIT_SWING_HIP] -= lean_rad + value[TR_GAIT_HIP_POS] * ahead_m;
        key[TR_GAIT_SWING_ANKLE] += lean_rad;
        key[TR_GAIT_STANCE_ANKLE] += lean_rad + value[TR_GAIT_ANKLE_POS] * ahead_m;
    }
    tr_gait_parameters_clamp(value);
}
