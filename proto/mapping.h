/* Mappings: plain structs copied from and to messages by tables, one row for the members of one kind.
 *
 *     static const tr_mapping clip_mapping = TR_MAPPING(
 *         tr_client_clip, troupe__clip,
 *         TR_COPY(tr_client_clip, Troupe__Clip, name, frame_count),
 *         TR_COPY_AS(tr_client_clip, started_ns, Troupe__Clip, started_unix_ns));
 *
 * Rows name members of both sides, and types follow from the members: a member that does not exist
 * or cannot be copied does not compile. Numbers are converted as in C (both sides of a row have the
 * same range). Texts, arrays and bytes are shared, not copied, so that the copy is valid only as
 * long as its source. Thread-safe: calls share no data. */
#ifndef TROUPE_PROTO_MAPPING_H
#define TROUPE_PROTO_MAPPING_H

#include "proto/each.h"
#include "proto/status.h"

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <troupe/geometry.pb-c.h>

/* --- memory for arrays and messages --- */

typedef struct tr_mapping_block tr_mapping_block;

/* Blocks that live until all are freed; zero-initialise it. */
typedef struct tr_mapping_memory {
    tr_mapping_block *blocks;
    bool failed;  /* an allocation failed: later results are incomplete */
    bool damaged; /* an array that was read had the wrong size */
} tr_mapping_memory;

/* Allocates [count] zeroed elements of `size` bytes. NULL: count is 0, or no memory (`failed` is
 * set). */
void *tr_mapping_take(tr_mapping_memory *memory, size_t count, size_t size);
void tr_mapping_free(tr_mapping_memory *memory);

/* --- tables --- */

typedef enum tr_mapping_type {
    TR_MAPPING_END, /* of a table */
    TR_MAPPING_BOOL,
    TR_MAPPING_INT32,  /* and the booleans of messages */
    TR_MAPPING_UINT32, /* and enums */
    TR_MAPPING_INT64,
    TR_MAPPING_UINT64,
    TR_MAPPING_FLOAT,
    TR_MAPPING_DOUBLE,
    TR_MAPPING_TEXT,    /* const char *; in messages never NULL */
    TR_MAPPING_CHARS,   /* char []; in structs only; cut to its size when read */
    TR_MAPPING_DOUBLES, /* [3] of a Vec3, [4] of a Quat */
    TR_MAPPING_VEC3,    /* a message; NULL: zeros */
    TR_MAPPING_QUAT,    /* a message; NULL: no rotation */
    TR_MAPPING_ONE,     /* a struct for a message; NULL: an empty message */
    TR_MAPPING_POINTER, /* a pointer to a struct; NULL: no message; only for writing */
    TR_MAPPING_MESSAGE, /* a pointer to the message itself */
    TR_MAPPING_LIST,    /* an array of structs for repeated messages */
    TR_MAPPING_ARRAY,   /* a repeated number, text or message, shared */
    TR_MAPPING_BYTES,   /* shared */
    TR_MAPPING_FLOATS,  /* float [] of a repeated float; only for reading */
    TR_MAPPING_HEX,     /* bytes for a text of hexadecimal digits; only for writing */
    TR_MAPPING_STATUS,  /* a tr_status for a StatusCode */
    TR_MAPPING_PRESENT  /* a bool: the message has this message; only for reading */
} tr_mapping_type;

typedef struct tr_mapping tr_mapping;

typedef struct tr_mapping_field {
    tr_mapping_type type, wire_type; /* in the struct, in the message */
    size_t offset, wire_offset;
    size_t size;                     /* of CHARS, FLOATS and HEX, bytes */
    size_t count_offset, wire_count; /* of lists and arrays; in the struct an int or a size_t */
    size_t count_size;               /* of the count in the struct, bytes */
    bool within;                     /* the list or array is inside the struct */
    const tr_mapping *mapping;       /* of ONE, POINTER and LIST */
    const uint32_t *choice;          /* of an enum: the other side's value, by this side's */
} tr_mapping_field;

struct tr_mapping {
    size_t size; /* of the struct, bytes */
    const ProtobufCMessageDescriptor *message;
    const tr_mapping_field *field; /* up to END */
};

/* Not a constant: a row with it does not compile. */
extern const tr_mapping_type tr_mapping_of_no_type;

