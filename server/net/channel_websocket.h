/* A channel over WebSocket: a session's bytes as the payload of binary messages, on top of another
 * channel (TCP or TLS) whose opening handshake is done.
 *
 * The messages of a client form one stream, wherever they are cut; each message that it receives
 * holds one or more whole frames. Pings are answered. A text message ends the connection, and so do
 * more than 1,000 frames per second without payload for the session. */
#pragma once

#include "server/net/channel.h"

/* On success takes `inner` and becomes its listener; no batch may be in progress on it.
 * TR_RESOURCE_EXHAUSTED: no memory; the caller keeps `inner`. */
tr_status tr_channel_websocket_open(uv_loop_t *loop, tr_channel *inner,
                                    tr_channel **out) TR_NODISCARD;
