/* The samples of one stage of a random walk (samcon.h).
 *
 * A sample is a pure function of the task and its index: action and noise come from the random
 * stream (seed, stage key, first + index), the simulation starts from a state in the task, and
 * other samples have no influence. So the threads of an ensemble, and the ranks of a job, share
 * them out. Equal builds on one kind of processor give equal bits. */
#pragma once

#include "learn/rehearsal/cost.h"
#include "learn/rehearsal/ensemble.h"

/* The result of one sample. Plain data.
 *   parent  index of the elite of the stage before that it started from; -1 at the walk's start;
 *           set by the walk, not by the draw
 *   lost    the motion was lost, or the simulation broke; only `features` may hold then
 *   end     world; mirrored already when the stage ended a half cycle of a mirrored controller */
typedef struct tr_sample {
    int parent;
    bool lost;
    double cost;
    tr_features features;
    double action[TR_ACTION_MAX];
    tr_state end;
} tr_sample;

/* One stage to be sampled. Borrowed, read-only, the same for all its
 * samples.
 *   bank, fragment      what the stage performs
 *   stage_key           of the random streams: grows with every setback and every stage
 *   starts              [count]
 *   reference           what the fragment's end should look like
 *   noise_rad           standard deviation of the unrecorded noise on the actions
 *   push_n, push_direction_rad   on the trunk for the whole fragment, relative to the heading; 0 N:
 *                       none */
typedef struct tr_sampling_task {
    const tr_bank *bank;
    int fragment;
    uint64_t seed, stage_key;
    int count;
    const tr_state *starts;
    const tr_cost_view *reference;
    const tr_cost_weights *weights;
    double noise_rad;
    double push_n, push_direction_rad;
} tr_sampling_task;

/* Draws every sample of the task; the threads of the ensemble and the ranks of the job share them
 * out. Sets `lost` and `cost` of each in out: [count]; the rest, except `parent`, once
 * tr_sampling_fetch has been called. TR_RESOURCE_EXHAUSTED. */
tr_status tr_sampling_draw_all(tr_ensemble *ensemble, const tr_sampling_task *task,
                               tr_sample *out) TR_NODISCARD;

/* Fills in samples[list[i]] for each i in [0, count): the elites are few, and a sample is large. */
void tr_sampling_fetch(const int *list, int count, tr_sample *samples);
