#include "proto/record.h"

#include <stdlib.h>
#include <string.h>

/* --- memory --- */

struct tr_record_block {
    tr_record_block *next;
    max_align_t data[];
};

void *tr_record_take(tr_record_memory *memory, size_t count, size_t size) {
    if (count == 0)
        return NULL;
    bool fits = size == 0 || count <= (SIZE_MAX - sizeof(tr_record_block)) / size;
    tr_record_block *block = fits ? calloc(1, sizeof *block + count * size) : NULL;
    if (!block) {
        memory->failed = true;
        return NULL;
    }
    block->next = memory->blocks;
    memory->blocks = block;
    return block->data;
}

void tr_record_free(tr_record_memory *memory) {
    for (tr_record_block *next; memory->blocks; memory->blocks = next) {
        next = memory->blocks->next;
        free(memory->blocks);
    }
}

/* --- values --- */

/* A number of any type; texts pass as what they are. */
typedef struct value {
    double real;
    uint64_t whole; /* of integers: two's complement */
    const char *text;
} value;

#define LOAD(type) (*(const type *)at)

static value load(tr_record_type type, const void *at) {
    switch (type) {
    case TR_RECORD_BOOL:
        return (value){.whole = LOAD(bool), .real = LOAD(bool)};
    case TR_RECORD_INT32:
        return (value){.whole = (uint64_t)(int64_t)LOAD(int32_t), .real = LOAD(int32_t)};
    case TR_RECORD_UINT32:
        return (value){.whole = LOAD(uint32_t), .real = LOAD(uint32_t)};
    case TR_RECORD_INT64:
        return (value){.whole = (uint64_t)LOAD(int64_t), .real = (double)LOAD(int64_t)};
    case TR_RECORD_UINT64:
        return (value){.whole = LOAD(uint64_t), .real = (double)LOAD(uint64_t)};
    case TR_RECORD_FLOAT:
        return (value){.real = (double)LOAD(float)};
    case TR_RECORD_DOUBLE:
        return (value){.real = LOAD(double)};
    case TR_RECORD_TEXT:
        return (value){.text = LOAD(char *)};
    case TR_RECORD_CHARS:
        return (value){.text = at};
    default:
        return (value){0};
    }
}

static void store(tr_record_type type, value from, void *at) {
    switch (type) {
    case TR_RECORD_BOOL:
        *(bool *)at = from.whole != 0;
        break;
    case TR_RECORD_INT32:
        *(int32_t *)at = (int32_t)(uint32_t)from.whole;
        break;
    case TR_RECORD_UINT32:
        *(uint32_t *)at = (uint32_t)from.whole;
        break;
    case TR_RECORD_INT64:
    case TR_RECORD_UINT64:
        *(uint64_t *)at = from.whole;
        break;
    case TR_RECORD_FLOAT:
        *(float *)at = (float)from.real;
        break;
    case TR_RECORD_DOUBLE:
        *(double *)at = from.real;
        break;
    case TR_RECORD_TEXT:
        *(const char **)at = from.text ? from.text : "";
        break;
    default:
        break;
    }
}

static size_t count_of(const tr_record_field *field, const void *from) {
    const unsigned char *at = (const unsigned char *)from + field->count_offset;
    if (field->count_size == sizeof(size_t))
        return *(const size_t *)(const void *)at;
    int count = *(const int *)(const void *)at;
    return count > 0 ? (size_t)count : 0;
}

static void set_count(const tr_record_field *field, void *out, size_t count) {
    unsigned char *at = (unsigned char *)out + field->count_offset;
    if (field->count_size == sizeof(size_t))
        *(size_t *)(void *)at = count;
    else
        *(int *)(void *)at = (int)count;
}

/* --- from messages --- */

static void read_list(const tr_record_field *field, const unsigned char *message, void *out,
                      tr_record_memory *memory) {
    size_t count = message ? *(const size_t *)(const void *)(message + field->wire_count) : 0;
    void *const *from =
        message ? *(void *const *const *)(const void *)(message + field->wire_offset) : NULL;
    unsigned char *rows = tr_record_take(memory, count, field->record->size);
    for (size_t i = 0; rows && i < count; i++)
        tr_record_read(field->record, from[i], rows + i * field->record->size, memory);
    *(void **)(void *)((unsigned char *)out + field->offset) = rows;
    set_count(field, out, rows ? count : 0);
}

static void read_array(const tr_record_field *field, bool shares_count,
                       const unsigned char *message, void *out) {
    size_t count = message ? *(const size_t *)(const void *)(message + field->wire_count) : 0;
    *(void **)(void *)((unsigned char *)out + field->offset) =
        count > 0 ? *(void *const *)(const void *)(message + field->wire_offset) : NULL;
    if (!shares_count || count < count_of(field, out))
        set_count(field, out, count);
}

static void read_bytes(const tr_record_field *field, const void *at, void *out) {
    const ProtobufCBinaryData *bytes = at;
    *(const void **)(void *)((unsigned char *)out + field->offset) = bytes ? bytes->data : NULL;
    set_count(field, out, bytes ? bytes->len : 0);
}

