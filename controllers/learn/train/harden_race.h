/* The race of an update's pairs: which shifts, forth and back, return most.
 *
 * Each side of a pair returns minus the mean of its costs over all trials; the parameters follow the
 * `best` pairs by difference, in units of the standard deviation of the returns (Mania et al. 2018).
 *
 * Pure functions of their arguments. Internal to hardening (harden.h). */
#ifndef TROUPE_LEARN_HARDEN_RACE_H
#define TROUPE_LEARN_HARDEN_RACE_H

#include "proto/status.h"

typedef struct tr_harden_race {
    int pairs, best;
    double *returns; /* [pairs][2]: forth, back */
    double *gain;    /* [pairs], scratch: |difference| of the pair */
} tr_harden_race;

/* TR_RESOURCE_EXHAUSTED. Close it whatever the status. */
tr_status tr_harden_race_open(int pairs, int best, tr_harden_race *out) TR_NODISCARD;
void tr_harden_race_close(tr_harden_race *race);

/* Sets the returns. cost: [pairs][2][trials]. */
void tr_harden_race_finish(tr_harden_race *race, const double *cost, int trials);

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
