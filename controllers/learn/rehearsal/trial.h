/* A trial: a controller at work in a rehearsal world, watched for the loss of its motion (lost.h).
 *
 * The controller runs as in a served world (control/driver/runner.h). After the end of a chain it holds
 * the last targets, and each later entry is compared with the last reference. Plain data except the
 * world: from a copy of the trial and a moment of the rehearsal (tr_rehearsal_look,
 * tr_rehearsal_return) it can continue twice. */
#pragma once

#include "learn/rehearsal/ensemble.h"
#include "learn/rehearsal/lost.h"

typedef struct tr_trial {
    tr_runner runner;
    int64_t steps;       /* since the beginning */
    int step;            /* of the entry in progress; 0: it has just been completed */
    tr_lost_watch watch; /* the entry in progress */
    bool lost;           /* the motion was lost, or the simulation broke */
} tr_trial;

/* Puts the character into `start` and the controller at the entry that it begins with. */
tr_status tr_trial_begin(tr_trial *trial, const tr_controller *controller, tr_rehearsal *rehearsal,
                         const tr_state *start) TR_NODISCARD;

/* Begins at any entry, unmirrored. */
tr_status tr_trial_begin_at(tr_trial *trial, const tr_controller *controller, int entry,
                            tr_rehearsal *rehearsal, const tr_state *start) TR_NODISCARD;

/* Another controller takes over at an entry, from the character's present state. */
void tr_trial_hand_over(tr_trial *trial, const tr_controller *controller, int entry, bool mirrored);

/* Simulates until `steps` since the beginning or until the motion is lost. */
void tr_trial_run(tr_trial *trial, tr_rehearsal *rehearsal, int64_t steps);

/* Does the same for trial[k] in world k of the group until steps[k], k < count, side by side, to
 * the bit. */
void tr_trial_run_together(tr_trial *trial, const tr_rehearsal_group *group, const int64_t *steps,
                           int count);

/* Simulates to the end of the entry in progress; of the next when one has just been completed. */
void tr_trial_finish_entry(tr_trial *trial, tr_rehearsal *rehearsal);

/* Returns how far the character is from the reference at the end of the fragment that was just
 * completed (planner.h); infinite where that is not known. For controllers with a bank. */
double tr_trial_distance(const tr_trial *trial, const tr_rehearsal *rehearsal);

/* Simulates to the next end of a certain fragment, at most once through all fragments, both halves.
 * Lost where it is not reached. */
void tr_trial_run_to(tr_trial *trial, tr_rehearsal *rehearsal, int fragment);

/* Does the same again and again until the character is settled there (planner.h): ten times or for
 * five seconds, whichever takes longer, because standing completes ten cycles a second. Lost where
 * it is not settled by then. For controllers with a bank. */
void tr_trial_settle_at(tr_trial *trial, tr_rehearsal *rehearsal, int fragment);

/* Returns `state` with the root's velocities off by normal noise of 0.05 m/s and 0.05 rad/s. */
tr_state tr_trial_disturb(const tr_state *state, uint64_t seed, int trial);

/* Returns the controller's spawn state, disturbed. */
tr_state tr_trial_disturbed_start(const tr_controller *controller, uint64_t seed, int trial);

/* States in which a chain may have to begin; borrowed. Count 0: in its spawn state. */
typedef struct tr_starts {
    const tr_state
        *state; /* [count]; headings count, because friction is a pyramid; places do not */
    int count;
} tr_starts;

/* Returns one of the starts, drawn evenly and disturbed; the spawn state if `starts` is empty. */
tr_state tr_trial_start(const tr_controller *controller, const tr_starts *starts, uint64_t seed,
                        int trial);
