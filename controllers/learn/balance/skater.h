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
