/* Records: plain structs copied from and to messages by tables, one row for each field.
 *
 *     static const tr_record_field clip_fields[] = {
 *         TR_COPY(tr_client_clip, Troupe__Clip, name),
 *         TR_COPY(tr_client_clip, Troupe__Clip, frame_count),
 *         TR_RECORD_END};
 *     static const tr_record clip = TR_RECORD(tr_client_clip, troupe__clip, clip_fields);
 *
 * Rows name members of both sides, and their types follow from the members: what is not there or
 * cannot be copied does not compile. Numbers are converted as C does (the two sides of a row mean the
 * same range); texts, arrays and bytes are shared, not copied, so that the copy lives as long as what
 * it was made of. Thread-safe: nothing is shared between calls. */
#ifndef TROUPE_PROTO_RECORD_H
#define TROUPE_PROTO_RECORD_H

#include "proto/status.h"

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <troupe/geometry.pb-c.h>

/* --- memory for arrays and messages --- */

typedef struct tr_record_block tr_record_block;

/* Blocks that live until all are freed; zero-initialise it. */
typedef struct tr_record_memory {
    tr_record_block *blocks;
    bool failed; /* memory was out: what was made since is incomplete */
} tr_record_memory;

/* Zeroed: [count] of `size` bytes. NULL when count is 0, or when memory is out (`failed` is set). */
void *tr_record_take(tr_record_memory *memory, size_t count, size_t size);
void tr_record_free(tr_record_memory *memory);

/* --- tables --- */

typedef enum tr_record_type {
    TR_RECORD_NOTHING, /* ends a table */
    TR_RECORD_BOOL,
    TR_RECORD_INT32,  /* and the booleans of messages */
    TR_RECORD_UINT32, /* and enums */
    TR_RECORD_INT64,
    TR_RECORD_UINT64,
    TR_RECORD_FLOAT,
    TR_RECORD_DOUBLE,
    TR_RECORD_TEXT,    /* const char *; in messages never NULL */
    TR_RECORD_CHARS,   /* char []; in structs alone */
    TR_RECORD_DOUBLES, /* [3] of a Vec3, [4] of a Quat */
    TR_RECORD_VEC3,    /* a message; NULL: zeros */
    TR_RECORD_QUAT,    /* a message; NULL: no rotation */
    TR_RECORD_ONE,     /* a record in place of a message; NULL: an empty message */
    TR_RECORD_LIST,    /* an array of records in place of repeated messages */
    TR_RECORD_ARRAY,   /* a repeated number or text, shared */
    TR_RECORD_BYTES,   /* shared */
    TR_RECORD_STATUS,  /* a tr_status in place of a StatusCode; read alone */
    TR_RECORD_PRESENT  /* a bool: the message has this message; read alone */
} tr_record_type;

typedef struct tr_record tr_record;

typedef struct tr_record_field {
    tr_record_type type, wire_type; /* in the struct, in the message */
    size_t offset, wire_offset;
    size_t count_offset, wire_count; /* of lists and arrays; in the struct an int or a size_t */
    size_t count_size;               /* of the count in the struct, bytes */
    const tr_record *record;         /* of ONE and LIST */
} tr_record_field;

struct tr_record {
    size_t size; /* of the struct, bytes */
    const ProtobufCMessageDescriptor *message;
    const tr_record_field *field; /* ends with TR_RECORD_END */
};

#define TR_RECORD_TYPE(Struct, member)                                                             \
    _Generic(&((Struct *)0)->member, bool *                                                        \
             : TR_RECORD_BOOL, int32_t *                                                           \
             : TR_RECORD_INT32, uint32_t *                                                         \
             : TR_RECORD_UINT32, int64_t *                                                         \
             : TR_RECORD_INT64, uint64_t *                                                         \
             : TR_RECORD_UINT64, float *                                                           \
             : TR_RECORD_FLOAT, double *                                                           \
             : TR_RECORD_DOUBLE, const char **                                                     \
             : TR_RECORD_TEXT, char **                                                             \
             : TR_RECORD_TEXT, double(*)[3]                                                        \
             : TR_RECORD_DOUBLES, double(*)[4]                                                     \
             : TR_RECORD_DOUBLES, Troupe__Vec3 **                                                  \
             : TR_RECORD_VEC3, Troupe__Quat **                                                     \
             : TR_RECORD_QUAT)

