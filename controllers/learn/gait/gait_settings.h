/* The settings of a gait's training: names, defaults, bounds and meaning in one table, so that the
 * command line sets them (--set name=value) and a record lists them. */
#pragma once

#include "math/parameter_table.h"
#include "model/model.h"

enum { TR_GAIT_HARDEN_CONSTANT = 1 }; /* trials of hardening at a constant force */

typedef struct tr_gait_settings {
    uint64_t seed;
    char phase[TR_NAME_MAX];
    char update[TR_NAME_MAX]; /* "hansen" or "shum" (gait_search.h) */
    int samples, best;
    double sigma;
    double noise_joint_rad, noise_target_rad;
    /* Arms and senses, which are not searched. */
    double felt_lag_s, arm, arm_swing, elbow, kp_arm;
    /* Base walk. */
    int base_generations;
    double base_mps, base_kick_n, base_side_n;
    int base_trials;
    /* Continuation. */
    double front_n, back_n, force_step_n, force_kick_n;
    double walk_least_mps;
    int force_generations, force_trials, force_varying, test_trials, test_least;
    double trial_s, test_s;
    double slowest_mps, fastest_mps, lean;
    /* Hardening. */
    int harden_generations, harden_samples, harden_best, harden_test_trials, harden_curve;
    double harden_sigma, harden_s, harden_keep_front_n, haul_s;
    int haulers;
    int harden_varying, harden_stepped, harden_sided, harden_pushed, harden_hauled;
} tr_gait_settings;

extern const tr_parameter_table tr_gait_settings_table;

tr_gait_settings tr_gait_settings_default(void);

/* Checks what the table's bounds cannot say. TR_INVALID_ARGUMENT: the message names the setting. */
tr_status tr_gait_settings_check(const tr_gait_settings *settings, tr_error *error) TR_NODISCARD;
