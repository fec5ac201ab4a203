/* Warm starts: what one body learned is where another of other proportions begins
 * (liu2015-guided, section 6.1, retargeting).
 *
 * Both bodies have the same tree of joints and the same marks; lengths, masses and shapes may
 * differ. Targets are joint orientations and are taken over as they are. A policy looks at lengths,
 * heights and momenta, which are other ones on another body: it is turned about the references, so
 * that at its own start the new body acts as the old one did at its own,
 *
 *   pi'(s) = M s + a_hat + M (s_k - s'_k)
 *
 * with s_k, s'_k the features at the old and the new reference start of the fragment. */
#ifndef TROUPE_LEARN_WARM_START_H
#define TROUPE_LEARN_WARM_START_H

#include "control/controller.h"

/* Have the two bodies the same tree of joints and the same marks? */
bool tr_warm_start_fits(const tr_model *from, const tr_model *to);

/* Gives `bank`, made from the skill's motion on `model` (skill.h), the targets and policies of
 * `from`; its reference states and spawn stay. Both have the same fragments and action.
 * TR_INVALID_ARGUMENT: the bodies do not fit. */
tr_status tr_warm_start(const tr_model *from_model, const tr_bank *from, const tr_model *model,
                        tr_bank *bank) TR_NODISCARD;

#endif
