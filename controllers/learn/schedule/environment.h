/* An environment: one character in a separate world that a scheduler is learned on. It decides,
 * explores, is pushed, and returns after a fall (Liu 2017, algorithm 1, lines 4 to 15).
 *
 * Each has a separate stream of random numbers, so that any thread may step it. */
#pragma once

#include "learn/rehearsal/trial.h"
#include "learn/schedule/replay_memory.h"
#include "learn/schedule/schedule_settings.h"

/* An episode before a decision. */
typedef struct tr_environment_moment {
    tr_trial trial;
    tr_rehearsal_moment place;
} tr_environment_moment;

/* decisions: of the episode; the last TR_ENVIRONMENT_BACK_MAX moments lie in `moment` in turn
 * push_at:   step of the trial of the next push
 * request:   index of the requested skill, or -1 (scheduler.h)
 * ask_at:    step of the trial of the next request
 * view:      of the present state
 * input:     what the network sees of it */
typedef struct tr_environment {
    const tr_controller *controller; /* with a scheduler */
    const tr_scheduler *scheduler;
    const tr_schedule_settings *settings;
    const tr_schedule_amounts *amounts;
    tr_ensemble *worlds; /* one, owned */
    tr_random random;
    tr_trial trial;
    int decisions;
    int request;
    int64_t push_at, ask_at, episodes, falls;
    tr_scheduler_view view;
    float input[TR_SCHEDULER_INPUT_MAX];
    tr_environment_moment moment[TR_ENVIRONMENT_BACK_MAX];
} tr_environment;

typedef struct tr_environment_def {
    const tr_model *model;
    const tr_controller *controller;
    const tr_schedule_settings *settings;
    const tr_schedule_amounts *amounts;
} tr_environment_def;

tr_status tr_environment_create(const tr_environment_def *def, tr_environment **out,
                                tr_error *error) TR_NODISCARD;
void tr_environment_destroy(tr_environment *environment); /* NULL is fine */

/* Begins a new episode with random numbers of this seed. TR_FAILED_PRECONDITION: the motion is lost
 * from every start that was tried. */
tr_status tr_environment_begin(tr_environment *environment, tr_random random) TR_NODISCARD;

/* Shares of the decisions that are random or in order; the network makes the rest.
 * pushes: is it pushed? */
typedef struct tr_exploration {
    double random_share, order_share;
    bool pushes;
} tr_exploration;

/* Makes one decision. If it ends the episode, the next one begins. *out_kept: the transition is to
 * be learned from, because no push acted during it. */
tr_status tr_environment_step(tr_environment *environment, const tr_exploration *exploration,
                              tr_transition *out, bool *out_kept) TR_NODISCARD;
