/* What a gait survives: tests of many trials, each kind a row of a table (Shum et al., section 4,
 * and what it leaves out).
 *
 * Seeds are those of the test alone, so that a gait is not measured on what it was trained with. A
 * result does not depend on the number of threads. */
#ifndef TROUPE_LEARN_GAIT_MEASURE_H
#define TROUPE_LEARN_GAIT_MEASURE_H

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

enum { TR_GAIT_TEST_TRIAL_MAX = 100000, TR_GAIT_BAND_MAX = 8 };

/* Trials by the force asked for, in even bands from low to high. */
typedef struct tr_gait_band {
    double low_n, high_n;
    int trials, survived;
    double speed_mps; /* mean of those that survived */
} tr_gait_band;

typedef struct tr_gait_survival {
    int trials, survived;
    double mean_s, speed_mps, slowest_mps, drift_mps, pitch_rad, root_m, effort;
    int band_count;
    tr_gait_band band[TR_GAIT_BAND_MAX];
} tr_gait_survival;

/* Measures the outcome of each trial, [trials]. TR_INVALID_ARGUMENT: too many trials. */
tr_status tr_gait_measure_each(const tr_gait *gait, const tr_gait_test *test, tr_ensemble *ensemble,
                               tr_gait_outcome *out) TR_NODISCARD;

/* Sums the outcomes up. */
tr_gait_survival tr_gait_survival_of(const tr_gait_test *test, const tr_gait_outcome *outcome);

/* Measures each trial and sums them up. Also TR_RESOURCE_EXHAUSTED. */
tr_status tr_gait_measure(const tr_gait *gait, const tr_gait_test *test, tr_ensemble *ensemble,
                          tr_gait_survival *out) TR_NODISCARD;

/* Returns the first value of a trial's force, x along the heading, and the time at which it
 * begins. */
tr_vec3 tr_gait_test_force(const tr_gait_test *test, int trial, double *out_from_s);

#endif
