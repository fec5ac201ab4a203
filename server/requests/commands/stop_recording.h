/* Ends recordings whose files fail. */
#ifndef TROUPE_SERVER_STOP_RECORDING_H
#define TROUPE_SERVER_STOP_RECORDING_H

#include "server/world/worlds.h"

/* The file of this world's recording can no longer be written: stops the recording, and subscribers
 * learn why. No effect when the world is gone. */
void tr_stop_failed_recording(tr_worlds *worlds, uint32_t world, tr_status status, const char *why);

#endif
