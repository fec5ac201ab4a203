/* Checks what a rig must be for controllers that ride a board and compute with its masses and
 * wheels. */
#pragma once

#include "control/driver/rig.h"

/* Is the first object a board: one box around its own origin, with all masses given, and wheels on
 * hinges within reach of it? kind: of the driver, for the message. TR_INVALID_ARGUMENT: it is not. */
tr_status tr_board_rig_check(const tr_rig *rig, const char *kind, tr_error *error) TR_NODISCARD;
