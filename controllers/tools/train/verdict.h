/* What a controller is worth when its training ends, on seeds that nothing was chosen by. */
#ifndef TROUPE_TOOLS_VERDICT_H
#define TROUPE_TOOLS_VERDICT_H

#include "learn/rehearsal/ensemble.h"
#include "motion/motion.h"

/* Tests a controller in the worlds of an ensemble and prints what came out: how many of 100 trials
 * hold for 60 s, the largest push that 95 % survive, how it moves beside the motion. starts: of a
 * chain, tested from its start to its end. */
tr_status tr_verdict_print(tr_ensemble *ensemble, const tr_controller *controller,
                           const tr_motion *motion, tr_error *error) TR_NODISCARD;

#endif
