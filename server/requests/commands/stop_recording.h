/* Ends recordings whose files fail. */
#pragma once

#include "server/world/worlds.h"

/* Stops a recording whose file can no longer be written, and reports the reason to subscribers. No
 * effect if the world no longer exists. */
void tr_stop_failed_recording(tr_worlds *worlds, uint32_t world, tr_status status, const char *why);
