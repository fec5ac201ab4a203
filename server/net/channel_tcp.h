/* A channel over plain TCP. */
#ifndef TROUPE_SERVER_CHANNEL_TCP_H
#define TROUPE_SERVER_CHANNEL_TCP_H

#include "server/net/channel.h"
#include "server/net/peers.h"

enum { TR_TCP_READ_SIZE = 64 << 10 };

/* What all TCP channels of a loop share: the bytes of the read in hand, one at a time. Outlives
 * them. */
typedef struct tr_tcp_scratch {
    char bytes[TR_TCP_READ_SIZE];
} tr_tcp_scratch;

/* Takes the connection that waits at `stream`, a listening socket, and counts it among `peers`, which
 * outlive it. TR_RESOURCE_EXHAUSTED: no memory, and it still waits; TR_UNAVAILABLE: it has gone, or
 * has been closed. */
tr_status tr_channel_tcp_accept(uv_stream_t *stream, tr_tcp_scratch *scratch, tr_peers *peers,
                                tr_channel **out) TR_NODISCARD;

/* Socket options of a connection that carries frames: small writes go at once, a dead peer is
 * noticed, and the kernel keeps little of what the client has not read (else it hides slow readers
 * for minutes). */
void tr_tcp_set_options(uv_tcp_t *tcp);

#endif
