/* The server's side of WebSocket (RFC 6455): the answer to the opening handshake, and the framing.
 *
 * wslay encodes and decodes frames, through its frame interface. Its event interface does not fit:
 * it copies every message sent, queues a pong for every ping, and continues to report data after
 * reading was turned off. Here a state is encoded once for all watchers and sent without a copy,
 * and at most one pong waits for a client that does not read. So this file checks the order of
 * frames (RFC 6455, 5.4 and 5.5), and wslay handles their bytes.
 *
 * Messages from clients form one stream: the payload of binary messages is handed out as it
 * arrives, wherever they are cut. So no whole message is ever held in memory, however long it
 * claims to be. No extensions, no text messages. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TR_WEBSOCKET_ACCEPT_SIZE = 29, /* of the answer to a key, with its end */
    TR_WEBSOCKET_HEAD_MAX = 10,    /* of a frame that the server sends */
    TR_WEBSOCKET_CONTROL_MAX = 125 /* payload of ping, pong and close */
};

typedef enum tr_websocket_opcode {
    TR_WEBSOCKET_CONTINUATION = 0,
    TR_WEBSOCKET_TEXT = 1,
    TR_WEBSOCKET_BINARY = 2,
    TR_WEBSOCKET_CLOSE = 8,
    TR_WEBSOCKET_PING = 9,
    TR_WEBSOCKET_PONG = 10
} tr_websocket_opcode;

/* Close codes, RFC 6455, 7.4.1. */
enum {
    TR_WEBSOCKET_NORMAL = 1000,
    TR_WEBSOCKET_GOING_AWAY = 1001,
    TR_WEBSOCKET_PROTOCOL_ERROR = 1002,
    TR_WEBSOCKET_UNSUPPORTED = 1003,
    TR_WEBSOCKET_BAD_TEXT = 1007,
    TR_WEBSOCKET_POLICY = 1008
};

/* Sec-WebSocket-Accept for a client's Sec-WebSocket-Key. TR_INVALID_ARGUMENT: the key is not the
 * base64 of 16 bytes. */
tr_status tr_websocket_accept(const char *key, size_t size,
                              char out[TR_WEBSOCKET_ACCEPT_SIZE]) TR_NODISCARD;

/* May a Close hold this payload? It must be empty, or begin with a code that is allowed on the wire
 * (RFC 6455, 7.4). */
bool tr_websocket_close_is_valid(const uint8_t *payload, size_t size);

/* Is the reason of a Close with this payload UTF-8? At most TR_WEBSOCKET_CONTROL_MAX bytes. */
bool tr_websocket_reason_is_valid(const uint8_t *payload, size_t size);

/* The framing of one connection. One thread at a time. */
typedef struct tr_websocket tr_websocket;

/* TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_websocket_create(tr_websocket **out) TR_NODISCARD;
void tr_websocket_destroy(tr_websocket *websocket); /* NULL is allowed */

/* Encodes the head of an unmasked, unfragmented frame; returns its size. The payload follows
 * unchanged. */
size_t tr_websocket_head(tr_websocket *websocket, tr_websocket_opcode opcode, uint64_t payload_size,
                         uint8_t out[TR_WEBSOCKET_HEAD_MAX]);

/* A piece taken from the stream. BINARY: more payload of messages, empty for an empty frame; PING,
 * PONG and CLOSE: a whole control frame. `data` is valid until the next call. */
typedef struct tr_websocket_piece {
    tr_websocket_opcode opcode;
    const uint8_t *data; /* NULL: all bytes are taken, and more are needed */
    size_t size;
} tr_websocket_piece;

/* Takes the next piece. It removes bytes from the front of (*bytes)[*size], perhaps more than the
 * piece needs, so call it until `data` is NULL, even when no bytes are left. TR_INVALID_ARGUMENT:
 * the peer broke the protocol (1002); TR_UNIMPLEMENTED: a text message (1003). After a failure the
 * stream cannot be read any further. */
tr_status tr_websocket_take(tr_websocket *websocket, const uint8_t **bytes, size_t *size,
                            tr_websocket_piece *out) TR_NODISCARD;
