/* The final test of a controller, on seeds that were not used to choose it. */
#pragma once

#include "learn/measure/evaluate.h"
#include "motion/poses/motion.h"

/* Tests a controller in the worlds of an ensemble and prints the results: how many trials
 * hold for 60 s (of 100; brief: of 20), the largest push that 95 % survive, how a cycle of it moves compared with one of
 * the motion, and its largest torque against the limits of a person and of an athlete. A chain is
 * tested from its start to 5 s after its end, and pushed after its end. */
tr_status tr_verdict_print(tr_ensemble *ensemble, const tr_model *model,
                           const tr_controller *controller, const tr_motion *motion, bool brief,
                           tr_error *error) TR_NODISCARD;

/* The largest share of the limits of a body that a torque reaches, and where; for each kilogram bodies
 * are as strong. */
enum { TR_VERDICT_BODIES = 2 };
typedef struct tr_verdict_share {
    const char *whose; /* "a person", "an athlete" */
    char body[TR_NAME_MAX];
    double share;
} tr_verdict_share;
tr_status tr_verdict_strength(const tr_model *model, const tr_gait_report *report,
                              tr_verdict_share out[TR_VERDICT_BODIES],
                              tr_error *error) TR_NODISCARD;
