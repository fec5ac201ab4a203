/* The drain before a shutdown: no new worlds, and the existing ones have some time to end. Clients
 * may still connect to these. Plain data; zeroed at first. */
#pragma once

#include "server/world/worlds.h"

typedef struct tr_drain {
    bool on;
    uint64_t ends_ms;
} tr_drain;

/* Begins it. Returns false, and does nothing, if there is nothing to wait for: no time, or no
 * world. */
bool tr_drain_begin(tr_drain *drain, tr_worlds *worlds, int seconds, uint64_t now_ms);
