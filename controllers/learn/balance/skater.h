/* A skater: a board, a stance on it with one foot, and the controller that skates
 * (control/torque/skate). Nothing is learned. */
#pragma once

#include "control/torque/torque.h"
#include "learn/balance/skateboard.h"
#include "math/parameter_table.h"

typedef struct tr_skater_settings {
    tr_skateboard board;
    tr_skating_numbers numbers;
    tr_hop_numbers hop;
} tr_skater_settings;

extern const tr_parameter_table tr_skater_settings_table;

/* The stance is found by inverse kinematics: the right foot in the middle of the board, straight
 * ahead and pinned at the middle of its sole, the left one lifted beside it, the centroid above the
 * standing sole. TR_INVALID_ARGUMENT: no such stance, or a setting is out of range;
 * TR_FAILED_PRECONDITION: the model does not stand on two legs. */
tr_status tr_skater_create(const tr_model *model, const tr_skater_settings *settings,
                           tr_controller **out, tr_error *error) TR_NODISCARD;
