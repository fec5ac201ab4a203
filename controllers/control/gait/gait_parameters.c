#include "control/gait/gait_parameters.h"

#include "math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ANGLE(scale) "rad", scale, -2, 2
#define GAIN "log N m/rad", 0.3, 2.995732273553991, 8.006367567650246 /* 20 to 3000 N m/rad */
#define POS "rad/m", 0.3, -3, 3
#define VEL "rad s/m", 0.15, -3, 3
#define SIDE "rad/100 N", 0.05, -2, 2

static const tr_gait_parameter key_rows[TR_GAIT_KEY_SIZE] = {
    [TR_GAIT_SWING_HIP] = {"swing_hip", ANGLE(0.15), "swing thigh, forwards"},
    [TR_GAIT_SWING_HIP_OUT] = {"swing_hip_out", ANGLE(0.06), "swing thigh, outwards"},
    [TR_GAIT_SWING_KNEE] = {"swing_knee", "rad", 0.15, 0, 2, "swing knee, flexed"},
    [TR_GAIT_SWING_ANKLE] = {"swing_ankle", ANGLE(0.12), "swing ankle, toes up"},
    [TR_GAIT_STANCE_KNEE] = {"stance_knee", "rad", 0.08, 0, 1, "stance knee, flexed"},
    [TR_GAIT_STANCE_ANKLE] = {"stance_ankle", ANGLE(0.08), "stance ankle, toes up"},
    [TR_GAIT_LEAN] = {"lean", ANGLE(0.05), "pelvis, forwards"},
    [TR_GAIT_BEND] = {"bend", ANGLE(0.05), "trunk beyond the pelvis, forwards"},
    [TR_GAIT_LOG_KP_SWING_HIP] = {"log_kp_swing_hip", GAIN, "stiffness of the swing hip"},
    [TR_GAIT_LOG_KP_SWING_KNEE] = {"log_kp_swing_knee", GAIN, "stiffness of the swing knee"},
    [TR_GAIT_LOG_KP_SWING_ANKLE] = {"log_kp_swing_ankle", GAIN, "stiffness of the swing ankle"},
    [TR_GAIT_LOG_KP_STANCE_HIP] = {"log_kp_stance_hip", GAIN, "stiffness of the stance hip"},
    [TR_GAIT_LOG_KP_STANCE_KNEE] = {"log_kp_stance_knee", GAIN, "stiffness of the stance knee"},
    [TR_GAIT_LOG_KP_STANCE_ANKLE] = {"log_kp_stance_ankle", GAIN, "stiffness of the stance ankle"},
    [TR_GAIT_LOG_KP_WAIST] = {"log_kp_waist", GAIN, "stiffness of waist and chest"},
};

static const tr_gait_parameter common_rows[TR_GAIT_SIZE - TR_GAIT_HIP_POS] = {
#define AT(index) [(index)-TR_GAIT_HIP_POS]
    AT(TR_GAIT_HIP_POS) = {"hip_pos", POS, "swing hip, by the centroid ahead of the stance ankle"},
    AT(TR_GAIT_HIP_VEL) = {"hip_vel", VEL, "swing hip, by the centroid's speed forwards"},
    AT(TR_GAIT_HIP_SIDE_POS) = {"hip_side_pos", POS, "swing hip sideways, by the centroid"},
    AT(TR_GAIT_HIP_SIDE_VEL) = {"hip_side_vel", VEL, "swing hip sideways, by its speed"},
    AT(TR_GAIT_ANKLE_POS) = {"ankle_pos", POS, "stance ankle, by the centroid ahead of it"},
    AT(TR_GAIT_ANKLE_VEL) = {"ankle_vel", VEL, "stance ankle, by the centroid's speed forwards"},
    AT(TR_GAIT_ANKLE_SIDE_POS) = {"ankle_side_pos", POS, "stance ankle sideways, by the centroid"},
    AT(TR_GAIT_ANKLE_SIDE_VEL) = {"ankle_side_vel", VEL, "stance ankle sideways, by its speed"},
    AT(TR_GAIT_DURATION) = {"duration_0", "s", 0.04, 0.1, 0.6, "of the keyframe that lifts"},
    AT(TR_GAIT_DURATION + 1) = {"duration_1", "s", 0.04, 0.1, 0.6,
                                "of the keyframe that ends when the foot strikes"},
    AT(TR_GAIT_COMPENSATION) = {"compensation", "", 0.2, 0, 1.2,
                                "share of swing hip and waist torques that the stance hip takes"},
    AT(TR_GAIT_PELVIS_OUT) = {"pelvis_out", ANGLE(0.04), "pelvis dropped on the swing side"},
    AT(TR_GAIT_LEAN_VEL) = {"lean_vel", "rad s/m", 0.05, -1, 1,
                            "trunk and pelvis, by missing speed"},
    AT(TR_GAIT_SIDE_TRUNK) = {"side_trunk", SIDE, "trunk against a sideways force"},
    AT(TR_GAIT_SIDE_PELVIS) = {"side_pelvis", SIDE, "pelvis against a sideways force"},
    AT(TR_GAIT_SIDE_HIP) = {"side_hip", SIDE, "swing hip along a sideways force"},
    AT(TR_GAIT_SIDE_ANKLE) = {"side_ankle", SIDE, "stance ankle along a sideways force"},
    AT(TR_GAIT_ARM) = {"arm", ANGLE(0.15), "shoulders, forwards"},
    AT(TR_GAIT_ARM_OUT) = {"arm_out", ANGLE(0.1), "shoulders, outwards"},
    AT(TR_GAIT_ARM_SWING) = {"arm_swing", "", 0.1, -2, 2, "shoulder by the other side's thigh"},
    AT(TR_GAIT_ELBOW) = {"elbow", "rad", 0.15, 0, 2, "elbows, flexed"},
    AT(TR_GAIT_LOG_KP_ARM) = {"log_kp_arm", GAIN, "stiffness of the shoulders"},
#undef AT
};

