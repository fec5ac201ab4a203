/* Trains the runs of a catalogue again. A run that continued another begins with that run's
 * controller, or trains it again first, which is reported on stderr.
 *
 * Deterministic, whatever the number of threads. */
#ifndef TROUPE_TOOLS_RETRAINING_H
#define TROUPE_TOOLS_RETRAINING_H

#include "db/tables/controllers.h"
#include "tools/train/reproduction.h"
#include "tools/train/training.h"

typedef struct tr_retraining_def {
    const tr_reproduction *given;
    const tr_run_row *run;
    tr_row_id model_id, clip_id; /* learned on and from; controllers know them, runs do not */
} tr_retraining_def;

/* Deinitialise it whatever the status. */
typedef struct tr_retraining {
    tr_model *model;
    tr_training training; /* done: the learner has its record and the best controller */
} tr_retraining;

/* Fills a structure of zeros, and prints its progress. TR_INVALID_ARGUMENT: neither clips nor
 * motion are given; TR_NOT_FOUND, TR_FAILED_PRECONDITION, TR_DATA_LOSS: something that the run
 * learned from is missing, or not recorded. */
tr_status tr_retrain(const tr_retraining_def *def, tr_retraining *out,
                     tr_error *error) TR_NODISCARD;
void tr_retraining_deinit(tr_retraining *retraining); /* of zeros is fine */

/* Like tr_retrain; then puts the controller into the catalogue (tr_run_put_again). */
tr_status tr_retrain_and_put(const tr_retraining_def *def, tr_controller_row *out,
                             tr_error *error) TR_NODISCARD;

/* The clip that a run learned from, on that model, read from its controllers and from those of the
 * runs that continued it, which learned from the same. TR_NOT_FOUND: none of these controllers is
 * in the catalogue. */
tr_status tr_retraining_find_clip(tr_catalogue *catalogue, const tr_run_row *run, tr_row_id model,
                                  tr_row_id *out_clip, tr_error *error) TR_NODISCARD;

#endif
