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

/* What was measured after a round of identification, the projection, or generations. The tests last
 * 60 s and do not share trials with the search. */
typedef struct tr_balance_row {
    char phase[12]; /* "stance", "regulator", "projection" or "search" */
    int iteration;
    double cap_s, trained_s; /* of the search's trials: cap, mean time held */
    tr_balance_count test;
    bool best;
} tr_balance_row;

typedef struct tr_balance_learning tr_balance_learning;

/* model is borrowed. */
tr_status tr_balance_learning_create(const tr_model *model, const tr_balance_settings *settings,
                                     int threads, tr_balance_learning **out,
                                     tr_error *error) TR_NODISCARD;
void tr_balance_learning_destroy(tr_balance_learning *learning); /* NULL is fine */

bool tr_balance_learning_is_done(const tr_balance_learning *learning);

/* Works until the next row. */
tr_status tr_balance_learning_advance(tr_balance_learning *learning, tr_balance_row *out,
                                      tr_error *error) TR_NODISCARD;

/* Copies the best so far, with postures as the settings say. It lives until
 * the next call. */
tr_status tr_balance_learning_finish(tr_balance_learning *learning, const tr_controller **out,
                                     tr_error *error) TR_NODISCARD;
