/* From plain structs to the wire: states of a world, replies to commands and lists of events as
 * bytes.
 *
 * Thread-safe: no shared data. The statuses of all functions: TR_RESOURCE_EXHAUSTED (no memory),
 * TR_OUT_OF_RANGE (longer than TR_FRAME_SERVER_MAX). */
#pragma once

#include "proto/mapping.h"
#include "server/net/frame_out.h"
#include "server/world/world_loop.h"

enum { TR_STATE_FIELDS_ALL = 131071 }; /* every bit of StateField */

/* Encodes the state of a world with these fields (bits of StateField; 0: the default) as the bytes
 * of a WorldState, without the field that differs between sessions. Frame it with
 * tr_state_frame_around. */
tr_status tr_encode_state(const tr_world_loop *loop, uint32_t fields, tr_packet **out) TR_NODISCARD;

/* An Event of a tr_event. */
extern const tr_mapping tr_event_mapping;

/* Encodes a whole frame with an EventBatch. events: [count]. */
tr_status tr_encode_events(uint32_t world, const tr_event *events, int count,
                           tr_packet **out) TR_NODISCARD;

/* The same of those alone that a client which steps the world itself cannot find out: commands that
 * changed it, and jumps. out: left as it is if there are none. */
tr_status tr_encode_inputs(uint32_t world, const tr_event *events, int count, int *out_count,
                           tr_packet **out) TR_NODISCARD;
tr_status tr_encode_inputs_of(const Troupe__EventBatch *all, int *out_count,
                              tr_packet **out) TR_NODISCARD;

/* Encodes the answer to a command, or to a look, as a whole frame. */
tr_status tr_encode_reply(const tr_reply *reply, tr_packet **out) TR_NODISCARD;

/* --- for kinds of commands --- */

/* The result without the contents of `data`; valid as long as the reply. */
Troupe__CommandResult tr_command_result(const tr_reply *reply);

/* Encodes a frame with a Response whose field `field` is the state in reply->data, and a frame with
 * a CommandResult that holds `result` and that state. The state is copied only once. */
tr_status tr_encode_state_reply(const tr_reply *reply, tr_packet **out) TR_NODISCARD;
tr_status tr_encode_result_with_state(const tr_reply *reply, const Troupe__CommandResult *result,
                                      tr_packet **out) TR_NODISCARD;
