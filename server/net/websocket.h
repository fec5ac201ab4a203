/* WebSocket, RFC 6455, the server's side: the opening handshake's answer and the framing.
 *
 * The framing is wslay's, by its frame interface. Its event interface would keep every message that
 * is sent in a copy, answer each ping with one more, and go on telling what it has read when nobody
 * is to be told; here a state is encoded once for all who watch and is sent from where it lies, and
 * whoever does not read is owed one pong. So the order of frames (RFC 6455, 5.4 and 5.5) is looked
 * after here, and no byte of a frame is.
 *
 * What clients send is taken as a stream: the payload of binary messages, whatever their cuts,
 * is handed out as it comes, so that no message is ever held in memory, however long it says it is.
 * No extensions, no text messages. */
#ifndef TROUPE_SERVER_WEBSOCKET_H
#define TROUPE_SERVER_WEBSOCKET_H

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

/* May a Close hold this payload? A code that is for the wire (RFC 6455, 7.4) and whatever is behind
 * it, or nothing. */
bool tr_websocket_close_is_valid(const uint8_t *payload, size_t size);

/* Is the reason of a Close with this payload UTF-8? At most TR_WEBSOCKET_CONTROL_MAX bytes. */
bool tr_websocket_reason_is_valid(const uint8_t *payload, size_t size);

/* The framing of one connection. One thread at a time. */
typedef struct tr_websocket tr_websocket;

/* TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_websocket_create(tr_websocket **out) TR_NODISCARD;
void tr_websocket_destroy(tr_websocket *websocket); /* NULL is fine */

/* The head of an unmasked, unfragmented frame; its size. The payload follows it as it is. */
size_t tr_websocket_head(tr_websocket *websocket, tr_websocket_opcode opcode, uint64_t payload_size,
                         uint8_t out[TR_WEBSOCKET_HEAD_MAX]);

/* What was taken. BINARY: some more payload of messages, of an empty frame none; PING, PONG and
 * CLOSE: a whole control frame. `data` is valid until the next call. */
typedef struct tr_websocket_piece {
    tr_websocket_opcode opcode;
    const uint8_t *data; /* NULL: all bytes are taken, and more are needed */
    size_t size;
} tr_websocket_piece;

/* Takes the next piece of what has come. Bytes are taken off the front of (*bytes)[*size], more than
 * the piece needs: call until `data` is NULL, with no new bytes as well. TR_INVALID_ARGUMENT: the
 * protocol is broken (1002); TR_UNIMPLEMENTED: a text message (1003). The stream cannot be read on
 * after a failure. */
tr_status tr_websocket_take(tr_websocket *websocket, const uint8_t **bytes, size_t *size,
                            tr_websocket_piece *out) TR_NODISCARD;

#endif
