#include "proto/mapping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tr_mapping_type tr_mapping_of_no_type = TR_MAPPING_END;

/* --- memory --- */

struct tr_mapping_block {
    tr_mapping_block *next;
    max_align_t data[];
};

void *tr_mapping_take(tr_mapping_memory *memory, size_t count, size_t size) {
    if (count == 0)
        return NULL;
    tr_mapping_block *block = calloc(1, sizeof *block + count * size);
    if (!block) {
        memory->failed = true;
        return NULL;
    }
    block->next = memory->blocks;
    memory->blocks = block;
    return block->data;
}

void tr_mapping_free(tr_mapping_memory *memory) {
    for (tr_mapping_block *next; memory->blocks; memory->blocks = next) {
        next = memory->blocks->next;
        free(memory->blocks);
    }
}

/* --- values --- */

/* A number of any type, or a text. */
typedef struct value {
    double real;
    uint64_t whole; /* integers: two's complement */
    const char *text;
} value;

#define LOAD(type) (*(const type *)at)

static value load(tr_mapping_type type, const void *at) {
    switch (type) {
    case TR_MAPPING_BOOL:
        return (value){.whole = LOAD(bool), .real = LOAD(bool)};
    case TR_MAPPING_INT32:
        return (value){.whole = (uint64_t)(int64_t)LOAD(int32_t), .real = LOAD(int32_t)};
    case TR_MAPPING_UINT32:
        return (value){.whole = LOAD(uint32_t), .real = LOAD(uint32_t)};
    case TR_MAPPING_INT64:
        return (value){.whole = (uint64_t)LOAD(int64_t), .real = (double)LOAD(int64_t)};
    case TR_MAPPING_UINT64:
        return (value){.whole = LOAD(uint64_t), .real = (double)LOAD(uint64_t)};
    case TR_MAPPING_FLOAT:
        return (value){.real = (double)LOAD(float)};
    case TR_MAPPING_DOUBLE:
        return (value){.real = LOAD(double)};
    case TR_MAPPING_TEXT:
        return (value){.text = LOAD(char *)};
    case TR_MAPPING_CHARS:
        return (value){.text = at};
    default:
        return (value){0};
    }
}

static void store(tr_mapping_type type, value from, size_t size, void *at) {
    switch (type) {
    case TR_MAPPING_BOOL:
        *(bool *)at = from.whole != 0;
        break;
    case TR_MAPPING_INT32:
        *(int32_t *)at = (int32_t)(uint32_t)from.whole;
        break;
    case TR_MAPPING_UINT32:
        *(uint32_t *)at = (uint32_t)from.whole;
        break;
    case TR_MAPPING_INT64:
    case TR_MAPPING_UINT64:
        *(uint64_t *)at = from.whole;
        break;
    case TR_MAPPING_FLOAT:
        *(float *)at = (float)from.real;
        break;
    case TR_MAPPING_DOUBLE:
        *(double *)at = from.real;
        break;
    case TR_MAPPING_TEXT:
        *(const char **)at = from.text ? from.text : "";
        break;
    case TR_MAPPING_CHARS:
        snprintf(at, size, "%s", from.text ? from.text : "");
        break;
    default:
        break;
    }
}

static value choose(const tr_mapping_field *field, value from) {
    if (!field->choice)
        return from;
    return (value){.whole = from.whole < field->choice_count ? field->choice[from.whole] : 0};
}

static size_t int_at(const void *from, size_t offset) {
    int count = *(const int *)(const void *)((const unsigned char *)from + offset);
    return count > 0 ? (size_t)count : 0;
}

size_t tr_mapping_count(const tr_mapping_field *field, const void *from) {
    if (field->count_size == sizeof(size_t))
        return *(const size_t *)(const void *)((const unsigned char *)from + field->count_offset);
    size_t count = int_at(from, field->count_offset);
    return field->type == TR_MAPPING_TRIPLES ? 3 * count
           : field->type == TR_MAPPING_GRID  ? count * int_at(from, field->rows_offset)
                                             : count;
}

static void set_count(const tr_mapping_field *field, void *out, size_t count) {
    unsigned char *at = (unsigned char *)out + field->count_offset;
    if (field->count_size == sizeof(size_t))
        *(size_t *)(void *)at = count;
    else
        *(int *)(void *)at = (int)count;
}

/* --- from messages --- */

static void read_list(const tr_mapping_field *field, const unsigned char *message, void *out,
                      tr_mapping_memory *memory) {
    size_t count = message ? *(const size_t *)(const void *)(message + field->wire_count) : 0;
    void *const *from =
        message ? *(void *const *const *)(const void *)(message + field->wire_offset) : NULL;
    unsigned char *rows = tr_mapping_take(memory, count, field->mapping->size);
    for (size_t i = 0; rows && i < count; i++)
        tr_mapping_read(field->mapping, from[i], rows + i * field->mapping->size, memory);
    *(void **)(void *)((unsigned char *)out + field->offset) = rows;
    set_count(field, out, rows ? count : 0);
}

