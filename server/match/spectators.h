/* Spectators: the sessions that watch a match. They are kept by id; ended sessions are dropped when
 * a frame is sent or room is needed. Plain data, no allocation. For the loop's thread. */
#pragma once

#include "proto/limits.h"
#include "server/net/clients.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_spectators {
    int count;
    uint64_t session[TR_MATCH_WATCHERS_MAX]; /* [count] */
} tr_spectators;

/* No effect for a session that already watches. TR_RESOURCE_EXHAUSTED: TR_MATCH_WATCHERS_MAX
 * sessions watch. */
tr_status tr_spectators_add(tr_spectators *spectators, const tr_clients *clients,
                            uint64_t session) TR_NODISCARD;

/* False: the session did not watch. */
bool tr_spectators_remove(tr_spectators *spectators, uint64_t session);

/* Sends a frame to all of them. Unless `must_arrive`, sessions with too much waiting data are
 * skipped. */
void tr_spectators_tell(tr_spectators *spectators, const tr_clients *clients, tr_packet *packet,
                        bool must_arrive);
