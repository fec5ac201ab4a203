/* The step timeout of a stepped world: a part of its loop that removes steppers which hold up others.
 *
 * A stepper holds up others while its frontier is at the world's tick and another client waits for
 * a step, or for a command whose turn is after the stepper's. When this has lasted for the time
 * limit of the world's definition, the stepper is removed and an event reports it; its next Step
 * joins again. A stepper that holds up no client has no time limit, nor have those of a world that
 * is held for a move, in which no stepper can step. */
#pragma once

#include "server/world/world_part.h"

/* `limit_s` of wall time, more than 0; for tr_world_loop_add_part. NULL: no memory. */
tr_world_part *tr_step_timeout_create(double limit_s);
