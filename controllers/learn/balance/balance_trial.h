/* Trials of balancing: how long a character stays on its object while its trunk is pushed.
 *
 * A trial begins at the controller's spawn state, disturbed (trial.h). Every 0.1 s of it, or every
 * `push_every_s`, the trunk gets a new horizontal push that lasts for `push_s`; its two components
 * are normal with a standard deviation of `push_n`. The trial ends when the motion is lost
 * (lost.h), or after `cap_s`.
 *
 * With `turn_rad` the steering target asks for a heading that is so far from the first one, to the
 * left in every second trial.
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "control/balance/balance.h"
#include "learn/rehearsal/trial.h"

enum { TR_BALANCE_TRIAL_MAX = 10000 };

/* first: number of the first trial; trial i draws what depends on seed and first + i alone
 * push_s, push_every_s: 0: 0.1 s
 * turn_rad: 0: no heading is asked for */
typedef struct tr_balance_test {
    int trials, first;
    double cap_s, push_n, push_s, push_every_s, turn_rad;
    uint64_t seed;
} tr_balance_test;

/* closeness: 1 where the mass stays over the base and the base at home, 0 far away; a base that
 *            rolls along when it is spawned need not stay
 * drift_m:   distance of the base from home at the end. Of a skater or a ball walker: of the root
 *            from where it was spawned
 * one_foot:  share of the time, looked at every 0.1 s, in which it steps: twice the lesser of the
 *            shares in which the left or the right foot alone touches something
 * way_m:     that a skater has gone
 * upright:   share of the time, looked at likewise, in which the trunk leans at most
 *            tr_balance_upright_rad
 * rocks_rad: root mean square of the roll of the board, if there is one */
typedef struct tr_balance_outcome {
    double held_s, closeness, drift_m, one_foot, upright, way_m, rocks_rad;
    bool held;   /* up to the cap */
    bool turned; /* and within tr_balance_near_rad of the requested heading */
} tr_balance_outcome;

extern const double tr_balance_near_rad;    /* 20 degrees */
extern const double tr_balance_upright_rad; /* 25 degrees */

/* Can its trials be measured: does it balance, by feedback or by torques? */
bool tr_balance_trial_suits(const tr_controller *controller);

/* Can a heading be asked of it? */
bool tr_balance_trial_turns(const tr_controller *controller);

void tr_balance_trial(const tr_controller *controller, const tr_balance_test *test, int item,
                      tr_rehearsal *rehearsal, tr_balance_outcome *out);

typedef struct tr_balance_count {
    int trials, held, turned;
    double mean_s, shortest_s, drift_m, one_foot, upright, way_m,
        rocks_rad; /* the last five: means of the trials */
} tr_balance_count;

/* TR_INVALID_ARGUMENT: a count or a time out of range, or a controller that does not balance. */
tr_status tr_balance_test_run(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_balance_test *test, tr_balance_count *out) TR_NODISCARD;

/* Fills the features that a driver would see now, in a trial that has begun. */
tr_status tr_balance_trial_look(const tr_trial *trial, const tr_rehearsal *rehearsal,
                                double out[TR_BALANCE_FEATURES]) TR_NODISCARD;