#define TR_MAPPING_TYPE(Struct, member)                                                            \
    _Generic(&((Struct *)0)->member, bool *                                                        \
             : TR_MAPPING_BOOL, int32_t *                                                          \
             : TR_MAPPING_INT32, uint32_t *                                                        \
             : TR_MAPPING_UINT32, int64_t *                                                        \
             : TR_MAPPING_INT64, uint64_t *                                                        \
             : TR_MAPPING_UINT64, float *                                                          \
             : TR_MAPPING_FLOAT, double *                                                          \
             : TR_MAPPING_DOUBLE, const char **                                                    \
             : TR_MAPPING_TEXT, char **                                                            \
             : TR_MAPPING_TEXT, double(*)[3]                                                       \
             : TR_MAPPING_DOUBLES, double(*)[4]                                                    \
             : TR_MAPPING_DOUBLES, Troupe__Vec3 **                                                 \
             : TR_MAPPING_VEC3, Troupe__Quat **                                                    \
             : TR_MAPPING_QUAT, default                                                            \
             : _Generic(((Struct *)0)->member, char *                                              \
                        : TR_MAPPING_CHARS, default                                                \
                        : tr_mapping_of_no_type))

#define TR_COPY_MEMBERS(Struct, member, Message, wire)                                             \
    .offset = offsetof(Struct, member), .wire_offset = offsetof(Message, wire)
