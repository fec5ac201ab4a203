/* From plain structs to the wire: the one place where what a world, a command or the catalogue says
 * becomes bytes.
 *
 * Thread-safe: nothing is shared. All statuses: TR_RESOURCE_EXHAUSTED (memory), TR_OUT_OF_RANGE
 * (longer than TR_FRAME_SERVER_MAX). */
#ifndef TROUPE_SERVER_ENCODE_H
#define TROUPE_SERVER_ENCODE_H

#include "server/world/play.h"

#include <troupe/envelope.pb-c.h>

enum { TR_STATE_FIELDS_ALL = 511 }; /* every bit of StateField */

/* The state of a play with these fields (bits of StateField; 0: the default) as the bytes of a
 * WorldState, without what differs between sessions. Frame it with tr_state_frame. */
tr_status tr_encode_state(const tr_play *play, uint32_t fields, tr_packet **out) TR_NODISCARD;

/* Head and tail that make a frame of an encoded state for one session:
 * head[head_size] state->bytes tail[tail_size]. */
typedef struct tr_state_frame {
    uint8_t head[24], tail[16];
    size_t head_size, tail_size;
} tr_state_frame;
tr_state_frame tr_state_frame_around(const tr_packet *state, uint64_t dropped_states);

/* The message of one event; its text is the event's. */
void tr_encode_event(const tr_event *event, Troupe__Event *out);

/* A whole frame of an EventBatch. events: [count]. */
tr_status tr_encode_events(uint32_t world, const tr_event *events, int count,
                           tr_packet **out) TR_NODISCARD;

/* A whole frame of any message. */
tr_status tr_encode_server_message(const Troupe__ServerMessage *message,
                                   tr_packet **out) TR_NODISCARD;
tr_status tr_encode_response(Troupe__Response *response, tr_packet **out) TR_NODISCARD;

/* The answer to a command or a look. */
tr_status tr_encode_reply(const tr_reply *reply, tr_packet **out) TR_NODISCARD;

/* The answer that something failed. `error->message` may be empty. */
tr_status tr_encode_failure(uint64_t request_id, const tr_error *error,
                            tr_packet **out) TR_NODISCARD;

tr_status tr_encode_challenge(const uint8_t *nonce, size_t size, bool key_needed,
                              tr_packet **out) TR_NODISCARD;
tr_status tr_encode_goodbye(tr_status code, const char *reason, tr_packet **out) TR_NODISCARD;

/* A number as protobuf writes it; returns how many bytes it took. */
size_t tr_put_varint(uint8_t out[10], uint64_t value);

/* A text for protobuf-c, which takes no const. Messages only read it. */
char *tr_wire_text(const char *text);

#endif