/* Shares the numbers of the message; returns how many. */
static size_t share_numbers(const tr_mapping_field *field, const unsigned char *message,
                            void *out) {
    size_t count = message ? *(const size_t *)(const void *)(message + field->wire_count) : 0;
    *(void **)(void *)((unsigned char *)out + field->offset) =
        count > 0 ? *(void *const *)(const void *)(message + field->wire_offset) : NULL;
    return count;
}

static void read_array(const tr_mapping_field *field, bool shares_count,
                       const unsigned char *message, void *out) {
    size_t count = share_numbers(field, message, out);
    if (!shares_count || count < tr_mapping_count(field, out))
        set_count(field, out, count);
}

static void read_triples(const tr_mapping_field *field, const unsigned char *message, void *out,
                         tr_mapping_memory *memory) {
    size_t count = share_numbers(field, message, out);
    set_count(field, out, count / 3);
    memory->damaged |= count % 3 != 0;
}

static void read_grid(const tr_mapping_field *field, const unsigned char *message, void *out,
                      tr_mapping_memory *memory) {
    size_t count = share_numbers(field, message, out);
    memory->damaged |= count > 0 && count != tr_mapping_count(field, out);
}

static bool has_case(const tr_mapping_field *field, const void *message) {
    const unsigned char *at = (const unsigned char *)message + field->case_offset;
    return field->case_number == 0 ||
           (message && *(const uint32_t *)(const void *)at == field->case_number);
}

static void read_pointer(const tr_mapping_field *field, const void *at, void *out,
                         tr_mapping_memory *memory) {
    const void *message = at ? *(void *const *)at : NULL;
    void *to = message ? tr_mapping_take(memory, 1, field->mapping->size) : NULL;
    if (to)
        tr_mapping_read(field->mapping, message, to, memory);
    *(void **)out = to;
}

static void read_bytes(const tr_mapping_field *field, const void *at, void *out) {
    const ProtobufCBinaryData *bytes = at;
    *(const void **)(void *)((unsigned char *)out + field->offset) = bytes ? bytes->data : NULL;
    set_count(field, out, bytes ? bytes->len : 0);
}

tr_status tr_mapping_status(uint32_t code) {
    return code <= (uint32_t)-TR_UNAUTHENTICATED ? (tr_status)(-(int)code) : TR_UNKNOWN;
}

/* Reads the vector or rotation that `at` points to; NULL: the default. */
static void read_doubles(const tr_mapping_field *field, const void *at, double *out) {
    if (field->wire_type == TR_MAPPING_VEC3) {
        const Troupe__Vec3 *v = at ? *(const Troupe__Vec3 *const *)at : NULL;
        memcpy(out, v ? (double[]){v->x, v->y, v->z} : (double[]){0, 0, 0}, 3 * sizeof *out);
    } else {
        const Troupe__Quat *q = at ? *(const Troupe__Quat *const *)at : NULL;
        memcpy(out, q ? (double[]){q->w, q->x, q->y, q->z} : (double[]){1, 0, 0, 0},
               4 * sizeof *out);
    }
}

static void read_floats(const tr_mapping_field *field, const unsigned char *message, float *out,
                        tr_mapping_memory *memory) {
    size_t room = field->size / sizeof *out;
    size_t count = message ? *(const size_t *)(const void *)(message + field->wire_count) : 0;
    memset(out, 0, field->size);
    if (room == 4)
        out[0] = 1;
    if (message && count == room)
        memcpy(out, *(float *const *)(const void *)(message + field->wire_offset), field->size);
    else if (count > 0)
        memory->damaged = true;
}

static bool shares_count(const tr_mapping *mapping, const tr_mapping_field *field) {
    return field > mapping->field && field[-1].type == TR_MAPPING_ARRAY &&
           field[-1].count_offset == field->count_offset;
}

void tr_mapping_read(const tr_mapping *mapping, const void *message, void *out,
                     tr_mapping_memory *memory) {
    for (const tr_mapping_field *f = mapping->field; f->type != TR_MAPPING_END; f++) {
        const void *from = message && has_case(f, message)
                               ? (const unsigned char *)message + f->wire_offset
                               : NULL;
        void *to = (unsigned char *)out + f->offset;
        switch (f->type) {
        case TR_MAPPING_ONE:
            tr_mapping_read(f->mapping, from ? *(void *const *)from : NULL, to, memory);
            break;
        case TR_MAPPING_LIST:
            read_list(f, message, out, memory);
            break;
        case TR_MAPPING_ARRAY:
            read_array(f, shares_count(mapping, f), message, out);
            break;
        case TR_MAPPING_POINTER:
            read_pointer(f, from, to, memory);
            break;
        case TR_MAPPING_TRIPLES:
            read_triples(f, message, out, memory);
            break;
        case TR_MAPPING_GRID:
            read_grid(f, message, out, memory);
            break;
        case TR_MAPPING_BYTES:
            read_bytes(f, from, out);
            break;
        case TR_MAPPING_STATUS:
            *(tr_status *)to = from ? tr_mapping_status(*(const uint32_t *)from) : TR_OK;
            break;
        case TR_MAPPING_PRESENT:
            *(bool *)to = from && *(void *const *)from;
            break;
        case TR_MAPPING_DOUBLES:
            read_doubles(f, from, to);
            break;
        case TR_MAPPING_FLOATS:
            read_floats(f, message, to, memory);
            break;
        case TR_MAPPING_MESSAGE:
            *(void **)to = from ? *(void *const *)from : NULL;
            break;
        default:
            store(f->type, choose(f, from ? load(f->wire_type, from) : (value){0}), f->size, to);
        }
    }
}

