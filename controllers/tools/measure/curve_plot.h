/* Learning curves as a picture: a measure of several trainings, iteration by iteration. The same
 * curves give the same bytes. */
#ifndef TROUPE_TOOLS_CURVE_PLOT_H
#define TROUPE_TOOLS_CURVE_PLOT_H

#include "learn/train/record.h"
#include "model/model.h"
#include "proto/status.h"

enum { TR_CURVE_MAX = 6 };

/* The curve of one training.
 *   at:     [count] iteration of each value, ascending
 *   value:  [count]
 *   timed:  core_s is known: [count] processor time from the beginning up to each value */
typedef struct tr_curve {
    char name[TR_NAME_MAX];
    int count;
    double at[TR_TRAINING_ROW_MAX], value[TR_TRAINING_ROW_MAX], core_s[TR_TRAINING_ROW_MAX];
    bool timed;
} tr_curve;

/* Writes an SVG to `path`, whole or not at all; curve: [count], 1 to TR_CURVE_MAX of them. */
tr_status tr_curve_plot(const char *path, const char *metric, const tr_curve *curve, int count,
                        tr_error *error) TR_NODISCARD;

#endif
