#include "proto/message.h"

#include "proto/frame.h"
#include "proto/limits.h"
#include "proto/text.h"

#include <stdlib.h>
#include <string.h>

/* --- memory of one decoding --- */

typedef struct budget {
    size_t left;   /* bytes still available */
    bool exceeded; /* true also if the allocation failed */
} budget;

static void *budget_alloc(void *data, size_t size) {
    budget *account = data;
    if (size > account->left) {
        account->exceeded = true;
        return NULL;
    }
    account->left -= size;
    void *block = malloc(size);
    account->exceeded |= !block;
    return block;
}

/* Memory freed during a decoding is not credited: the budget limits the work as well as the
 * memory. */
static void budget_free(void *data, void *block) {
    (void)data;
    free(block);
}

/* --- checks that protobuf-c does not make: a walk over a message by its descriptor --- */

/* One element of a text or message field. */
static const char *settle_element(const ProtobufCFieldDescriptor *field, void *element) {
    if (!element)
        return NULL;
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return tr_text_is_utf8(element) ? NULL : field->name;
    return tr_message_settle(element);
}

static const char *settle_field(ProtobufCMessage *message, const ProtobufCFieldDescriptor *field) {
    uint8_t *base = (uint8_t *)message;
    if (field->type != PROTOBUF_C_TYPE_STRING && field->type != PROTOBUF_C_TYPE_MESSAGE)
        return NULL;
    if (field->label != PROTOBUF_C_LABEL_REPEATED) {
        bool chosen =
            !(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) ||
            *(const uint32_t *)(const void *)(base + field->quantifier_offset) == field->id;
        return chosen ? settle_element(field, *(void **)(void *)(base + field->offset)) : NULL;
    }
    size_t count = *(const size_t *)(const void *)(base + field->quantifier_offset);
    void **elements = *(void ***)(void *)(base + field->offset);
    const char *wrong = NULL;
    for (size_t i = 0; i < count && !wrong; i++)
        wrong = settle_element(field, elements[i]);
    return wrong;
}

/* Drops fields added by a newer or defective peer: protobuf-c keeps even field numbers that it
 * could not read back. */
static void drop_unknown_fields(ProtobufCMessage *message) {
    for (unsigned i = 0; i < message->n_unknown_fields; i++)
        free(message->unknown_fields[i].data);
    free(message->unknown_fields);
    message->n_unknown_fields = 0;
    message->unknown_fields = NULL;
}

/* The schema has no cycles, so the schema limits the depth. */
const char *tr_message_settle(ProtobufCMessage *message) {
    const char *wrong = NULL;
    drop_unknown_fields(message);
    for (unsigned i = 0; i < message->descriptor->n_fields && !wrong; i++)
        wrong = settle_field(message, &message->descriptor->fields[i]);
    return wrong;
}

/* --- encoded fields --- */

