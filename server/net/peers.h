/* Peers: how many connections there are from each address, on both ports together, so that one
 * address cannot take up all that the daemon has.
 *
 *     accepted -- tr_peers_join --> welcome
 *                        |--------> crowded: to be told why, and closed
 *                        |--------> TR_RESOURCE_EXHAUSTED: closed at once
 *     closed ---- tr_peers_leave
 *
 * An address is a v4 address or the first 64 bits of a v6 one, which is what a peer gets as one.
 * Loopback is not counted: whoever is on this machine could harm the daemon without it, and behind
 * another server all clients seem to be there. The loop's thread alone. */
#ifndef TROUPE_SERVER_PEERS_H
#define TROUPE_SERVER_PEERS_H

#include "server/net/channel.h"

/* Crowded connections of one address at a time; the rest are closed without a word. */
enum { TR_PEERS_TOLD_MAX = 4 };

typedef struct tr_peers tr_peers;
typedef struct tr_peer tr_peer; /* an address, as long as anything is connected from it */

/* `limit`: connections of one address; 0: any number. */
tr_status tr_peers_create(int limit, tr_peers **out) TR_NODISCARD;
void tr_peers_destroy(tr_peers *peers); /* when all have left; NULL is fine */

/* From now on; who is there stays. */
void tr_peers_set_limit(tr_peers *peers, int limit);

/* Counts a channel that has just been accepted: *out is for tr_peers_leave, NULL for one that is not
 * counted; marks the channel as crowded when its address has as many as it may. TR_RESOURCE_EXHAUSTED:
 * so many have been told already, or no memory. */
tr_status tr_peers_join(tr_peers *peers, tr_channel *channel, tr_peer **out) TR_NODISCARD;

/* The channel is gone; NULL is fine. */
void tr_peers_leave(tr_peers *peers, tr_peer *peer, const tr_channel *channel);

/* Connections that were crowded or closed at once, since the start. */
uint64_t tr_peers_refused(const tr_peers *peers);

/* What stands for a channel's peer in tables of addresses; never 0. */
uint64_t tr_peer_key(const char *address);

#endif
