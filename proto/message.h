/* Messages in frames: protobuf-c under the caps of limits.h.
 *
 * protobuf-c alone lets a small frame of many empty parts take a hundred times its size in memory,
 * and does not check that texts are UTF-8; these functions do both. Thread-safe: no shared data. */
#pragma once

#include "proto/status.h"

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes `size` bytes as `type` (e.g. &troupe__client_message__descriptor), checks every text for
 * UTF-8 without zero bytes and drops unknown fields. Destroy the message with tr_message_destroy. TR_INVALID_ARGUMENT:
 * not such a message; TR_RESOURCE_EXHAUSTED: it would take more memory than there is, or than
 * TR_DECODE_GROWTH_MAX times `size` plus TR_DECODE_BASE_MAX. *out is untouched on failure. */
tr_status tr_message_decode(const ProtobufCMessageDescriptor *type, const uint8_t *data,
                            size_t size, ProtobufCMessage **out) TR_NODISCARD;
void tr_message_destroy(ProtobufCMessage *message); /* NULL is allowed */

/* Initialises a message with its other fields; those that are not set are empty:
 *
 *     Troupe__Join join = {TR_MESSAGE_BASE(join), .order = 2}; */
#define TR_MESSAGE_BASE(name) .base = PROTOBUF_C_MESSAGE_INIT(&troupe__##name##__descriptor)

/* Chooses the member of the outer message's oneof that has the type of `inner`, which it must have,
 * and points it there: the request of a ClientMessage, the command of a Command. */
void tr_message_choose(ProtobufCMessage *outer, ProtobufCMessage *inner);

/* Drops unknown fields. The name of a text that is not UTF-8, as the receiver requires; NULL: all
 * are. */
const char *tr_message_settle(ProtobufCMessage *message);

/* A field of an encoded message. tag: its number times 8 and its wire type; value: of a varint; content:
 * [size], of the other types. */
typedef struct tr_message_field {
    uint64_t tag, value;
    const uint8_t *content;
    size_t size;
} tr_message_field;

/* Reads the field at *at and moves behind it. False: it is malformed, or longer than the message. */
bool tr_message_next_field(const uint8_t **at, const uint8_t *end, tr_message_field *out);

/* The memory of the message and everything in it, bytes, without allocation overhead. */
size_t tr_message_memory(const ProtobufCMessage *message);

/* Encodes prefix and message into one malloc'ed block; free() it. TR_OUT_OF_RANGE: the message is
 * longer than `limit`, which is below 4 GiB; nothing is allocated. */
tr_status tr_message_frame(const ProtobufCMessage *message, size_t limit, uint8_t **out_frame,
                           size_t *out_size) TR_NODISCARD;