tr_status tr_record_status(uint32_t code) {
    return code <= (uint32_t)-TR_UNAUTHENTICATED ? (tr_status)(-(int)code) : TR_UNKNOWN;
}

/* The vector or rotation that `at` points to; NULL: as it is by default. */
static void read_doubles(const tr_record_field *field, const void *at, double *out) {
    if (field->wire_type == TR_RECORD_VEC3) {
        const Troupe__Vec3 *v = at ? *(const Troupe__Vec3 *const *)at : NULL;
        memcpy(out, v ? (double[]){v->x, v->y, v->z} : (double[]){0, 0, 0}, 3 * sizeof *out);
    } else {
        const Troupe__Quat *q = at ? *(const Troupe__Quat *const *)at : NULL;
        memcpy(out, q ? (double[]){q->w, q->x, q->y, q->z} : (double[]){1, 0, 0, 0},
               4 * sizeof *out);
    }
}

static bool shares_count(const tr_record *record, const tr_record_field *field) {
    return field > record->field && field[-1].type == TR_RECORD_ARRAY &&
           field[-1].count_offset == field->count_offset;
}

void tr_record_read(const tr_record *record, const void *message, void *out,
                    tr_record_memory *memory) {
    for (const tr_record_field *f = record->field; f->type != TR_RECORD_NOTHING; f++) {
        const void *from = message ? (const unsigned char *)message + f->wire_offset : NULL;
        void *to = (unsigned char *)out + f->offset;
        switch (f->type) {
        case TR_RECORD_ONE:
            tr_record_read(f->record, from ? *(void *const *)from : NULL, to, memory);
            break;
        case TR_RECORD_LIST:
            read_list(f, message, out, memory);
            break;
        case TR_RECORD_ARRAY:
            read_array(f, shares_count(record, f), message, out);
            break;
        case TR_RECORD_BYTES:
            read_bytes(f, from, out);
            break;
        case TR_RECORD_STATUS:
            *(tr_status *)to = from ? tr_record_status(*(const uint32_t *)from) : TR_OK;
            break;
        case TR_RECORD_PRESENT:
            *(bool *)to = from && *(void *const *)from;
            break;
        case TR_RECORD_DOUBLES:
            read_doubles(f, from, to);
            break;
        default:
            store(f->type, from ? load(f->wire_type, from) : (value){0}, to);
        }
    }
}

/* --- to messages --- */

static void *write_vec3(const double v[3], tr_record_memory *memory) {
    Troupe__Vec3 *out = tr_record_take(memory, 1, sizeof *out);
    if (out) {
        troupe__vec3__init(out);
        out->x = v[0], out->y = v[1], out->z = v[2];
    }
    return out;
}

static void *write_quat(const double q[4], tr_record_memory *memory) {
    Troupe__Quat *out = tr_record_take(memory, 1, sizeof *out);
    bool given = q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0;
    if (out) {
        troupe__quat__init(out);
        out->w = given ? q[0] : 1, out->x = q[1], out->y = q[2], out->z = q[3];
    }
    return out;
}

static void write_many(const tr_record_field *field, const void *from, void *message,
                       tr_record_memory *memory) {
    void *rows = *(void *const *)(const void *)((const unsigned char *)from + field->offset);
    size_t count = count_of(field, from);
    void *many = field->type == TR_RECORD_ARRAY
                     ? rows
                     : tr_record_write_all(field->record, rows, count, memory);
    *(void **)(void *)((unsigned char *)message + field->wire_offset) = many;
    *(size_t *)(void *)((unsigned char *)message + field->wire_count) = many ? count : 0;
}

void *tr_record_write(const tr_record *record, const void *from, tr_record_memory *memory) {
    ProtobufCMessage *message = tr_record_take(memory, 1, record->message->sizeof_message);
    if (!message)
        return NULL;
    record->message->message_init(message);
    for (const tr_record_field *f = record->field; f->type != TR_RECORD_NOTHING; f++) {
        const void *member = (const unsigned char *)from + f->offset;
        void *to = (unsigned char *)message + f->wire_offset;
        if (f->type == TR_RECORD_LIST || f->type == TR_RECORD_ARRAY)
            write_many(f, from, message, memory);
        else if (f->type == TR_RECORD_ONE)
            *(void **)to = tr_record_write(f->record, member, memory);
        else if (f->type == TR_RECORD_BYTES)
            *(ProtobufCBinaryData *)to =
                (ProtobufCBinaryData){count_of(f, from), *(uint8_t *const *)member};
        else if (f->type == TR_RECORD_DOUBLES && f->wire_type == TR_RECORD_VEC3)
            *(void **)to = write_vec3(member, memory);
        else if (f->type == TR_RECORD_DOUBLES)
            *(void **)to = write_quat(member, memory);
        else
            store(f->wire_type, load(f->type, member), to);
    }
    return message;
}

void **tr_record_write_all(const tr_record *record, const void *from, size_t count,
                           tr_record_memory *memory) {
    void **messages = tr_record_take(memory, count, sizeof *messages);
    for (size_t i = 0; messages && i < count; i++) {
        messages[i] =
            tr_record_write(record, (const unsigned char *)from + i * record->size, memory);
        if (!messages[i])
            return NULL;
    }
    return messages;
}
