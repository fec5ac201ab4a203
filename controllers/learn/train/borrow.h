/* Borrowed gains: feedback for an open loop from the skills of a graph, within seconds.
 *
 * Each cyclic skill lends its gains in two ways: each fragment takes those of the fragment that begins
 * most alike, or the cycles are laid over one another where they are most alike. Trials on disturbed
 * starts choose: the worse are left out round by round. Guided learning survives larger pushes, so
 * that this serves until it has a result. Deterministic. */
#pragma once

#include "learn/measure/evaluate.h"

/* skill: whose gains the controller has; hold: it in the last round of trials
 * controller: owned by the caller */
typedef struct tr_borrowed {
    char skill[TR_NAME_MAX];
    tr_hold_result hold;
    tr_controller *controller;
} tr_borrowed;

/* open_loop: cyclic, refined, of the ensemble's model. lender: a graph of a body with the same limbs.
 * TR_NOT_FOUND: it lends nothing, having no skill with the same gains and action, or no other body. */
tr_status tr_borrow_gains(tr_ensemble *ensemble, const tr_controller *open_loop,
                          const tr_controller *lender, const tr_model *lender_model, uint64_t seed,
                          tr_borrowed *out) TR_NODISCARD;