/* A row for members of one name, or of two. */
#define TR_COPY(Struct, Message, member) TR_COPY_AS(Struct, member, Message, member)
#define TR_COPY_AS(Struct, member, Message, wire)                                                  \
    {                                                                                              \
        .type = TR_RECORD_TYPE(Struct, member), .wire_type = TR_RECORD_TYPE(Message, wire),        \
        .offset = offsetof(Struct, member), .wire_offset = offsetof(Message, wire)                 \
    }
/* A text that lies in the struct as an array of characters. Written alone. */
#define TR_COPY_CHARS(Struct, member, Message, wire)                                               \
    {                                                                                              \
        .type = TR_RECORD_CHARS, .wire_type = TR_RECORD_TYPE(Message, wire),                       \
        .offset = offsetof(Struct, member), .wire_offset = offsetof(Message, wire)                 \
    }
/* A vector or rotation that lies in the struct as a struct of three or four doubles. */
#define TR_COPY_DOUBLES(Struct, member, Message, wire)                                             \
    {                                                                                              \
        .type = TR_RECORD_DOUBLES, .wire_type = TR_RECORD_TYPE(Message, wire),                     \
        .offset = offsetof(Struct, member), .wire_offset = offsetof(Message, wire)                 \
    }
/* A struct in the struct, a message in the message. */
#define TR_COPY_ONE(Struct, member, Message, wire, its_record)                                     \
    {                                                                                              \
        .type = TR_RECORD_ONE, .offset = offsetof(Struct, member),                                 \
        .wire_offset = offsetof(Message, wire), .record = &(its_record)                            \
    }
/* An array of structs with its count, repeated messages. */
#define TR_COPY_LIST(Struct, count, member, Message, wire, its_record)                             \
    {                                                                                              \
        .type = TR_RECORD_LIST, .offset = offsetof(Struct, member),                                \
        .count_offset = offsetof(Struct, count), .count_size = sizeof((Struct *)0)->count,         \
        .wire_offset = offsetof(Message, wire), .wire_count = offsetof(Message, n_##wire),         \
        .record = &(its_record)                                                                    \
    }
/* An array of numbers or texts with its count. Neighbouring rows may share a count in the struct: it is
 * that of the shortest. */
#define TR_COPY_ARRAY(Struct, count, member, Message, wire)                                        \
    {                                                                                              \
        .type = TR_RECORD_ARRAY, .offset = offsetof(Struct, member),                               \
        .count_offset = offsetof(Struct, count), .count_size = sizeof((Struct *)0)->count,         \
        .wire_offset = offsetof(Message, wire), .wire_count = offsetof(Message, n_##wire)          \
    }
/* Bytes with their size. */
#define TR_COPY_BYTES(Struct, count, member, Message, wire)                                        \
    {                                                                                              \
        .type = TR_RECORD_BYTES, .offset = offsetof(Struct, member),                               \
        .count_offset = offsetof(Struct, count), .count_size = sizeof((Struct *)0)->count,         \
        .wire_offset = offsetof(Message, wire)                                                     \
    }
#define TR_COPY_STATUS(Struct, member, Message, wire)                                              \
    {                                                                                              \
        .type = TR_RECORD_STATUS, .offset = offsetof(Struct, member),                              \
        .wire_offset = offsetof(Message, wire)                                                     \
    }
#define TR_COPY_PRESENT(Struct, member, Message, wire)                                             \
    {                                                                                              \
        .type = TR_RECORD_PRESENT, .offset = offsetof(Struct, member),                             \
        .wire_offset = offsetof(Message, wire)                                                     \
    }
#define TR_RECORD_END                                                                              \
    { .type = TR_RECORD_NOTHING }
#define TR_RECORD(Struct, message_name, fields)                                                    \
    { .size = sizeof(Struct), .message = &message_name##__descriptor, .field = (fields) }

/* --- copies --- */

/* A StatusCode as a status; what is out of the list is TR_UNKNOWN. */
tr_status tr_record_status(uint32_t code);

/* Fills the members of *out that have rows; the others are as they were. message: of record->message;
 * NULL: as an empty one. Arrays of records are taken from `memory`; where it has none they are empty. */
void tr_record_read(const tr_record *record, const void *message, void *out,
                    tr_record_memory *memory);

/* A message of the struct, from `memory`, which lives as long as that and the struct. NULL: no memory. A
 * text that is NULL is empty; a vector or rotation is always there, and a rotation of zeros is none. */
void *tr_record_write(const tr_record *record, const void *from, tr_record_memory *memory);

/* Repeated messages: [count] structs as an array of pointers. NULL: none, or no memory. */
void **tr_record_write_all(const tr_record *record, const void *from, size_t count,
                           tr_record_memory *memory);

#endif