/* --- to messages --- */

static void *write_vec3(const double v[3], tr_mapping_memory *memory) {
    Troupe__Vec3 *out = tr_mapping_take(memory, 1, sizeof *out);
    if (out) {
        troupe__vec3__init(out);
        out->x = v[0], out->y = v[1], out->z = v[2];
    }
    return out;
}

static void *write_quat(const double q[4], tr_mapping_memory *memory) {
    Troupe__Quat *out = tr_mapping_take(memory, 1, sizeof *out);
    bool given = q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0;
    if (out) {
        troupe__quat__init(out);
        out->w = given ? q[0] : 1, out->x = q[1], out->y = q[2], out->z = q[3];
    }
    return out;
}

static void write_many(const tr_mapping_field *field, const void *from, void *message,
                       tr_mapping_memory *memory) {
    const void *member = (const unsigned char *)from + field->offset;
    const void *rows = field->within ? member : *(void *const *)member;
    size_t count = tr_mapping_count(field, from);
    const void *many = field->type == TR_MAPPING_LIST
                           ? tr_mapping_write_all(field->mapping, rows, count, memory)
                           : rows;
    *(const void **)(void *)((unsigned char *)message + field->wire_offset) = many;
    *(size_t *)(void *)((unsigned char *)message + field->wire_count) = many ? count : 0;
}

static void write_pointer(const tr_mapping_field *field, const void *from, void *message,
                          tr_mapping_memory *memory) {
    if (!from)
        return;
    if (field->case_number != 0)
        *(uint32_t *)(void *)((unsigned char *)message + field->case_offset) = field->case_number;
    *(void **)(void *)((unsigned char *)message + field->wire_offset) =
        tr_mapping_write(field->mapping, from, memory);
}

static const char *write_hex(const unsigned char *bytes, size_t size, tr_mapping_memory *memory) {
    char *text = tr_mapping_take(memory, 2 * size + 1, 1);
    for (size_t i = 0; text && i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return text ? text : "";
}

static void write_field(const tr_mapping_field *f, const void *from, void *message,
                        tr_mapping_memory *memory) {
    const void *member = (const unsigned char *)from + f->offset;
    void *to = (unsigned char *)message + f->wire_offset;
    if (f->type != TR_MAPPING_POINTER && !has_case(f, message))
        return;
    switch (f->type) {
    case TR_MAPPING_LIST:
    case TR_MAPPING_ARRAY:
    case TR_MAPPING_TRIPLES:
    case TR_MAPPING_GRID:
        write_many(f, from, message, memory);
        break;
    case TR_MAPPING_ONE:
        *(void **)to = tr_mapping_write(f->mapping, member, memory);
        break;
    case TR_MAPPING_POINTER:
        write_pointer(f, *(const void *const *)member, message, memory);
        break;
    case TR_MAPPING_MESSAGE:
        *(const void **)to = *(const void *const *)member;
        break;
    case TR_MAPPING_BYTES:
        *(ProtobufCBinaryData *)to =
            (ProtobufCBinaryData){tr_mapping_count(f, from), *(uint8_t *const *)member};
        break;
    case TR_MAPPING_HEX:
        *(const char **)to = write_hex(member, f->size, memory);
        break;
    case TR_MAPPING_STATUS:
        *(uint32_t *)to = (uint32_t) - *(const tr_status *)member;
        break;
    case TR_MAPPING_DOUBLES:
        *(void **)to = f->wire_type == TR_MAPPING_VEC3 ? write_vec3(member, memory)
                                                       : write_quat(member, memory);
        break;
    default:
        store(f->wire_type, choose(f, load(f->type, member)), 0, to);
    }
}

void *tr_mapping_write(const tr_mapping *mapping, const void *from, tr_mapping_memory *memory) {
    ProtobufCMessage *message = tr_mapping_take(memory, 1, mapping->message->sizeof_message);
    if (!message)
        return NULL;
    mapping->message->message_init(message);
    for (const tr_mapping_field *f = mapping->field; f->type != TR_MAPPING_END; f++)
        write_field(f, from, message, memory);
    return message;
}

void **tr_mapping_write_all(const tr_mapping *mapping, const void *from, size_t count,
                            tr_mapping_memory *memory) {
    void **messages = tr_mapping_take(memory, count, sizeof *messages);
    for (size_t i = 0; messages && i < count; i++) {
        messages[i] =
            tr_mapping_write(mapping, (const unsigned char *)from + i * mapping->size, memory);
        if (!messages[i])
            return NULL;
    }
    return messages;
}
