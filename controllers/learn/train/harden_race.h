/* The race of an update's pairs: which shifts, forth and back, meet the trials, and what they
 * return.
 *
 * All pairs start. After a heat, a first part of the trials, those whose differences between forth
 * and back are among the `best` largest stay in the race. At the end each runner has two returns,
 * minus the mean of its costs over all trials; the parameters follow the `best` pairs by
 * difference, in units of the standard deviation of the runners' returns (Mania et al. 2018).
 *
 * Pure functions of their arguments. Internal to hardening (harden.h). */
#ifndef TROUPE_LEARN_HARDEN_RACE_H
#define TROUPE_LEARN_HARDEN_RACE_H

#include "proto/status.h"

typedef struct tr_harden_race {
    int pairs, best;
    int *runner;      /* [runner_count]: the pairs in the race, rising */
    int runner_count; /* after the last heat: those that met all trials */
    double *sum;      /* [pairs][2]: forth, back: of the costs so far; at the end returns */
    double *gain;     /* [pairs], scratch: |difference| of the pair */
} tr_harden_race;

/* TR_RESOURCE_EXHAUSTED. Close it whatever the status. */
tr_status tr_harden_race_open(int pairs, int best, tr_harden_race *out) TR_NODISCARD;
void tr_harden_race_close(tr_harden_race *race);

/* Makes all pairs runners without any cost. */
void tr_harden_race_start(tr_harden_race *race);

/* After a heat of `trials`: adds its costs. cost: [runner_count][2][trials]. */
void tr_harden_race_add(tr_harden_race *race, const double *cost, int trials);

/* Drops the pairs whose differences so far are not among the `best` largest. */
void tr_harden_race_drop(tr_harden_race *race);

/* Turns the costs into returns. trials: all that a runner met. */
void tr_harden_race_finish(tr_harden_race *race, int trials);

/* Returns the mean of the runners' returns. */
double tr_harden_race_mean(const tr_harden_race *race);

/* How far the parameters follow a pair, in shifts. */
typedef struct tr_harden_step {
    int pair;
    double amount;
} tr_harden_step;

/* Writes the steps along the `best` pairs, or more where differences are equal; out: [pairs].
 * Returns how many; 0 where all returns are equal. */
int tr_harden_race_follow(const tr_harden_race *race, double rate, tr_harden_step *out);

#endif
