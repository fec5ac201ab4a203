/* The final test of a controller, on seeds that were not used to choose it. */
#ifndef TROUPE_TOOLS_VERDICT_H
#define TROUPE_TOOLS_VERDICT_H

#include "learn/rehearsal/ensemble.h"
#include "motion/poses/motion.h"

/* Tests a controller in the worlds of an ensemble and prints the results: the trials out of 100
 * that hold for 60 s, the largest push that 95 % survive, how a cycle of it moves compared with one of
 * the motion, and its largest torque against the limits of a person and of an athlete. A chain is
 * tested from its start to 5 s after its end, and pushed after its end. */
tr_status tr_verdict_print(tr_ensemble *ensemble, const tr_model *model,
                           const tr_controller *controller, const tr_motion *motion,
                           tr_error *error) TR_NODISCARD;

#endif
