/* Refinement of the open loop: the targets that, played blindly, come closest to the motion.
 *
 * A round walks by SAMCON without feedback, averages the actions of each fragment over all its
 * visits (the averaging that lowers the noise in liu2015-samcon, section 5, over a random walk)
 * and composes them into the targets. After the last round the reference states become the
 * averages of the simulated states, so that feedback is never asked for something that physics does
 * not allow. */
#pragma once

#include "learn/samcon/samcon.h"

typedef struct tr_refine_def {
    tr_samcon_def walk;
    double sigma_rad;       /* exploration, each action dimension */
    int skipped_visits;     /* of each fragment, at the beginning of the walk: not averaged */
    bool replace_reference; /* the last round */
} tr_refine_def;

/* Runs one round: changes targets, spawn and, when asked, the reference states of `controller`. On
 * failure only its exploration has changed. *out_cost, *out_rollbacks: of the walk. */
tr_status tr_refine_round(tr_ensemble *ensemble, const tr_refine_def *def,
                          tr_controller *controller, double *out_cost,
                          int *out_rollbacks) TR_NODISCARD;

/* Resets every fragment to zero feedback with exploration sigma. */
void tr_refine_reset_policies(tr_bank *bank, double sigma_rad);
