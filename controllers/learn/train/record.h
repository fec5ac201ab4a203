/* The rows of a training so far. Plain data, filled by the learner (learner.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { TR_TRAINING_ROW_MAX = 256 };

typedef enum tr_training_phase {
    TR_TRAINING_REFINE, /* open loop: a round of forward SAMCON (liu2015-samcon, section 3) */
    TR_TRAINING_GUIDE, /* feedback: an iteration of guided learning (liu2015-guided, algorithm 2) */
    TR_TRAINING_HARDEN /* search on the policies under pushes (harden.h) */
} tr_training_phase;

/* One round or iteration. A figure that was not measured is NAN. */
typedef struct tr_training_row {
    tr_training_phase phase;
    int iteration;    /* of its phase, from 1 */
    int rollbacks;    /* times that the random walk failed and returned */
    double cost;      /* mean cost of eq. 20 along the best path */
    double r2;        /* share of the actions' variance that the regression explains; guided rows */
    double sigma_deg; /* mean exploration of the policies after the row */
    double push_train_n;  /* standard deviation of the pushes during the random walk */
    double undisturbed_s; /* mean time held without pushes, capped */
    double push95_n;      /* largest push that at least 95 % of the trials survived */
    double resist_s;      /* mean time resisted under growing pushes (evaluate.h), 1 N/s */
    /* The best so far: its policies are those of the result unless a later row is kept. */
    bool kept;
} tr_training_row;

typedef struct tr_training_record {
    int row_count;
    tr_training_row row[TR_TRAINING_ROW_MAX];
} tr_training_record;
