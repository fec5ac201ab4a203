/* From a motion to the controller that is to be learned: control fragments without feedback.
 *
 * The motion is cut into fragments of equal duration, a whole number of steps each; its period is
 * stretched by a few per cent to fit. Of a symmetric motion only the first half cycle is kept: the
 * controller is mirrored. A motion that is not cyclic becomes a chain, which ends.
 *
 * A PD servo with gains kp, kd that holds a target still lags behind a moving one by kd/kp
 * seconds. The targets therefore look ahead: q_hat(t) = exp((kd/kp) dq/dt) q(t), with the rate
 * dq/dt in the joint frame. */
#pragma once

#include "control/chain/chain.h"
#include "motion/poses/motion.h"

/* The intended duration of a fragment, s (liu2015-guided, section 4). */
static const double TR_SKILL_FRAGMENT_S = 0.1;

typedef struct tr_skill_def {
    const char *name;     /* of the controller */
    const char *gain_set; /* of the model */
    double step_s;
    bool ankles; /* 17-D action with the ankles instead of 11-D */
} tr_skill_def;

/* Makes the controller with targets, reference states, zero policies and the motion's first state
 * as spawn. TR_INVALID_ARGUMENT: the motion is too short, or for another model; TR_NOT_FOUND: gains
 * or joints that the model lacks. */
tr_status tr_skill_create(const tr_model *model, const tr_motion *motion, const tr_skill_def *def,
                          tr_controller **out, tr_error *error) TR_NODISCARD;

/* Is the motion one of this model, which has those gains? Statuses as above. */
tr_status tr_skill_check(const tr_model *model, const tr_motion *motion, const char *gain_set,
                         tr_error *error) TR_NODISCARD;

/* Fills the targets for the end of the step at which the state is: they look ahead. out: [body_count] */
void tr_skill_look_ahead(const tr_model *model, const tr_gain_set *gains, const tr_state *state,
                         tr_quat *out);

/* Returns `state` turned and shifted so that the root of `origin` has heading 0 and x = y = 0. */
tr_state tr_skill_relative(const tr_state *state, const tr_state *origin);

/* Returns the middle of several states, component by component; rotations by their normalised
 * sum. */
tr_state tr_skill_average(const tr_model *model, const tr_state *states, int count);
