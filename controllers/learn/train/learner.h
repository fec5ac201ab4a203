/* The learner: from a motion to a controller with feedback, round by round.
 *
 * Refinement rounds (refine.h) come first, then iterations of guided learning (guided.h) with
 * pushes that grow. After each iteration a test on fresh seeds (evaluate.h) says how long the
 * controller holds and which push it survives; the best iteration's controller is the result,
 * because robustness does not grow with every iteration. Of a chain the test counts the trials that
 * keep the motion from a start to the end, and stand; with `stop_at_n` it is pushed there. A round
 * of hardening that adapts has two candidates, the last update and the mean of the last ones; the
 * better on the same seeds is its row. The caller takes one row after the other with
 * tr_learner_advance and may save a checkpoint (learn/method) in between.
 *
 * Deterministic: a function of model, motion and parameters. The number of threads and
 * interruptions do not matter. (LAPACK's last bits may differ between kinds of processor.) One
 * thread at a time. */
#pragma once

#include "learn/method/blocks.h"
#include "learn/rehearsal/ensemble.h"
#include "learn/rehearsal/steps.h"
#include "learn/rehearsal/trial.h"
#include "learn/train/parameters.h"
#include "learn/train/record.h"
#include "motion/poses/motion.h"

typedef struct tr_learner_def {
    const tr_model *model;   /* must outlive the learner */
    const tr_motion *motion; /* needed while creating only */
    const char *name;        /* of the controller and of the run */
    tr_learn_parameters parameters;
    /* The controller whose policies are learned further, instead of the open loop; refine_rounds
     * must be 0. With `from_model` it belongs to another body: then it is a warm start
     * (warm_start.h), and refinement may come first. Needed while creating only. NULL: none; the
     * same body. */
    const tr_controller *from;
    const tr_model *from_model;
    tr_starts starts; /* of a chain; count 0: its spawn state */
    tr_steps steps;   /* of a chain: what it is learned on; count 0: the plane */
    int threads;
} tr_learner_def;

/* What a checkpoint keeps besides the two controllers. Plain data. */
typedef struct tr_learner_progress {
    double best_score;   /* of the best iteration; negative: none held undisturbed */
    double push_level_n; /* where the next push test begins */
    double push_scale;   /* shrinks when walks fail */
    int failed_walks;    /* in a row */
    tr_training_record record;
} tr_learner_progress;

/* A learner at work: what the method's row works on. */
typedef struct tr_learner {
    tr_learner_def def;
    tr_state *starts; /* those of def */
    tr_ensemble *ensemble;
    tr_controller *controller; /* being learned */
    tr_controller *best;
    bool continues;    /* from a controller with feedback */
    int lost_fragment; /* where the last walk that was given up failed */
    tr_learner_progress progress;
} tr_learner;

/* TR_INVALID_ARGUMENT, TR_NOT_FOUND: as tr_skill_create, or `from` has another shape, or
 * parameters contradict each other; all is checked before anything is learned. */
tr_status tr_learner_create(const tr_learner_def *def, tr_learner **out,
                            tr_error *error) TR_NODISCARD;
void tr_learner_destroy(void *learner); /* NULL is fine */

/* Count the rows in all and the rows done (timetable.h); fewer in all if training ends early. */
int tr_learner_rows(const tr_learner *learner);
int tr_learner_done(const tr_learner *learner);

/* Returns the share of the sampling that is done, 0 to 1, to estimate the time left. */
double tr_learner_share(const void *learner);

/* Runs the next round or iteration and adds a row to the record. A walk that cannot be finished in
 * guided learning is not an error: its row has no cost, and the training pushes shrink. TR_ABORTED:
 * refinement failed, or three walks in a row; TR_OUT_OF_RANGE: all rows are done. */
tr_status tr_learner_advance(tr_learner *learner, tr_error *error) TR_NODISCARD;

/* Returns the best controller so far (before the first iteration: the open loop), which lives until
 * the next call. */
const tr_controller *tr_learner_best(const tr_learner *learner);

/* Lists what a checkpoint holds. */
void tr_learner_list(void *learner, tr_blocks *blocks);

/* Purposes of seeds. */
enum {
    TR_LEARNER_FOR_WALK,
    TR_LEARNER_FOR_HOLD,
    TR_LEARNER_FOR_PUSH,
    TR_LEARNER_FOR_HARDENING,
    TR_LEARNER_FOR_RESISTING,
    TR_LEARNER_FOR_GROUND,
    TR_LEARNER_FOR_PREVIEW
};
uint64_t tr_learner_row_seed(const tr_learner *learner, int row, int purpose);
