/* The step timeout of a stepped world: a part of its loop that removes steppers which hold up others.
 *
 * A stepper holds up others while its frontier is at the world's tick and another client waits for a
 * step, or for a command whose turn comes after the stepper's. After the time limit of the world's
 * definition it is no longer a stepper, and an event says so; its next Step joins again. A stepper
 * for which nobody waits may take as long as it likes. */
#ifndef TROUPE_SERVER_STEP_TIMEOUT_H
#define TROUPE_SERVER_STEP_TIMEOUT_H

#include "server/world/world_part.h"

/* `limit_s` of wall time, more than 0; for tr_world_loop_add_part. NULL: no memory. */
tr_world_part *tr_step_timeout_create(double limit_s);

#endif
