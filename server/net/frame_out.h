/* Frames for clients: whole messages, and the head and tail around a state that many sessions
 * share.
 *
 * Thread-safe: no shared data. The statuses of all functions: TR_RESOURCE_EXHAUSTED (no memory),
 * TR_OUT_OF_RANGE (the message is longer than TR_FRAME_SERVER_MAX). */
#pragma once

#include "server/net/packet.h"

#include <stdbool.h>
#include <troupe/envelope.pb-c.h>

/* Encodes a whole frame: its length prefix and its bytes. body: a message that ServerMessage has. */
tr_status tr_encode_message(ProtobufCMessage *body, tr_packet **out) TR_NODISCARD;

/* A response with a result. message: of the type of `result`; the caller's. */
Troupe__Response tr_response_of(uint64_t request, Troupe__Response__ResultCase result,
                                void *message);
tr_status tr_encode_response(Troupe__Response *response, tr_packet **out) TR_NODISCARD;

/* Encodes the answer to a request that failed. `error->message` may be empty. */
tr_status tr_encode_failure(uint64_t request_id, const tr_error *error,
                            tr_packet **out) TR_NODISCARD;

/* Encodes a challenge. `tls`: logins can be bound to the connection. */
tr_status tr_encode_challenge(const uint8_t *nonce, size_t size, bool key_needed, bool tls,
                              tr_packet **out) TR_NODISCARD;
tr_status tr_encode_goodbye(tr_status code, const char *reason, tr_packet **out) TR_NODISCARD;

/* Head and tail around an encoded state make a frame for one session: head[head_size] state->bytes
 * tail[tail_size]. */
typedef struct tr_state_frame {
    uint8_t head[24], tail[16];
    size_t head_size, tail_size;
} tr_state_frame;
tr_state_frame tr_state_frame_around(const tr_packet *state, uint64_t dropped_states);

/* Casts a text for protobuf-c, which takes no const. Messages do not change it. */
char *tr_wire_text(const char *text);
