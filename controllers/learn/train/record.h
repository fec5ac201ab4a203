/* A training record: all that must be known of one training to judge it and to run it again.
 *
 * Plain data, filled by the learner (learner.h) and its caller, stored by the catalogue. The caller
 * passes times and host as arguments: this library never samples a clock. */
#ifndef TROUPE_LEARN_RECORD_H
#define TROUPE_LEARN_RECORD_H

#include "model/model.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TR_TRAINING_ROW_MAX = 256,
    TR_TRAINING_COMMAND_MAX = 2048,
    TR_TRAINING_PARAMETERS_MAX = 4096,
    TR_TRAINING_HOST_MAX = 256,
    TR_TRAINING_VERSION_MAX = 64
};

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
    char name[TR_NAME_MAX];                /* unique in a catalogue */
    char parent[TR_NAME_MAX];              /* the run it continues from; empty: none */
    char clip[TR_NAME_MAX];                /* name of the motion learned */
    char command[TR_TRAINING_COMMAND_MAX]; /* the command line that repeats it */
    /* Every parameter, lines "name = value" (parameters.h). */
    char parameters[TR_TRAINING_PARAMETERS_MAX];
    char code_version[TR_TRAINING_VERSION_MAX];
    char host[TR_TRAINING_HOST_MAX]; /* processor and system, for judging the times */
    uint64_t seed;
    int threads;                  /* does not change the result */
    int64_t started_ns, ended_ns; /* Unix time; 0: unknown */
    double core_seconds;          /* in all */
    int row_count;
    tr_training_row row[TR_TRAINING_ROW_MAX];
} tr_training_record;

#endif
