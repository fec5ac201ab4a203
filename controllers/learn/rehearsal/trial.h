/* A trial: a controller at work in a rehearsal world, watched for the loss of its motion.
 *
 * At the end of each control fragment the root is compared with the reference end
 * (tr_cost_is_lost). A chain that has come to its end holds its last targets, and goes on being
 * compared with its last end. Plain data but for the world: a copy of the trial and of the
 * character's state (tr_rehearsal_place) is enough to go on from here twice. */
#ifndef TROUPE_LEARN_TRIAL_H
#define TROUPE_LEARN_TRIAL_H

#include "control/runner.h"
#include "learn/rehearsal/ensemble.h"

typedef struct tr_trial {
    const tr_controller *controller;
    tr_runner runner;
    int64_t steps;            /* since the beginning */
    int step;                 /* of the fragment in progress */
    int fragment;             /* in progress */
    bool mirrored;            /* in a mirrored half cycle */
    double heading_start_rad; /* when the fragment began */
    bool lost;                /* the motion was lost, or the simulation broke */
} tr_trial;

/* Puts the character into `start` and the controller at its first fragment. */
tr_status tr_trial_begin(tr_trial *trial, const tr_controller *controller, tr_rehearsal *rehearsal,
                         const tr_state *start) TR_NODISCARD;

/* The same at any fragment of the first half cycle. */
tr_status tr_trial_begin_at(tr_trial *trial, const tr_controller *controller, int fragment,
                            tr_rehearsal *rehearsal, const tr_state *start) TR_NODISCARD;

/* Simulates until `steps` since the beginning or until the motion is lost. */
void tr_trial_run(tr_trial *trial, tr_rehearsal *rehearsal, int64_t steps);

/* Simulates to the end of the fragment in progress; of the next when one has just ended. */
void tr_trial_finish_fragment(tr_trial *trial, tr_rehearsal *rehearsal);

/* How far the character is from the reference at the end of the fragment that was just finished
 * (planner.h); infinite where that is not known. */
double tr_trial_distance(const tr_trial *trial, const tr_rehearsal *rehearsal);

/* Simulates on to the next end of a certain fragment, at most once through all fragments, both
 * halves. Lost where it is not reached. */
void tr_trial_come_to(tr_trial *trial, tr_rehearsal *rehearsal, int fragment);

/* The same, again and again until the character is settled there (planner.h): ten times or for five
 * seconds, whichever takes longer, for standing comes round ten times a second. Lost where it is
 * not settled by then. */
void tr_trial_settle_at(tr_trial *trial, tr_rehearsal *rehearsal, int fragment);

/* `state` with the root's velocities off by normal noise of 0.05 m/s and 0.05 rad/s. */
tr_state tr_trial_disturb(const tr_state *state, uint64_t seed, int trial);

/* The controller's spawn state, disturbed. */
tr_state tr_trial_disturbed_start(const tr_controller *controller, uint64_t seed, int trial);

/* States in which a chain may have to begin; borrowed. Count 0: in its spawn state. */
typedef struct tr_starts {
    const tr_state *state; /* [count]; headings count, for friction is a pyramid; places do not */
    int count;
} tr_starts;

/* One of the starts, drawn evenly, disturbed; the spawn state where there are none. */
tr_state tr_trial_start(const tr_controller *controller, const tr_starts *starts, uint64_t seed,
                        int trial);

#endif
