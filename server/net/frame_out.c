#include "server/net/frame_out.h"

#include "proto/scram.h"

#include "proto/frame.h"
#include "proto/message.h"
#include "proto/text.h"
#include "server/net/wire_writer.h"

#include <stdio.h>
#include <string.h>

char *tr_wire_text(const char *text) {
    return (char *)text;
}

tr_status tr_encode_message(ProtobufCMessage *body, tr_packet **out) {
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    tr_message_choose(&message.base, body);
    size_t size = troupe__server_message__get_packed_size(&message);
    if (size > TR_FRAME_SERVER_MAX)
        return TR_OUT_OF_RANGE;
    uint8_t prefix[TR_FRAME_PREFIX_MAX];
    size_t prefix_size = tr_frame_prefix((uint32_t)size, prefix);
    tr_packet *packet = tr_packet_create(prefix_size + size);
    if (!packet)
        return TR_RESOURCE_EXHAUSTED;
    memcpy(packet->bytes, prefix, prefix_size);
    troupe__server_message__pack(&message, packet->bytes + prefix_size);
    *out = packet;
    return TR_OK;
}

Troupe__Response tr_response_of(uint64_t request, Troupe__Response__ResultCase result,
                                void *message) {
    return (Troupe__Response){TR_MESSAGE_BASE(response), .request_id = request,
                              .result_case = result,
                              .pong = message}; /* any member: all share this place */
}

tr_status tr_encode_response(Troupe__Response *response, tr_packet **out) {
    return tr_encode_message(&response->base, out);
}

tr_status tr_encode_challenge(const uint8_t *nonce, size_t size, bool key_needed, bool tls,
                              tr_packet **out) {
    char *mechanisms[] = {tr_wire_text(TR_SCRAM_MECHANISM), tr_wire_text(TR_SCRAM_PLUS_MECHANISM)};
    Troupe__Challenge challenge = {
        TR_MESSAGE_BASE(challenge), .nonce = {size, (uint8_t *)nonce}, /* it is not changed */
        .key_needed = key_needed, .n_mechanisms = tls ? 2 : 1, .mechanisms = mechanisms};
    return tr_encode_message(&challenge.base, out);
}

tr_status tr_encode_goodbye(tr_status code, const char *reason, tr_packet **out) {
    Troupe__Goodbye goodbye = {TR_MESSAGE_BASE(goodbye), .code = (Troupe__StatusCode)-code,
                               .reason = tr_wire_text(reason)};
    return tr_encode_message(&goodbye.base, out);
}

/* Messages quote what clients sent and cut long texts, perhaps within a character. */
tr_status tr_encode_failure(uint64_t request_id, const tr_error *error, tr_packet **out) {
    char text[sizeof error->message];
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    snprintf(text, sizeof text, "%s",
             error->message[0] != '\0' ? error->message : tr_status_text(error->status));
    tr_text_mend(text);
    response.request_id = request_id;
    response.code = (Troupe__StatusCode)-error->status;
    response.message = text;
    return tr_encode_response(&response, out);
}

/* --- frames around a shared state --- */

/* Protobuf allows a message in two parts: dropped_states, the one field that differs between
 * sessions, follows the bytes that all sessions share.
 *
 *     length | tag of state | length | shared bytes of WorldState | tag of dropped_states, count */
tr_state_frame tr_state_frame_around(const tr_packet *state, uint64_t dropped_states) {
    enum { STATE_TAG = 2 << 3 | 2, DROPPED_TAG = 9 << 3 | 0 };
    tr_state_frame frame = {0};
    if (dropped_states > 0) {
        frame.tail[0] = DROPPED_TAG;
        frame.tail_size = 1 + tr_varint(frame.tail + 1, dropped_states);
    }
    uint8_t inner[16];
    inner[0] = STATE_TAG;
    size_t inner_size = 1 + tr_varint(inner + 1, state->size + frame.tail_size);
    frame.head_size = tr_varint(frame.head, inner_size + state->size + frame.tail_size);
    memcpy(frame.head + frame.head_size, inner, inner_size);
    frame.head_size += inner_size;
    return frame;
}
