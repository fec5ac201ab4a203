/* The progress of a training, by the rows that `troupe-train learn` prints, one for each round
 * (proto/progress.h). The metrics have the names that the stored run will have. Plain data; zeroed at first. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    TR_TRAINING_METRIC_COUNT = 9,
    TR_TRAINING_ROW_MAX = 256 /* later rounds are left out */
};

typedef struct tr_training_curve {
    int count;
    int64_t iteration[TR_TRAINING_ROW_MAX]; /* [count], from 1, rising */
    double value[TR_TRAINING_ROW_MAX];      /* [count] */
} tr_training_curve;

typedef struct tr_training_curves {
    int rows;
    double share; /* done, of the plan, 0 to 1 */
    tr_training_curve metric[TR_TRAINING_METRIC_COUNT];
} tr_training_curves;

/* The name of a metric, with its unit last. */
const char *tr_training_metric_name(int metric);

/* Adds a printed line; false, without an effect, if it is not the row of a round. */
bool tr_training_curves_add(tr_training_curves *curves, const char *line);
