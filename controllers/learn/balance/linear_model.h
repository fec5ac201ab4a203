/* A linear model of motion, identified from samples, and the linear-quadratic regulator for it.
 *
 *   x' = x + A x + B u + c       x: state, x': a look later, u: action
 *
 * Pure functions of their samples. Uses LAPACK through math/linalg.h: for training only. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>

enum { TR_LINEAR_STATE_MAX = 48, TR_LINEAR_ACTION_MAX = 8 };

/* Samples in rows: x [states], u [actions], x' [states]. row: [capacity][tr_linear_row_size], of
 * which `count` are filled. */
typedef struct tr_linear_samples {
    int states, actions, count, capacity;
    double *row;
} tr_linear_samples;

static inline int tr_linear_row_size(const tr_linear_samples *samples) {
    return 2 * samples->states + samples->actions;
}

/* TR_INVALID_ARGUMENT: past the caps; TR_RESOURCE_EXHAUSTED. */
tr_status tr_linear_samples_init(tr_linear_samples *samples, int states, int actions,
                                 int capacity) TR_NODISCARD;
void tr_linear_samples_deinit(tr_linear_samples *samples); /* of zeros is fine */

/* Returns the row to fill, which then counts; NULL: full. */
double *tr_linear_samples_add(tr_linear_samples *samples);

/* a: [states][states], b: [states][actions], c: [states]; row-major, in arrays of the caps */
typedef struct tr_linear_model {
    int states, actions;
    double a[TR_LINEAR_STATE_MAX * TR_LINEAR_STATE_MAX];
    double b[TR_LINEAR_STATE_MAX * TR_LINEAR_ACTION_MAX];
    double c[TR_LINEAR_STATE_MAX];
} tr_linear_model;

/* Fits by a ridge regression of x' - x with every number scaled by its spread; `ridge` is a share
 * of the samples. constant: whether c is fitted; else it is 0. TR_INVALID_ARGUMENT: too few
 * samples; TR_FAILED_PRECONDITION: singular. */
tr_status tr_linear_model_fit(const tr_linear_samples *samples, double ridge, bool constant,
                              tr_linear_model *out) TR_NODISCARD;

/* cost = sum of state_cost[i] x_i^2 + action_cost u^2, over `looks` looks (the Riccati recursion,
 * with the constant as one more state). u = -gain x - offset. out_gain: [actions][states],
 * out_offset: [actions]. TR_FAILED_PRECONDITION: the recursion does not stay finite. */
tr_status tr_linear_regulator(const tr_linear_model *model, const double *state_cost,
                              double action_cost, int looks, double *out_gain,
                              double *out_offset) TR_NODISCARD;
