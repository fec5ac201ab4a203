/* A ball walker: a ball, a stance on it, and the controller that steps there (control/torque/ball).
 * Nothing is learned. */
#pragma once

#include "control/torque/torque.h"
#include "math/parameter_table.h"

typedef struct tr_ball_walker_settings {
    tr_rolling_numbers numbers;
    double radius_m;
} tr_ball_walker_settings;

extern const tr_parameter_table tr_ball_walker_settings_table;

/* The stance is that of a balance on a ball (apparatus.h), with the feet `width_m` from each other.
 * TR_INVALID_ARGUMENT: no such stance, or a setting is out of range; TR_FAILED_PRECONDITION: the
 * model does not stand on two legs. */
tr_status tr_ball_walker_create(const tr_model *model, const tr_ball_walker_settings *settings,
                                tr_controller **out, tr_error *error) TR_NODISCARD;
