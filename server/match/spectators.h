/* Spectators: the sessions that watch a match. They are kept by id; those that are gone are forgotten
 * when it matters. Plain data, no allocation. The loop's thread. */
#ifndef TROUPE_SERVER_SPECTATORS_H
#define TROUPE_SERVER_SPECTATORS_H

#include "proto/limits.h"
#include "server/net/clients.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_spectators {
    int count;
    uint64_t session[TR_MATCH_WATCHERS_MAX]; /* [count] */
} tr_spectators;

/* Whoever watches already stays. TR_RESOURCE_EXHAUSTED: TR_MATCH_WATCHERS_MAX do. */
tr_status tr_spectators_add(tr_spectators *spectators, const tr_clients *clients,
                            uint64_t session) TR_NODISCARD;

/* False: it did not watch. */
bool tr_spectators_remove(tr_spectators *spectators, uint64_t session);

/* Sends all of them a frame. `must_arrive`: else it is left out where too much waits. */
void tr_spectators_tell(tr_spectators *spectators, const tr_clients *clients, tr_packet *packet,
                        bool must_arrive);

#endif
