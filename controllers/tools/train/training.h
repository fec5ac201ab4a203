/* A training with its input files: 'learn' begins one, and 'reproduce' begins it again from the
 * catalogue. */
#ifndef TROUPE_TOOLS_TRAINING_H
#define TROUPE_TOOLS_TRAINING_H

#include "db/tables/runs.h"
#include "learn/train/learner.h"

/* Roles of the files in the catalogue (tr_run_input): a motion, each frame of which is a state in
 * which a chain may begin; and the control that 'reconstruct' found for the motion, from which
 * learning continues. Of a training that continues a controller, only the control's steps count. */
#define TR_TRAINING_STARTS "starts"
#define TR_TRAINING_CONTROL "control"

/* Deinitialise it whatever the status. */
typedef struct tr_training {
    tr_learner *learner;
    tr_state *starts; /* borrowed by the learner */
} tr_training;

/* Fills a training of zeros from `def`; files among the inputs give its `from` and `starts`.
 * TR_INVALID_ARGUMENT, TR_FAILED_PRECONDITION: a file has the wrong content for its role, or
 * belongs to another model or motion; TR_ABORTED: a control that is played blindly loses the
 * motion. */
tr_status tr_training_begin(const tr_learner_def *def, const tr_run_inputs *inputs,
                            tr_training *out, tr_error *error) TR_NODISCARD;

void tr_training_deinit(tr_training *training); /* of zeros is fine */

#endif
