/* A boarder: a board, a stance on it with both feet, and the controller that rides it
 * (control/torque/board). Nothing is learned. */
#pragma once

#include "control/torque/torque.h"
#include "learn/balance/skateboard.h"
#include "math/parameter_table.h"

typedef struct tr_boarder_settings {
    tr_skateboard board;
    tr_boarding_numbers numbers;
} tr_boarder_settings;

extern const tr_parameter_table tr_boarder_settings_table;

/* The stance is found by inverse kinematics: both feet on the board, across it, the left one in front,
 * the right one pinned at the middle of its sole, the centroid over the middle of the board's width
 * and ride_m ahead of the rear axle. TR_INVALID_ARGUMENT: no such stance, or a setting is out of
 * range; TR_FAILED_PRECONDITION: the model does not stand on two legs. */
tr_status tr_boarder_create(const tr_model *model, const tr_boarder_settings *settings,
                            tr_controller **out, tr_error *error) TR_NODISCARD;
