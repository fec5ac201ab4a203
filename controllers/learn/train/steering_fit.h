/* Learning to be steered: the constant actions that make a cyclic controller turn, go faster or go
 * slower (control/driver/steering.h; liu2015-guided, section 6.1).
 *
 * The paper records the actions under gentle pushes and adds them. Here that fails: the recorded
 * actions answer a pushed state; added in an undisturbed state they make the walk fall within two
 * seconds. So the actions are searched for: a candidate is steered to and fro along a course of the
 * input (full to one side, full to the other, half, none) and judged by how the heading rate
 * follows the input, by its speed, and by whether the motion is lost. CMA (cma.h) improves the
 * candidates, generation by generation.
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "control/chain/chain.h"
#include "learn/rehearsal/ensemble.h"

typedef enum tr_steering_part {
    TR_STEERING_TURN,
    TR_STEERING_FASTER,
    TR_STEERING_SLOWER
} tr_steering_part;

typedef struct tr_steering_fit_def {
    tr_steering_part part;
    double rate;     /* to be reached at full turn or pace: rad/s or m/s, > 0 */
    int generations; /* of CMA */
    int samples;     /* a generation, 8 to 200 */
    uint64_t seed;
} tr_steering_fit_def;

/* The score of what was found, measured on separate trials. */
typedef struct tr_steering_score {
    double rate;      /* reached at full turn or pace, rad/s or m/s; mean over both sides */
    double cost;      /* of the course: mean relative error of the rate; + 1 a lost trial */
    int trials, held; /* courses begun, and done without losing the motion */
} tr_steering_score;

/* Called after each generation with the score of the best so far; for progress only. */
typedef void (*tr_steering_report)(void *context, int generation, const tr_steering_score *best);

/* Finds the actions of one part and puts them, with the rate they reach, into `out`, whose
 * speed_mps is measured too; its other parts stay. TR_INVALID_ARGUMENT: a count or the rate is out
 * of range; TR_FAILED_PRECONDITION: the controller is not cyclic, or loses its motion unsteered. */
tr_status tr_steering_fit(tr_ensemble *ensemble, const tr_controller *controller,
                          const tr_steering_fit_def *def, tr_steering_report report, void *context,
                          tr_steering *out, tr_steering_score *out_score) TR_NODISCARD;
