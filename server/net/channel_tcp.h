/* A channel over plain TCP. */
#pragma once

#include "server/net/channel.h"
#include "server/net/peers.h"

enum { TR_TCP_READ_SIZE = 64 << 10 };

/* The read buffer that all TCP channels of a loop share; one read at a time. Must outlive them. */
typedef struct tr_tcp_scratch {
    char bytes[TR_TCP_READ_SIZE];
} tr_tcp_scratch;

/* Accepts the connection that waits at `stream`, a listening socket, and counts it in `peers`,
 * which must outlive it. TR_RESOURCE_EXHAUSTED: no memory, and the connection still waits;
 * TR_UNAVAILABLE: it has ended, or has been closed. */
tr_status tr_channel_tcp_accept(uv_stream_t *stream, tr_tcp_scratch *scratch, tr_peers *peers,
                                tr_channel **out) TR_NODISCARD;
