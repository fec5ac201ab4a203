/* The settings of a gait's training: names, defaults, bounds and meaning in one table, so that the
 * command line sets them (--set name=value) and a record lists them. */
#pragma once

#include "learn/gait/gait_walker.h"
#include "math/parameter_table.h"

enum {
    TR_GAIT_HARDEN_CONSTANT = 1, /* trials of hardening at a constant force */
    TR_GAIT_BEST = 5             /* candidates that teach, of base walk and continuation */
};

typedef struct tr_gait_settings {
    uint64_t seed;
    char phase[TR_NAME_MAX];
    int samples;
    /* Arms and senses, which are not searched. */
    double felt_lag_s, arm, arm_swing, elbow, kp_arm;
    /* Base walk. */
    int base_generations;
    double base_mps;
    /* Continuation. */
    double front_n, back_n, force_step_n, slowest_mps, fastest_mps, lean;
    /* Hardening. */
    int harden_generations, harden_samples, harden_best, harden_test_trials;
    double harden_sigma, harden_keep_front_n;
    int harden_varying, harden_stepped, harden_sided, harden_pushed, harden_hauled;
} tr_gait_settings;

extern const tr_parameter_table tr_gait_settings_table;

/* How much a training tries, and how hard its trials are. All trainings use the same amounts but
 * those of tests, which must be short.
 *   sigma:       first step size of base walk and continuation, in scales
 *   noise:       of all trials
 *   base_*:      trials of a candidate; the largest kick and the largest force from the side, each in
 *                a third of them
 *   force_*:     most generations at one force; trials of a candidate, those of them under varying
 *                forces, and the largest kick in each; trial_s: their length, plus 1 s for each 100 N
 *   test_*:      trials of a test, in the same proportion; those that an optimal gait survives, at
 *                walk_least_mps or faster; their length, also in hardening
 *   harden_s, haul_s: length of a candidate's trials in hardening, and of those with a box */
typedef struct tr_gait_amounts {
    double sigma;
    tr_gait_noise noise;
    int base_trials;
    double base_kick_n, base_side_n;
    int force_generations, force_trials, force_varying;
    double force_kick_n, trial_s;
    int test_trials, test_least;
    double test_s, walk_least_mps;
    double harden_s, haul_s;
} tr_gait_amounts;

tr_gait_amounts tr_gait_amounts_usual(void);

/* Checks what the table's bounds cannot say. TR_INVALID_ARGUMENT: the message names the setting. */
tr_status tr_gait_settings_check(const tr_gait_settings *settings, tr_error *error) TR_NODISCARD;
