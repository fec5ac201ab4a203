/* Guided learning of feedback (liu2015-guided, section 5, algorithm 2).
 *
 * An iteration walks by guided SAMCON with the policies of now and replaces each by the ridge
 * regression of the actions on the states along the best path. For one fragment, with the rows of
 * S and A the states s at its starts and the actions a, their means s_bar, a_bar taken off (eq.
 * 17, 18):
 *
 *   M          = [(S^T S + lambda I)^-1 S^T A]^T              (eq. 19; eq. 14 has no lambda)
 *   a_hat      = a_bar - M s_bar                              (eq. 15)
 *   diag Sigma = diag (A - S M^T)^T (A - S M^T) / rows        (eq. 16)
 *
 * In tr_policy they are m, offset, and sigma: the square roots of diag Sigma, rad. Beyond the
 * paper: sigma has a floor, the new policy may be blended with the old one, and fragments that were
 * pushed are left out, because their outcome does not follow from the state at their start. */
#pragma once

#include "learn/samcon/samcon.h"

typedef struct tr_guided_def {
    tr_samcon_def walk;
    double lambda;          /* 1e-6 */
    double sigma_floor_rad; /* least exploration that a policy keeps */
    /* Share of the regression in M and a_hat, the rest stays; 1: the paper's. A walk of 200 visits
     * says where to go only roughly; less than 1 averages over several. */
    double blend;
} tr_guided_def;

typedef struct tr_guided_result {
    double cost;
    int rollbacks;
    double r2;        /* explained share of the actions' variance, mean over the fragments */
    double sigma_rad; /* mean exploration of the new policies */
} tr_guided_result;

/* Runs one iteration; on failure the controller is unchanged. */
tr_status tr_guided_iterate(tr_ensemble *ensemble, const tr_guided_def *def,
                            tr_controller *controller, tr_guided_result *out) TR_NODISCARD;

/* Regresses alone: from a walk to new policies. TR_FAILED_PRECONDITION: a fragment without two
 * visits. */
tr_status tr_guided_regress(const tr_walk *walk, const tr_guided_def *def, tr_bank *bank,
                            tr_guided_result *out) TR_NODISCARD;
