/* The inside of a learner, shared with checkpoint.c and verdict.c only. */
#pragma once

#include "learn/train/learner.h"

/* What a checkpoint keeps besides the two controllers. Plain data. */
typedef struct tr_learner_progress {
    double best_score;   /* of the best iteration; negative: none held undisturbed */
    double push_level_n; /* where the next push test begins */
    double push_scale;   /* shrinks when walks fail */
    int failed_walks;    /* in a row */
    tr_training_record record;
} tr_learner_progress;

struct tr_learner {
    tr_learner_def def;
    tr_state *starts; /* those of def */
    tr_ensemble *ensemble;
    tr_controller *controller; /* being learned */
    tr_controller *best;
    bool continues;    /* from a controller with feedback */
    int lost_fragment; /* where the last walk that was given up failed */
    tr_learner_progress progress;
};

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
