/* Calls of worlds to the daemon, for tr_worlds_def: replies to commands, and the end of a world.
 * `server` is a tr_server. For the event loop's thread. */
#pragma once

#include "server/world/worlds.h"

void tr_world_replied(void *server, const tr_reply *reply);
void tr_world_closed(void *server, uint32_t world);
