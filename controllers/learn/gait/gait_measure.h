/* What a gait survives: tests of many trials, each kind a row of a table (Shum et al., section 4,
 * and what it leaves out).
 *
 * Seeds are those of the test alone, so that a gait is not measured on what it was trained with. A
 * result does not depend on the number of threads. */
#pragma once

#include "learn/gait/gait_trial.h"

/* Forces of a test. Along the heading evenly from low to high; SIDE: of either sign; PUSH: force_n
 * for 0.2 s from 8 directions at 12 times of the gait's cycle, 0.06 s apart, by turns.
 *   wanted_mps: the requested speed; 0: the gait's own
 *   all_phases: forces that are no pushes begin at such times too, by turns; else all at one */
typedef struct tr_gait_test {
    const char *name;
    tr_force_kind kind;
    double low_n, high_n, side_n;
    double slope_nps, duration_s;
    int trials;
    uint64_t seed;
    double wanted_mps;
    bool all_phases;
} tr_gait_test;

enum { TR_GAIT_TEST_TRIAL_MAX = 100000 };

typedef struct tr_gait_survival {
    int trials, survived;
    double mean_s, speed_mps, slowest_mps, pitch_rad, root_m;
} tr_gait_survival;

/* TR_INVALID_ARGUMENT: no trials, or too many; TR_RESOURCE_EXHAUSTED. */
tr_status tr_gait_measure(const tr_gait *gait, const tr_gait_test *test, tr_ensemble *ensemble,
                          tr_gait_survival *out) TR_NODISCARD;
