/* A training's parts, for the files that implement it. Internal to learn/balance. */
#pragma once

#include "learn/balance/balance_learning.h"
#include "learn/balance/linear_model.h"
#include "learn/search/cma.h"

enum { TR_BALANCE_PARAMETER_MAX = TR_BALANCE_ACTIONS * (TR_BALANCE_FEATURES + 1) };

/* The first step size of the search, in units of a gain. */
static const double TR_BALANCE_SIGMA = 0.15;

/* A gain, or an offset where feature is -1, that the search moves. */
typedef struct tr_balance_parameter {
    int action, feature;
    double unit;
} tr_balance_parameter;

typedef enum tr_balance_phase {
    TR_BALANCE_STANCE,
    TR_BALANCE_REGULATOR,
    TR_BALANCE_PROJECTION,
    TR_BALANCE_SEARCH,
    TR_BALANCE_DONE
} tr_balance_phase;

/* Where a training is. Plain data, which a checkpoint copies.
 * cap_s:  length of the trials of the search, which grows
 * spread: root mean squares of the features in episodes of the regulator */
typedef struct tr_balance_progress {
    tr_balance_phase phase;
    int round, generation;
    double best_score, regulator_score, cap_s;
    double spread[TR_BALANCE_FEATURES];
    tr_balance_parameter parameter[TR_BALANCE_PARAMETER_MAX];
    int parameters;
    tr_random random;
    int rows; /* so far */
} tr_balance_progress;

/* work:    what is tried and learned
 * finished: the best as it was asked for last, or NULL
 * policy:  [samples] controllers of a generation
 * plane:   samples of the sagittal and the lateral plane
 * state, action: [plane] indices of the plane's features of the state, and of its actions
 * seen:    [seen_count] features, less their rests, in episodes of the regulator */
struct tr_balance_learning {
    const tr_model *model;
    tr_balance_settings settings;
    tr_ensemble *ensemble;
    tr_controller *work, *best, *finished, **policy;
    tr_linear_samples plane[2];
    int state[2][TR_BALANCE_FEATURES], states[2], action[2][TR_BALANCE_ACTIONS], actions[2];
    double *seen;
    int seen_count;
    tr_cma cma;
    tr_balance_progress at;
};