static bool read_varint(const uint8_t **at, const uint8_t *end, uint64_t *out) {
    *out = 0;
    for (int shift = 0; shift < 64 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

enum { WIRE_VARINT, WIRE_64_BITS, WIRE_BYTES, WIRE_32_BITS = 5 };

bool tr_message_next_field(const uint8_t **at, const uint8_t *end, tr_message_field *out) {
    *out = (tr_message_field){0};
    if (!read_varint(at, end, &out->tag))
        return false;
    const unsigned wire = out->tag & 7;
    uint64_t size = wire == WIRE_64_BITS ? 8 : wire == WIRE_32_BITS ? 4 : 0;
    bool known = wire == WIRE_VARINT  ? read_varint(at, end, &out->value)
                 : wire == WIRE_BYTES ? read_varint(at, end, &size)
                                      : size > 0;
    if (!known || size > (uint64_t)(end - *at))
        return false;
    out->content = *at;
    out->size = (size_t)size;
    *at += size;
    return true;
}

/* --- zero bytes in texts, at which protobuf-c would cut them --- */

/* Walks the bytes of a message that protobuf-c has accepted. */
static bool has_no_zero(const ProtobufCMessageDescriptor *type, const uint8_t *at, size_t size) {
    for (const uint8_t *end = at + size; at < end;) {
        tr_message_field f;
        if (!tr_message_next_field(&at, end, &f))
            return false;
        const ProtobufCFieldDescriptor *field =
            (f.tag & 7) == WIRE_BYTES
                ? protobuf_c_message_descriptor_get_field(type, (unsigned)(f.tag >> 3))
                : NULL;
        if (field && field->type == PROTOBUF_C_TYPE_STRING && f.size > 0 &&
            memchr(f.content, 0, f.size))
            return false;
        if (field && field->type == PROTOBUF_C_TYPE_MESSAGE &&
            !has_no_zero(field->descriptor, f.content, f.size))
            return false;
    }
    return true;
}

/* --- messages --- */

tr_status tr_message_decode(const ProtobufCMessageDescriptor *type, const uint8_t *data,
                            size_t size, ProtobufCMessage **out) {
    budget account = {.left = size * TR_DECODE_GROWTH_MAX + TR_DECODE_BASE_MAX};
    ProtobufCAllocator allocator = {
        .alloc = budget_alloc, .free = budget_free, .allocator_data = &account};
    ProtobufCMessage *message = protobuf_c_message_unpack(type, &allocator, size, data);
    if (!message)
        return account.exceeded ? TR_RESOURCE_EXHAUSTED : TR_INVALID_ARGUMENT;
    if (tr_message_settle(message) || !has_no_zero(type, data, size)) {
        tr_message_destroy(message);
        return TR_INVALID_ARGUMENT;
    }
    *out = message;
    return TR_OK;
}

void tr_message_destroy(ProtobufCMessage *message) {
    if (message)
        protobuf_c_message_free_unpacked(message, NULL);
}

void tr_message_choose(ProtobufCMessage *outer, ProtobufCMessage *inner) {
    const ProtobufCFieldDescriptor *field = outer->descriptor->fields;
    while (!(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) || field->descriptor != inner->descriptor)
        field++;
    *(uint32_t *)(void *)((uint8_t *)outer + field->quantifier_offset) = field->id;
    *(ProtobufCMessage **)(void *)((uint8_t *)outer + field->offset) = inner;
}

/* --- memory of a message --- */

static size_t memory_of_element(const ProtobufCFieldDescriptor *field, const void *element) {
    if (element == (const void *)protobuf_c_empty_string)
        return 0; /* every unset string is this one */
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return element ? strlen(element) + 1 : 0;
    return element ? tr_message_memory(element) : 0;
}

static size_t memory_of_elements(const ProtobufCFieldDescriptor *field, size_t count,
                                 const void *elements) {
    if (field->type != PROTOBUF_C_TYPE_STRING && field->type != PROTOBUF_C_TYPE_MESSAGE)
        return count * sizeof(double); /* the widest number */
    size_t size = count * sizeof(void *);
    for (size_t i = 0; i < count; i++)
        size += memory_of_element(field, ((const void *const *)elements)[i]);
    return size;
}

size_t tr_message_memory(const ProtobufCMessage *message) {
    size_t size = message->descriptor->sizeof_message;
    const uint8_t *base = (const uint8_t *)message;
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        const void *value = base + field->offset, *quantifier = base + field->quantifier_offset;
        if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF &&
            *(const uint32_t *)quantifier != field->id)
            continue;
        if (field->label == PROTOBUF_C_LABEL_REPEATED)
            size +=
                memory_of_elements(field, *(const size_t *)quantifier, *(const void *const *)value);
        else if (field->type == PROTOBUF_C_TYPE_BYTES)
            size += ((const ProtobufCBinaryData *)value)->len;
        else if (field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_MESSAGE)
            size += memory_of_element(field, *(const void *const *)value);
    }
    return size;
}

tr_status tr_message_frame(const ProtobufCMessage *message, size_t limit, uint8_t **out_frame,
                           size_t *out_size) {
    size_t length = protobuf_c_message_get_packed_size(message);
    if (length > limit)
        return TR_OUT_OF_RANGE;
    uint8_t prefix[TR_FRAME_PREFIX_MAX];
    size_t prefix_size = tr_frame_prefix((uint32_t)length, prefix);
    uint8_t *frame = malloc(prefix_size + length);
    if (!frame)
        return TR_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < prefix_size; i++)
        frame[i] = prefix[i];
    protobuf_c_message_pack(message, frame + prefix_size);
    *out_frame = frame;
    *out_size = prefix_size + length;
    return TR_OK;
}
