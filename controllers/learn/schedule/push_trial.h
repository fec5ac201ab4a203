/* Trials of a scheduled controller, or of any other with the same criterion: which characters
 * survive a push, which are back in the favoured skill afterwards, and the share of decisions out
 * of sequence. */
#pragma once

#include "learn/rehearsal/trial.h"

#include <stdint.h>

enum { TR_PUSH_TRIAL_MAX = 10000, TR_PUSH_TRIAL_DIRECTIONS = 16 };

/* Trial i begins in a disturbed spawn state; after settle_s and up to a second more it is pushed on
 * the trunk from the (i mod n)th of n directions, the first from behind, and is watched for
 * after_s.
 *   directions: n
 *   force_n:  0: no push
 *   favoured: skill; "any": every skill counts */
typedef struct tr_push_trials {
    int trials, directions;
    double force_n, push_s, settle_s, after_s;
    const char *favoured;
    uint64_t seed;
} tr_push_trials;

/* survived: the motion was not lost (lost.h) and the character is not down
 * back:     of them, in the favoured skill at the end
 * decisions, jumps: after the push: all decisions of the network, and those out of sequence
 * moved_m:  mean distance over ground from the push to the end, of the survivors
 * feet_m:   mean of the furthest that a foot was from where it stood at the push, of the survivors
 * stood:    survivors whose feet stayed within 5 cm of there, and whose root is at the end at least at 0.8 of its
 *           height at the push: they took no step, and do not sit */
typedef struct tr_push_trial_count {
    int trials, survived, back;
    int64_t decisions, jumps;
    double moved_m, feet_m;
    int stood;
} tr_push_trial_count;

/* Deterministic, whatever the number of threads. TR_INVALID_ARGUMENT: trials outside 1 to
 * TR_PUSH_TRIAL_MAX, no direction, or a time below 0; TR_RESOURCE_EXHAUSTED. */
tr_status tr_push_trials_run(tr_ensemble *ensemble, const tr_controller *controller,
                             const tr_push_trials *test, tr_push_trial_count *out) TR_NODISCARD;
