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
