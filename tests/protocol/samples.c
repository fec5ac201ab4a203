#include "protocol/samples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 2, CHOICE_DEPTH = 5 };

/* Which field each oneof on the way down takes: choice[depth] counts through the choices of that
 * depth. */
typedef struct choices {
    int choice[CHOICE_DEPTH];
    int count[CHOICE_DEPTH]; /* how many there were, found on the way */
    const char *name;        /* of the innermost field taken */
} choices;

static ProtobufCMessage *make(const ProtobufCMessageDescriptor *type, choices *picker, int depth);

static size_t size_of(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return 8;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE:
        return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES:
        return sizeof(ProtobufCBinaryData);
    default:
        return 4;
    }
}

/* A value that differs from the default, and from field to field. */
static void set_element(const ProtobufCFieldDescriptor *field, void *place, choices *picker,
                        int depth) {
    switch (field->type) {
    case PROTOBUF_C_TYPE_DOUBLE:
        *(double *)place = 0.5 + field->id;
        break;
    case PROTOBUF_C_TYPE_FLOAT:
        *(float *)place = 0.5f + (float)field->id;
        break;
    case PROTOBUF_C_TYPE_STRING:
        *(char **)place = strdup(field->name);
        break;
    case PROTOBUF_C_TYPE_BYTES:
        *(ProtobufCBinaryData *)place =
            (ProtobufCBinaryData){.len = 3, .data = (uint8_t *)strdup("\x01\xff\x02")};
        break;
    case PROTOBUF_C_TYPE_MESSAGE:
        *(ProtobufCMessage **)place = make(field->descriptor, picker, depth);
        break;
    default:
        if (size_of(field->type) == 8)
            *(uint64_t *)place = 200 + field->id;
        else
            *(uint32_t *)place =
                field->type == PROTOBUF_C_TYPE_BOOL || field->type == PROTOBUF_C_TYPE_ENUM
                    ? 1
                    : 200 + field->id;
    }
}

static void set_field(ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
                      choices *picker, int depth) {
    char *base = (char *)message;
    if (field->label != PROTOBUF_C_LABEL_REPEATED) {
        if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
            *(uint32_t *)(void *)(base + field->quantifier_offset) = field->id;
        set_element(field, base + field->offset, picker, depth);
        return;
    }
    char *elements = calloc(ELEMENTS, size_of(field->type));
    for (int i = 0; i < ELEMENTS; i++)
        set_element(field, elements + (size_t)i * size_of(field->type), picker, depth);
    *(size_t *)(void *)(base + field->quantifier_offset) = ELEMENTS;
    *(void **)(void *)(base + field->offset) = elements;
}

/* The field of the message's oneof that the picker stands at; NULL: it has none. */
static const ProtobufCFieldDescriptor *chosen(const ProtobufCMessageDescriptor *type,
                                              choices *picker, int depth) {
    const ProtobufCFieldDescriptor *found = NULL;
    int count = 0;
    for (unsigned i = 0; i < type->n_fields; i++)
        if (tr_sample_is_alternative(type, &type->fields[i])) {
            found = count == picker->choice[depth] ? &type->fields[i] : found;
            count++;
        }
    if (count == 0)
        return NULL;
    picker->count[depth] = count;
    picker->name = found->name;
    return found;
}

static ProtobufCMessage *make(const ProtobufCMessageDescriptor *type, choices *picker, int depth) {
    ProtobufCMessage *message = calloc(1, type->sizeof_message);
    protobuf_c_message_init(type, message);
    assert(depth < CHOICE_DEPTH);
    const ProtobufCFieldDescriptor *choice = chosen(type, picker, depth);
    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];
        if (!tr_sample_is_alternative(type, field) || field == choice)
            set_field(message, field, picker, choice ? depth + 1 : depth);
    }
    return message;
}

/* The next combination of choices, the innermost first. False: that was the last. */
static int advance(choices *picker) {
    for (int depth = CHOICE_DEPTH - 1; depth >= 0; depth--) {
        if (picker->choice[depth] + 1 < picker->count[depth]) {
            picker->choice[depth]++;
            return 1;
        }
        picker->choice[depth] = 0;
    }
    return 0;
}

int tr_samples_make(const ProtobufCMessageDescriptor *type, tr_sample *out, int capacity) {
    choices picker = {.name = type->short_name};
    int count = 0;
    do {
        assert(count < capacity);
        memset(picker.count, 0, sizeof picker.count);
        ProtobufCMessage *message = make(type, &picker, 0);
        size_t size = protobuf_c_message_get_packed_size(message);
        uint8_t *data = malloc(size ? size : 1);
        protobuf_c_message_pack(message, data);
        protobuf_c_message_free_unpacked(message, NULL);
        out[count++] = (tr_sample){.name = picker.name, .data = data, .size = size};
    } while (advance(&picker));
    return count;
}

void tr_samples_free(tr_sample *samples, int count) {
    for (int i = 0; i < count; i++)
        free(samples[i].data);
}
