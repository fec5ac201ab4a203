/* Peers: count the connections from each address, on both ports together, so that one address
 * cannot use up all connections.
 *
 *     accepted -- tr_peers_join --> welcome
 *                        |--------> crowded: gets the reason, then closed
 *                        |--------> TR_RESOURCE_EXHAUSTED: closed without an answer
 *     closed ---- tr_peers_leave
 *
 * An address is a v4 address or the first 64 bits of a v6 address, because a peer usually owns a
 * whole /64. Loopback is not counted: local users could harm the daemon anyway, and behind a proxy
 * all clients come from loopback. For the loop's thread only. */
#pragma once

#include "proto/invariant.h"
#include "server/net/channel.h"

/* Crowded connections of one address at a time; further ones are closed without an answer. */
enum { TR_PEERS_CROWDED_MAX = 4 };

typedef struct tr_peer tr_peer; /* an address with at least one connection */

enum { TR_PEERS_ROW_BITS = 12 };

/* The owner sets the limit, at any time: existing connections stay. The rest starts zeroed. */
typedef struct tr_peers {
    int limit;        /* connections of one address; 0: unlimited */
    uint64_t refused; /* since the start: crowded, or closed without an answer */
    tr_peer *row[1 << TR_PEERS_ROW_BITS]; /* by the key's hash */
} tr_peers;

/* Counts a channel that has just been accepted; *out is for tr_peers_leave, NULL if it is not
 * counted. Marks the channel as crowded when its address has reached the limit.
 * TR_RESOURCE_EXHAUSTED: too many crowded channels already, or no memory. */
tr_status tr_peers_join(tr_peers *peers, tr_channel *channel, tr_peer **out) TR_NODISCARD;

/* Ends counting a channel that is closed; NULL is allowed. */
void tr_peers_leave(tr_peers *peers, tr_peer *peer, const tr_channel *channel);

/* The addresses whose turn it is. */
void tr_peers_must_hold(const tr_peers *peers, uint64_t turn, tr_invariant *broken);

/* The key of a peer's address in tables; never 0. */
uint64_t tr_peer_key(const char *address);
