/* How good is a controller? Ensembles of trials: time held undisturbed, pushes survived, and how
 * it moves.
 *
 * All are deterministic functions of controller, test and seed, whatever the number of threads. A
 * trial counts as held or survived when the motion was not lost (trial.h) up to its end. */
#ifndef TROUPE_LEARN_EVALUATE_H
#define TROUPE_LEARN_EVALUATE_H

#include "control/controller.h"
#include "learn/ensemble.h"

enum { TR_PUSH_DIRECTIONS = 8, TR_PUSH_PHASES = 12, TR_EVALUATE_TRIAL_MAX = 10000 };

/* --- undisturbed --- */

typedef struct tr_hold_test {
    int trials; /* each from its own disturbed start (trial.h) */
    double cap_s;
    uint64_t seed;
} tr_hold_test;

typedef struct tr_hold_result {
    int trials, held; /* held: up to the cap */
    double mean_s, shortest_s;
} tr_hold_result;

tr_status tr_evaluate_hold(tr_ensemble *ensemble, const tr_controller *controller,
                           const tr_hold_test *test, tr_hold_result *out) TR_NODISCARD;

/* --- pushes --- */

/* 96 trials: after settling, at each of 12 phases of a cycle, the trunk is pushed horizontally in
 * each of 8 directions (0: where the root heads, then counter-clockwise by 45 degrees). */
typedef struct tr_push_test {
    double force_n;
    double push_s;   /* 0.2 */
    double settle_s; /* before the first phase: at least this, in whole cycles */
    double after_s;  /* to be survived after the push */
    uint64_t seed;   /* of the disturbed starts, one per phase, and of the offset of the phases */
} tr_push_test;

typedef struct tr_push_result {
    int trials, survived;
    int by_direction[TR_PUSH_DIRECTIONS]; /* of TR_PUSH_PHASES each */
    int by_phase[TR_PUSH_PHASES];         /* of TR_PUSH_DIRECTIONS each */
} tr_push_result;

tr_push_test tr_push_test_default(void); /* 0.2 s, 3 s to settle, 5 s after */
tr_status tr_evaluate_pushes(tr_ensemble *ensemble, const tr_controller *controller,
                             const tr_push_test *test, tr_push_result *out) TR_NODISCARD;

/* The largest force on a grid that at least `share` of the trials survive, found by going up or
 * down from `from_n`. out_n: on the grid, 0 when not even the first is survived; out_score: the
 * same, interpolated to where the share would be met. */
typedef struct tr_push_search {
    tr_push_test test; /* its force is not used */
    double from_n, grid_n, limit_n;
    double share; /* 0.95 */
} tr_push_search;
tr_status tr_evaluate_largest_push(tr_ensemble *ensemble, const tr_controller *controller,
                                   const tr_push_search *search, double *out_n,
                                   double *out_score) TR_NODISCARD;

/* Wilson score interval, 95 %, of a share of successes. trials > 0. */
void tr_evaluate_wilson(int successes, int trials, double *out_low, double *out_high);

/* --- the way it moves --- */

typedef struct tr_gait_report {
    double speed_mps; /* of the root over ground, net over the time watched */
    double turn_rate; /* of the heading beyond whole turns per cycle, rad/s */
    double root_low_m, root_high_m, root_mean_m;
    double pose_error_rad; /* mean joint angle to the reference ends of the fragments */
    bool held;
} tr_gait_report;

/* Watches `cycles` cycles after settling for `settle_s`. */
tr_status tr_evaluate_gait(tr_ensemble *ensemble, const tr_controller *controller, double settle_s,
                           int cycles, tr_gait_report *out) TR_NODISCARD;

#endif