const tr_gait_parameter *tr_gait_parameter_row(int index) {
    return index < TR_GAIT_HIP_POS ? &key_rows[index % TR_GAIT_KEY_SIZE]
                                   : &common_rows[index - TR_GAIT_HIP_POS];
}

int tr_gait_parameter_keyframe(int index) {
    return index < TR_GAIT_HIP_POS ? index / TR_GAIT_KEY_SIZE : -1;
}

void tr_gait_parameter_name(int index, char out[static TR_GAIT_NAME_SIZE]) {
    const char *name = tr_gait_parameter_row(index)->name;
    int keyframe = tr_gait_parameter_keyframe(index);
    if (keyframe < 0)
        snprintf(out, TR_GAIT_NAME_SIZE, "%s", name);
    else
        snprintf(out, TR_GAIT_NAME_SIZE, "%s.%d", name, keyframe);
}

void tr_gait_parameters_clamp(double *value) {
    for (int i = 0; i < TR_GAIT_SIZE; i++) {
        const tr_gait_parameter *row = tr_gait_parameter_row(i);
        value[i] = fmin(fmax(value[i], row->low), row->high);
    }
}

int tr_gait_parameters_check(const double *value) {
    for (int i = 0; i < TR_GAIT_SIZE; i++) {
        const tr_gait_parameter *row = tr_gait_parameter_row(i);
        if (!(value[i] >= row->low && value[i] <= row->high))
            return i;
    }
    return -1;
}

/* Sets one keyframe: both have the same gains, and other angles. */
static void publish_keyframe(double *key, double swing_hip, double swing_knee, double swing_ankle,
                             double stance_knee) {
    key[TR_GAIT_SWING_HIP] = swing_hip;
    key[TR_GAIT_SWING_KNEE] = swing_knee;
    key[TR_GAIT_SWING_ANKLE] = swing_ankle;
    key[TR_GAIT_STANCE_KNEE] = stance_knee;
    key[TR_GAIT_LOG_KP_SWING_HIP] = key[TR_GAIT_LOG_KP_STANCE_HIP] = tr_log(1000);
    key[TR_GAIT_LOG_KP_SWING_KNEE] = key[TR_GAIT_LOG_KP_STANCE_KNEE] = tr_log(300);
    key[TR_GAIT_LOG_KP_SWING_ANKLE] = tr_log(100);
    key[TR_GAIT_LOG_KP_STANCE_ANKLE] = tr_log(300);
    key[TR_GAIT_LOG_KP_WAIST] = tr_log(1000);
}

void tr_gait_parameters_published(double *value) {
    memset(value, 0, TR_GAIT_SIZE * sizeof *value);
    publish_keyframe(value, 0.5, 1.1, 0.6, 0.05);
    publish_keyframe(value + TR_GAIT_KEY_SIZE, -0.1, 0.05, 0.15, 0.1);
    value[TR_GAIT_HIP_POS] = value[TR_GAIT_HIP_VEL] = 0.2;
    value[TR_GAIT_HIP_SIDE_POS] = value[TR_GAIT_HIP_SIDE_VEL] = 0.2;
    value[TR_GAIT_DURATION] = value[TR_GAIT_DURATION + 1] = 0.3;
    value[TR_GAIT_COMPENSATION] = 1;
    value[TR_GAIT_ARM_OUT] = 0.1;
    value[TR_GAIT_ELBOW] = 0.3;
    value[TR_GAIT_LOG_KP_ARM] = tr_log(60);
}
