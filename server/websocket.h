/* WebSocket, RFC 6455, the server's side: the opening handshake's answer and the framing.
 *
 * What clients send is taken as a stream: the payload of binary messages, whatever their cuts,
 * is handed out as it comes, so that no message is ever held in memory. No extensions, no text
 * messages. Pure functions over bytes. */
#ifndef TROUPE_SERVER_WEBSOCKET_H
#define TROUPE_SERVER_WEBSOCKET_H

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TR_WEBSOCKET_ACCEPT_SIZE = 29,  /* of the answer to a key, with its end */
    TR_WEBSOCKET_HEAD_MAX = 10,     /* of a frame that the server sends */
    TR_WEBSOCKET_CONTROL_MAX = 125, /* payload of ping, pong and close */
    TR_WEBSOCKET_PIECE_MAX = 1024   /* payload handed out at once */
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
    TR_WEBSOCKET_UNSUPPORTED = 1003
};

/* Sec-WebSocket-Accept for a client's Sec-WebSocket-Key. TR_INVALID_ARGUMENT: the key is not the
 * base64 of 16 bytes. */
tr_status tr_websocket_accept(const char *key, size_t size,
                              char out[TR_WEBSOCKET_ACCEPT_SIZE]) TR_NODISCARD;

/* The head of an unmasked, unfragmented frame; its size. */
size_t tr_websocket_head(tr_websocket_opcode opcode, uint64_t payload_size,
                         uint8_t out[TR_WEBSOCKET_HEAD_MAX]);

/* A decoder begins zeroed. One per connection, one thread at a time. */
typedef struct tr_websocket_decoder {
    uint8_t head[14];
    size_t head_size; /* bytes of it read so far */
    bool in_payload, in_message;
    tr_websocket_opcode opcode;
    uint64_t left; /* payload bytes still to come */
    unsigned mask_at;
    uint8_t
        payload[TR_WEBSOCKET_PIECE_MAX]; /* unmasked; of a control frame: [control_size] so far */
    size_t control_size;
} tr_websocket_decoder;

/* What was taken. BINARY: some more payload of messages; PING, PONG and CLOSE: a whole control
 * frame. `data` lies in the decoder, valid until its next call. */
typedef struct tr_websocket_piece {
    tr_websocket_opcode opcode;
    const uint8_t *data; /* NULL: nothing but heads was there */
    size_t size;
} tr_websocket_piece;

/* Takes one piece off the front of (*bytes)[*size] and moves both past it; call until *size is 0. TR_INVALID_ARGUMENT: the protocol is broken (1002); TR_UNIMPLEMENTED: a
 * text message (1003). The stream cannot be read on after a failure. */
tr_status tr_websocket_take(tr_websocket_decoder *decoder, const uint8_t **bytes, size_t *size,
                            tr_websocket_piece *out) TR_NODISCARD;

#endif
