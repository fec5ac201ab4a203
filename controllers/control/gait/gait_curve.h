/* A curve from a task value (a force, a speed) to the parameters of a gait: the whole of what a
 * continuation learned, whichever way the gaits between its anchors were found (Shum et al., section
 * 3.5). Rows are evenly spaced from low to high and interpolated linearly; beyond its ends the curve
 * stays at them. */
#pragma once

#include "control/gait/gait_parameters.h"
#include "proto/status.h"

enum { TR_GAIT_ROW_MAX = 1024 };

typedef struct tr_gait_curve {
    double low, high;            /* task values of the first and the last row; equal for one row */
    int count;                   /* 1 to TR_GAIT_ROW_MAX */
    double (*row)[TR_GAIT_SIZE]; /* [count], owned */
} tr_gait_curve;

/* Rows of zeros. TR_INVALID_ARGUMENT: too many rows, or low and high are no interval. */
tr_status tr_gait_curve_init(tr_gait_curve *curve, double low, double high, int count) TR_NODISCARD;
tr_status tr_gait_curve_copy(const tr_gait_curve *from, tr_gait_curve *out) TR_NODISCARD;
void tr_gait_curve_deinit(tr_gait_curve *curve); /* of zeros is fine */

/* The task value of a row. */
double tr_gait_curve_task(const tr_gait_curve *curve, int row);

/* out: [TR_GAIT_SIZE]. */
void tr_gait_curve_at(const tr_gait_curve *curve, double task, double *out);
