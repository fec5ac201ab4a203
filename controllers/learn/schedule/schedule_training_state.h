/* A training's parts, for the files that implement it. Internal to learn/schedule. */
#pragma once

#include "learn/schedule/environment.h"
#include "learn/schedule/network_fit.h"
#include "learn/schedule/schedule_training.h"

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

/* An environment belongs to one rank of the job, which makes all its decisions; the others hold an
 * unused one.
 * latest: weights in training while the controller has the best ones, where shows_best
 * transition, kept, outcome, tally: of one decision of each environment, [environments] */
struct tr_schedule_training {
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
};
