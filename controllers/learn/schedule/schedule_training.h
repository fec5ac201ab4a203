/* Learning a scheduler: deep Q-learning over control fragments (Liu and Hodgins 2017, algorithm 1).
 *
 *   for each decision: act in sequence, at random or greedily; keep (x, a, r, x') in the replay
 *   for each decision: draw a batch; y = r + gamma Q^(x', argmax Q), or 0 after a failure;
 *                      follow the gradient of (Q(x, a) - y)^2
 *   now and then:      copy the network to Q^; test, and keep the best network
 *
 * Environments decide in lockstep: each makes one decision with the same network, on any thread,
 * and then as many updates follow in a fixed order. So the result is the same to the bit for any
 * number of threads. At a test all environments are reset; a checkpoint taken there is complete
 * without them.
 *
 * The trained network picks the action of x' and its copy values it (van Hasselt et al. 2016). As
 * published the copy does both, and RMSprop follows the gradient, which learned less here
 * (controllers/log/2026-11-28-scheduling.md). */
#pragma once

#include "learn/schedule/environment.h"
#include "learn/schedule/network_fit.h"
#include "learn/schedule/push_trial.h"
#include "learn/schedule/replay_memory.h"
#include "learn/schedule/request_trial.h"
#include "learn/schedule/schedule_settings.h"

enum { TR_SCHEDULE_ROW_MAX = 1024 };

/* What a test found. undisturbed: without pushes; low, high: at test_low_n and test_high_n
 * average_q: moving average of the value of the actions in batches (MA[V])
 * score:     mean of four shares: held undisturbed, survived low and high, back after low
 * requests:  in place of pushes, and the score is the share performed: with `asks` of requests for
 *            skills; with `turns` of headings a quarter turn off that are reached to 15 degrees in
 *            3 s; with `jostle_n` of trials that hold for 60 s, and mean_s is how long they hold */
typedef struct tr_schedule_row {
    int64_t transitions, episodes, falls;
    double average_q, score;
    bool best;
    tr_push_trial_count undisturbed, low, high;
    tr_request_tally requests;
    double mean_s;
} tr_schedule_row;

/* episodes, falls: of environments up to the last test */
typedef struct tr_schedule_progress {
    int64_t transitions, updates, episodes, falls;
    double average_q;
    tr_random random; /* of batches */
    int row_count;
    tr_schedule_row row[TR_SCHEDULE_ROW_MAX];
} tr_schedule_progress;

/* Counts of one environment since the last test. */
typedef struct tr_schedule_tally {
    int64_t episodes, falls;
} tr_schedule_tally;

/* A training at work: what the method's row works on. An environment belongs to one rank of the job, which makes all its decisions; the others hold an
 * unused one.
 * latest: weights in training while the controller has the best ones, where shows_best
 * transition, kept, outcome, tally: of one decision of each environment, [environments] */
typedef struct tr_schedule_training {
    const tr_model *model;
    tr_schedule_settings settings;
    tr_schedule_amounts amounts;
    tr_controller *controller; /* owned; its scheduler's network is trained in place */
    tr_scheduler *scheduler;
    tr_pool *pool;
    tr_ensemble *tests;
    tr_environment **environment; /* [amounts.environments] */
    tr_transition *transition;
    bool *kept;
    tr_status *outcome;
    tr_schedule_tally *tally;
    tr_exploration exploration;
    tr_network_fit fit;
    tr_network copy, best, latest;
    bool shows_best;
    tr_replay_memory replay;
    const tr_transition *drawn[TR_SCHEDULE_BATCH_MAX];
    float *before, *after, *error, *picked, *valued; /* of that batch */
    tr_schedule_progress progress;
} tr_schedule_training;

/* controller: to be scheduled; a chain, a graph or a balance with postures, or one of them with a
 *             scheduler, from whose network training continues; copied
 * amounts:    NULL: the usual ones */
typedef struct tr_schedule_training_def {
    const tr_model *model;
    const tr_controller *controller;
    tr_schedule_settings settings;
    int threads;
    const tr_schedule_amounts *amounts;
} tr_schedule_training_def;

/* Lists the entries of all skills that the settings name and that do not rise. TR_INVALID_ARGUMENT: a setting or the controller does
 * not fit; the message names it. */
tr_status tr_schedule_training_create(const tr_schedule_training_def *def,
                                      tr_schedule_training **out, tr_error *error) TR_NODISCARD;
void tr_schedule_training_destroy(void *training); /* NULL is fine */

/* Trains up to the next test, and makes it. TR_DATA_LOSS: the network is not finite any more. */
tr_status tr_schedule_training_advance(tr_schedule_training *training,
                                       tr_error *error) TR_NODISCARD;
bool tr_schedule_training_is_done(const void *training);

/* Returns the controller with the best network so far; the training's. Only between calls of
 * advance. */
const tr_controller *tr_schedule_training_best(tr_schedule_training *training);
