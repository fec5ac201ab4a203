/* A channel over WebSocket: a session's bytes as the payload of binary messages, on top of another
 * channel (TCP or TLS) whose opening handshake is done.
 *
 * What a client sends is one stream, whatever the cuts of its messages; each message that it
 * receives holds one or more whole frames. Pings are answered; a message of text ends the
 * connection, and so do more than 1,000 frames a second without payload for the session. */
#ifndef TROUPE_SERVER_CHANNEL_WEBSOCKET_H
#define TROUPE_SERVER_CHANNEL_WEBSOCKET_H

#include "server/net/channel.h"

/* Takes `inner`, on which no batch is under way, on success and becomes its listener.
 * TR_RESOURCE_EXHAUSTED: no memory; `inner` stays the caller's. */
tr_status tr_channel_websocket_open(uv_loop_t *loop, tr_channel *inner,
                                    tr_channel **out) TR_NODISCARD;

#endif
