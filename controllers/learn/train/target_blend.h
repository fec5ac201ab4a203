/* Blended targets: refinement finds targets that end one fragment elsewhere than the next one
 * begins, so that the servos' torques jump at a fragment's first step (the log of physics). Here
 * the targets of a bank are changed so that each fragment begins where the one before it ends, and
 * returns to its own targets over a few steps.
 *
 * With o the turn from the first target of a fragment to the last of the one before, both with
 * their actions at the reference starts, step j of `steps` is turned by o^w,
 *
 *   w = 1 - (j + 1) / (steps + 1) */
#pragma once

#include "control/driver/bank.h"

/* Blends the targets. Fragments of at most `steps` steps and the first of a chain are not
 * changed. */
void tr_target_blend(const tr_model *model, tr_bank *bank, int steps);
