/* Warm starts: a body begins with the controller of a body of other proportions (liu2015-guided,
 * section 6.1, retargeting).
 *
 * Both bodies have the same tree of joints and the same marks; lengths, masses and shapes may
 * differ. Targets are joint orientations and are copied. A policy reads lengths, heights and
 * momenta, which differ between bodies: it is shifted so that the new body at its reference start
 * acts as the old one did at its reference start,
 *
 *   pi'(s) = M s + a_hat + M (s_k - s'_k)
 *
 * with s_k, s'_k the features at the old and the new reference start of the fragment. */
#pragma once

#include "control/driver/controller.h"

/* Have the two bodies the same tree of joints and the same marks? */
bool tr_warm_start_fits(const tr_model *from, const tr_model *to);

/* Do they differ in name, limits of torque and softness at most? Then a controller of one fits the
 * other unchanged. */
bool tr_warm_start_same_limbs(const tr_model *a, const tr_model *b);

/* Gives `bank`, made from the skill's motion on `model` (skill.h), the targets and policies of
 * `from`; its reference states and spawn stay. Both have the same fragments and action.
 * TR_INVALID_ARGUMENT: the bodies do not fit. */
tr_status tr_warm_start(const tr_model *from_model, const tr_bank *from, const tr_model *model,
                        tr_bank *bank) TR_NODISCARD;
