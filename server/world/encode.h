/* From plain structs to the wire: the one place where what a world, a command or the catalogue says
 * becomes bytes.
 *
 * Thread-safe: nothing is shared. All statuses: TR_RESOURCE_EXHAUSTED (memory), TR_OUT_OF_RANGE
 * (longer than TR_FRAME_SERVER_MAX). */
#ifndef TROUPE_SERVER_ENCODE_H
#define TROUPE_SERVER_ENCODE_H

#include "server/net/frame_out.h"
#include "server/world/play.h"

#include <troupe/envelope.pb-c.h>

enum { TR_STATE_FIELDS_ALL = 511 }; /* every bit of StateField */

/* The state of a play with these fields (bits of StateField; 0: the default) as the bytes of a
 * WorldState, without what differs between sessions. Frame it with tr_state_frame_around. */
tr_status tr_encode_state(const tr_play *play, uint32_t fields, tr_packet **out) TR_NODISCARD;

/* The message of one event; its text is the event's. */
void tr_encode_event(const tr_event *event, Troupe__Event *out);

/* A whole frame of an EventBatch. events: [count]. */
tr_status tr_encode_events(uint32_t world, const tr_event *events, int count,
                           tr_packet **out) TR_NODISCARD;

/* The answer to a command or a look. */
tr_status tr_encode_reply(const tr_reply *reply, tr_packet **out) TR_NODISCARD;

#endif
