/* Measures how good a controller is, in ensembles of trials: time held undisturbed and under
 * growing pushes, pushes survived, and how it moves.
 *
 * All are deterministic functions of controller, test and seed, whatever the number of threads. A
 * trial counts as held or survived when the motion was not lost (trial.h) up to its end. */
#pragma once

#include "control/driver/controller.h"
#include "learn/rehearsal/trial.h"

enum {
    TR_PUSH_DIRECTIONS = 8, /* of the default test */
    TR_PUSH_PHASES = 12,
    TR_PUSH_DIRECTION_MAX = 32,
    TR_PUSH_PHASE_MAX = 64,
    TR_EVALUATE_TRIAL_MAX = 10000
};

/* Returns the steps of the cycle that an undisturbed controller repeats; of all its entries in a
 * row if it is not cyclic. */
int64_t tr_evaluate_cycle(const tr_controller *controller);

/* --- undisturbed --- */

typedef struct tr_hold_test {
    int trials; /* each from its own disturbed start (trial.h) */
    double cap_s;
    uint64_t seed;
    int first; /* number of the first trial: a test in parts draws what it draws as a whole */
    tr_starts starts; /* of a chain */
    double slope_deg; /* of a chain: so steep, in four directions in turn; 0: on the plane */
} tr_hold_test;

typedef struct tr_hold_result {
    int trials, held; /* held: up to the cap */
    double mean_s, shortest_s;
} tr_hold_result;

tr_status tr_evaluate_hold(tr_ensemble *ensemble, const tr_controller *controller,
                           const tr_hold_test *test, tr_hold_result *out) TR_NODISCARD;

/* Means over trials: the largest load of a step, body weights, and the speed at which contacts
 * slide, m/s (tread.h). Infinity if the motion was lost in one. */
typedef struct tr_tread_result {
    double peak_bw, slip_mps;
} tr_tread_result;

/* Measures treading in undisturbed trials of cap_s seconds, after 2 s to settle. `first` and
 * `starts` are not used. */
tr_status tr_evaluate_tread(tr_ensemble *ensemble, const tr_controller *controller,
                            const tr_hold_test *test, tr_tread_result *out) TR_NODISCARD;

/* --- pushes --- */

/* After settling, at each phase of a cycle, the trunk is pushed horizontally in each direction (0:
 * where the root heads, then counter-clockwise); all of it again from each disturbed start. The
 * phases divide the cycle evenly, with an offset drawn for each start, so that many starts cover
 * all of the cycle. */
typedef struct tr_push_test {
    double force_n;
    double push_s;   /* 0.2 */
    double settle_s; /* before the first phase: at least this, in whole cycles */
    double after_s;  /* to be survived after the push */
    uint64_t seed;   /* of the disturbed starts, one per phase, and of the offset of the phases */
    int directions, phases, starts;
} tr_push_test;

typedef struct tr_push_result {
    int trials, survived;
    int by_direction[TR_PUSH_DIRECTION_MAX]; /* of phases * starts each */
    int by_phase[TR_PUSH_PHASE_MAX];         /* of directions * starts each */
    int aloft[TR_PUSH_PHASE_MAX]; /* of starts: how many touch nothing when the pushes begin */
} tr_push_result;

/* 0.2 s, 3 s to settle, 5 s after; 8 directions, 12 phases, 1 start: 96 trials. */
tr_push_test tr_push_test_default(void);
tr_status tr_evaluate_pushes(tr_ensemble *ensemble, const tr_controller *controller,
                             const tr_push_test *test, tr_push_result *out) TR_NODISCARD;

/* Finds the largest force on a grid that at least `share` of the trials survive, searched upwards
 * or downwards from `from_n`. out_n: on the grid, 0 if not even the first is survived; out_score:
 * the same, interpolated to the force at which the share would be met. */
typedef struct tr_push_search {
    tr_push_test test; /* its force is not used */
    double from_n, grid_n, limit_n;
    double share; /* 0.95 */
} tr_push_search;
tr_status tr_evaluate_largest_push(tr_ensemble *ensemble, const tr_controller *controller,
                                   const tr_push_search *search, double *out_n,
                                   double *out_score) TR_NODISCARD;

/* --- pushes of growing magnitude --- */

/* The resisting time (liu2015-guided, Table II and figure 6; the paper leaves the growth open):
 * from a disturbed start, at t = every_s, 3 every_s, 5 every_s, ... the trunk is pushed for push_s
 * in a horizontal direction drawn evenly, with a force |x|, x ~ N(0, growth t). The time until the
 * motion is lost is the trial's result. */
typedef struct tr_resist_test {
    int trials;
    double growth_nps; /* of the standard deviation, N/s */
    double every_s;    /* 1: a push each 2 s */
    double push_s;     /* 0.2 */
    double cap_s;      /* longer times count as this */
    uint64_t seed;
    int first; /* number of the first trial */
} tr_resist_test;

tr_resist_test tr_resist_test_default(void); /* 100 trials, 1 N/s, 1 s, 0.2 s, at most 3600 s */

/* out_s: [trials], by number of the trial. */
tr_status tr_evaluate_resistance(tr_ensemble *ensemble, const tr_controller *controller,
                                 const tr_resist_test *test, double *out_s) TR_NODISCARD;

/* Computes the Wilson score interval, 95 %, of a share of successes. trials > 0. */
void tr_evaluate_wilson(int successes, int trials, double *out_low, double *out_high);

/* --- the way it moves --- */

typedef struct tr_gait_report {
    double speed_mps;      /* of the root over ground, net over the time watched */
    double turn_rate;      /* of the heading, without whole turns per cycle, rad/s */
    double pose_error_rad; /* mean joint angle to the reference ends of entries; 0: without any */
    double cycle_m;        /* the way of a cycle from begin to end, mean */
    double peak_nm[TR_BODY_MAX][3][2]; /* largest torque by body, axis (a hinge has one), -, + */
    bool held;
} tr_gait_report;

/* Watches `cycles` cycles after settling for `settle_s`. */
tr_status tr_evaluate_gait(tr_ensemble *ensemble, const tr_controller *controller, double settle_s,
                           int cycles, tr_gait_report *out) TR_NODISCARD;