#define TR_COPY_COUNTED(Struct, count, member, Message, wire)                                      \
    TR_COPY_MEMBERS(Struct, member, Message, wire), .count_offset = offsetof(Struct, count),       \
                                                    .count_size = sizeof((Struct *)0)->count,      \
                                                    .wire_count = offsetof(Message, n_##wire)

/* Members of the same name on both sides: TR_COPY(Struct, Message, name, seed, threads). */
#define TR_COPY(Struct, Message, ...) TR_EACH(TR_COPY_SAME, Struct, Message, __VA_ARGS__)
#define TR_COPY_SAME(Struct, Message, member) TR_COPY_AS(Struct, member, Message, member)
/* Members of two names. */
#define TR_COPY_AS(Struct, member, Message, wire)                                                  \
    {                                                                                              \
        TR_COPY_MEMBERS(Struct, member, Message, wire),                                            \
            .size = sizeof((Struct *)0)->member, .type = TR_MAPPING_TYPE(Struct, member),          \
            .wire_type = TR_MAPPING_TYPE(Message, wire)                                            \
    }
/* Enums whose values differ. choices: an array of uint32_t, the other side's value by this side's. */
#define TR_COPY_CHOICE(Struct, member, Message, wire, choices)                                     \
    {                                                                                              \
        TR_COPY_MEMBERS(Struct, member, Message, wire),                                            \
            .type = TR_MAPPING_UINT32, .wire_type = TR_MAPPING_UINT32, .choice = (choices)         \
    }
/* Vectors or rotations that the struct has as a struct of three or four doubles. */
#define TR_COPY_DOUBLES(Struct, Message, ...)                                                      \
    TR_EACH(TR_COPY_DOUBLES_SAME, Struct, Message, __VA_ARGS__)
#define TR_COPY_DOUBLES_SAME(Struct, Message, member)                                              \
    TR_COPY_DOUBLES_AS(Struct, member, Message, member)
#define TR_COPY_DOUBLES_AS(Struct, member, Message, wire)                                          \
    {                                                                                              \
        TR_COPY_MEMBERS(Struct, member, Message, wire),                                            \
            .type = TR_MAPPING_DOUBLES, .wire_type = TR_MAPPING_TYPE(Message, wire)                \
    }
/* A struct inside the struct, a message inside the message. */
#define TR_COPY_ONE(Struct, member, Message, wire, its_mapping)                                    \
    {                                                                                              \
        TR_COPY_MEMBERS(Struct, member, Message, wire), .type = TR_MAPPING_ONE,                    \
                                                        .mapping = &(its_mapping)                  \
    }
/* A pointer to a struct, a message inside the message. */
#define TR_COPY_POINTER(Struct, member, Message, wire, its_mapping)                                \
    {                                                                                              \
        TR_COPY_MEMBERS(Struct, member, Message, wire), .type = TR_MAPPING_POINTER,                \
                                                        .mapping = &(its_mapping)                  \
    }
#define TR_COPY_MESSAGE(Struct, member, Message, wire)                                             \
    { TR_COPY_MEMBERS(Struct, member, Message, wire), .type = TR_MAPPING_MESSAGE }
/* An array of structs with its count, repeated messages. */
#define TR_COPY_LIST(Struct, count, member, Message, wire, its_mapping)                            \
    {                                                                                              \
        TR_COPY_COUNTED(Struct, count, member, Message, wire), .type = TR_MAPPING_LIST,            \
                                                               .mapping = &(its_mapping)           \
    }
/* The same for an array inside the struct. Only for writing. */
#define TR_COPY_LIST_WITHIN(Struct, count, member, Message, wire, its_mapping)                     \
    {                                                                                              \
        TR_COPY_COUNTED(Struct, count, member, Message, wire),                                     \
            .type = TR_MAPPING_LIST, .within = true, .mapping = &(its_mapping)                     \
    }
/* An array of numbers, texts or messages with its count. Neighbouring rows may share a count in the
 * struct; it is the smallest of their counts. */
#define TR_COPY_ARRAY(Struct, count, member, Message, wire)                                        \
    { TR_COPY_COUNTED(Struct, count, member, Message, wire), .type = TR_MAPPING_ARRAY }
/* The same for an array inside the struct. Only for writing. */
#define TR_COPY_ARRAY_WITHIN(Struct, count, member, Message, wire)                                 \
    {                                                                                              \
        TR_COPY_COUNTED(Struct, count, member, Message, wire), .type = TR_MAPPING_ARRAY,           \
                                                               .within = true                      \
    }
/* Vectors and rotations of floats, which are repeated floats in the message. An absent one is zero,
 * or no rotation; one of the wrong size leaves zeros and sets `damaged`. Only for reading. */
#define TR_COPY_FLOATS(Struct, Message, ...)                                                       \
    TR_EACH(TR_COPY_FLOATS_SAME, Struct, Message, __VA_ARGS__)
#define TR_COPY_FLOATS_SAME(Struct, Message, member)                                               \
    {                                                                                              \
        TR_COPY_MEMBERS(Struct, member, Message, member),                                          \
            .type = TR_MAPPING_FLOATS, .size = sizeof((Struct *)0)->member,                        \
            .wire_count = offsetof(Message, n_##member)                                            \
    }
/* Bytes with their size. */
#define TR_COPY_BYTES(Struct, count, member, Message, wire)                                        \
    {                                                                                              \
        TR_COPY_MEMBERS(Struct, member, Message, wire), .type = TR_MAPPING_BYTES,                  \
                                                        .count_offset = offsetof(Struct, count),   \
                                                        .count_size = sizeof((Struct *)0)->count   \
    }
#define TR_COPY_HEX(Struct, member, Message, wire)                                                 \
    {                                                                                              \
        TR_COPY_MEMBERS(Struct, member, Message, wire), .type = TR_MAPPING_HEX,                    \
                                                        .size = sizeof((Struct *)0)->member        \
    }
#define TR_COPY_STATUS(Struct, member, Message, wire)                                              \
    { TR_COPY_MEMBERS(Struct, member, Message, wire), .type = TR_MAPPING_STATUS }
#define TR_COPY_PRESENT(Struct, member, Message, wire)                                             \
    { TR_COPY_MEMBERS(Struct, member, Message, wire), .type = TR_MAPPING_PRESENT }

/* Outside functions: the table must live as long as the program. */
#define TR_MAPPING(Struct, message_name, ...)                                                      \
    {                                                                                              \
        .size = sizeof(Struct), .message = &message_name##__descriptor,                            \
        .field = (const tr_mapping_field[]) {                                                      \
            __VA_ARGS__, {                                                                         \
                .type = TR_MAPPING_END                                                             \
            }                                                                                      \
        }                                                                                          \
    }

/* --- copies --- */

/* A StatusCode as a status; TR_UNKNOWN for unlisted codes. */
tr_status tr_mapping_status(uint32_t code);

/* Fills the members of *out that have rows; the others keep their values. message: a
 * mapping->message; NULL: an empty one. Arrays of structs are allocated from `memory`; if that
 * fails they are empty. */
void tr_mapping_read(const tr_mapping *mapping, const void *message, void *out,
                     tr_mapping_memory *memory);

/* The count of a list, an array or bytes. from: the struct. */
size_t tr_mapping_count(const tr_mapping_field *field, const void *from);

/* Makes a message from the struct, allocated from `memory`; valid as long as `memory` and the
 * struct. NULL: no memory. A NULL text is empty. Vectors and rotations are always written, and a
 * zero quaternion means no rotation. */
void *tr_mapping_write(const tr_mapping *mapping, const void *from, tr_mapping_memory *memory);

/* Makes repeated messages from [count] structs, as an array of pointers. NULL: count is 0, or no
 * memory. */
void **tr_mapping_write_all(const tr_mapping *mapping, const void *from, size_t count,
                            tr_mapping_memory *memory);

#endif
