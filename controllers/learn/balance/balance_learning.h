/* Learning to balance: from a stance on an object to feedback that holds it there.
 *
 *   identify   short episodes with random turns out of the stance give samples of the motion; a
 *              linear model is fitted per plane, and its regulator is tried. Later rounds excite
 *              the regulator and fit again. The round that holds longest counts.
 *   project    episodes of that regulator show how far each feature moves, which is the unit of
 *              its gains.
 *   search     a (mu, lambda)-CMA-ES moves the gains (search/cma.h). Trials grow while policies
 *              hold. The score is the time held, times 1 to 1.5 for closeness. Tests on other
 *              trials choose the best policy.
 *
 * Planes are kept apart: no gain leads from lateral features to sagittal actions or back.
 *
 * Deterministic: the same settings give the same bits for any number of threads. */
#pragma once

#include "learn/balance/apparatus.h"
#include "learn/balance/balance_trial.h"
#include "learn/balance/linear_model.h"
#include "learn/method/method.h"
#include "learn/search/cma.h"

/* What was measured after a round of identification, the projection, or generations. The tests last
 * 60 s and do not share trials with the search. */
typedef struct tr_balance_row {
    const char *phase; /* "stance", "regulator", "projection" or "search" */
    int iteration;
    double cap_s, trained_s; /* of the search's trials: cap, mean time held */
    tr_balance_count test;
    bool best;
} tr_balance_row;

enum { TR_BALANCE_PARAMETER_MAX = TR_BALANCE_ACTIONS * (TR_BALANCE_FEATURES + 1) };

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

/* A training at work: what the method's row works on. Its trials of the search begin with at.cap_s.
 * row:     the last
 * work:    what is tried and learned
 * finished: the best as it was asked for last, or NULL
 * policy:  [samples] controllers of a generation
 * plane:   samples of the sagittal and the lateral plane
 * state, action: [plane] indices of the plane's features of the state, and of its actions
 * seen:    [seen_count] features, less their rests, in episodes of the regulator */
typedef struct tr_balance_learning {
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
    tr_balance_row row;
} tr_balance_learning;
