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
