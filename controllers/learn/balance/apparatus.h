/* The apparatus: what a character balances on, and its stance there.
 *
 * The board lies on a cylinder whose axle points forwards, so that it rocks from side to side, and
 * both feet are pinned to it (Liu 2017, section 5.1.1). On a ball the feet stand freely (5.1.2). */
#pragma once

#include "control/balance/balance.h"
#include "learn/balance/balance_settings.h"

/* Gain set of the servos, of toes, and of the stance after a fall. */
#define TR_APPARATUS_GAINS "b"

/* Bend of the knees of a learned balance. */
#define TR_APPARATUS_KNEE_RAD 0.5

/* The stance is found by inverse kinematics: soles flat on the board or tangent to the ball,
 * `feet_m` from the middle, knees bent by knee_rad, the centre of mass above the base. The controller has no
 * feedback yet. TR_INVALID_ARGUMENT: no such object, or no such stance; TR_FAILED_PRECONDITION: the
 * model does not stand on two legs. */
tr_status tr_apparatus_create(const tr_model *model, const tr_balance_settings *settings,
                              double knee_rad, tr_controller **out, tr_error *error) TR_NODISCARD;
