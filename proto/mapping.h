/* Mappings: plain structs copied from and to messages by tables, one row for the members of one
 * kind.
 *
 *     static const tr_mapping run_mapping =
 *         TR_MAPPING(tr_client_training_run, RunSummary, run_summary, TR_COPY(name, seed, threads),
 *                    TR_COPY_AS(started_ns, started_unix_ns));
 *
 * A table has the struct, the message (Troupe__RunSummary) and its descriptor
 * (troupe__run_summary__descriptor). Rows name members of both sides, and types follow from the
 * members: a member that does not exist or cannot be copied does not compile. Numbers are
 * converted as in C (both sides of a row have the same range). Texts, arrays and bytes are shared,
 * not copied, so that the copy is valid only as long as its source and the memory that it took.
 * Thread-safe: calls share no data. */
#pragma once

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
    TR_MAPPING_POINTER, /* a pointer to a struct; NULL: no message */
    TR_MAPPING_MESSAGE, /* a pointer to the message itself */
    TR_MAPPING_LIST,    /* an array of structs for repeated messages */
    TR_MAPPING_ARRAY,   /* a repeated number, text or message, shared */
    TR_MAPPING_TRIPLES, /* the same, three for each that is counted */
    TR_MAPPING_GRID,    /* the same, columns x rows */
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
    size_t size;                     /* of numbers, texts, FLOATS and HEX in the struct, bytes */
    size_t count_offset, wire_count; /* of lists and arrays; in the struct an int or a size_t */
    size_t count_size;               /* of the count in the struct, bytes */
    bool within;                     /* the list or array is inside the struct */
    size_t rows_offset;              /* of GRID; count_offset has the columns */
    size_t case_offset;              /* of a field of a oneof: which one the message has, ... */
    uint32_t case_number;            /* ... and the number of this one; 0: no oneof */
    const tr_mapping *mapping;       /* of ONE, POINTER and LIST */
    const uint32_t *choice;          /* of an enum: the other side's value, by this side's ... */
    size_t choice_count;             /* ... which is below this; else 0 */
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

/* Rows. Where a row names one member, both sides have it under this name; rows that end in _AS name
 * the member of the struct and then the member of the message. */

#define TR_COPY(...) (TR_ROW_COPY, __VA_ARGS__) /* TR_COPY(name, seed, threads) */
#define TR_COPY_AS(member, wire) (TR_ROW_AS, member, wire)
/* Members of a struct inside the struct: TR_COPY_IN(row, name, seed) for row.name and row.seed. */
#define TR_COPY_IN(...) (TR_ROW_IN, __VA_ARGS__)
/* Enums whose values differ. choices: an array of uint32_t, the other side's value by this side's;
 * a value beyond its end becomes 0. */
#define TR_COPY_CHOICE(member, choices) TR_COPY_CHOICE_AS(member, member, choices)
#define TR_COPY_CHOICE_AS(member, wire, choices) (TR_ROW_CHOICE, member, wire, choices)
/* Vectors or rotations that the struct has as a struct of three or four doubles. */
#define TR_COPY_DOUBLES(...) (TR_ROW_DOUBLES, __VA_ARGS__)
#define TR_COPY_DOUBLES_AS(member, wire) (TR_ROW_DOUBLES_AS, member, wire)
/* A struct inside the struct, a message inside the message. */
#define TR_COPY_ONE(member, mapping) TR_COPY_ONE_AS(member, member, mapping)
#define TR_COPY_ONE_AS(member, wire, mapping) (TR_ROW_ONE, member, wire, mapping, TR_MAPPING_ONE)
/* The same, with the members of the message's own struct. */
#define TR_COPY_SELF(wire, mapping) (TR_ROW_SELF, wire, mapping)
/* A pointer to a struct, a message inside the message. */
#define TR_COPY_POINTER(member, mapping) TR_COPY_POINTER_AS(member, member, mapping)
#define TR_COPY_POINTER_AS(member, wire, mapping)                                                  \
    (TR_ROW_ONE, member, wire, mapping, TR_MAPPING_POINTER)
/* Members of a oneof, copied if it has this case: TR_COPY_CASE(toward, aim, AIM_TOWARD). A row for
 * `aim_case` stands before them. A pointer that is not NULL sets the case itself. */
#define TR_COPY_CASE(member, oneof, number) (TR_ROW_CASE, member, oneof, number)
#define TR_COPY_CASE_POINTER(member, mapping, oneof, number)                                       \
    (TR_ROW_CASE_POINTER, member, mapping, oneof, number)
/* A pointer to the message itself. */
#define TR_COPY_MESSAGE(member) (TR_ROW_TYPE, member, member, TR_MAPPING_MESSAGE)
/* An array of structs with its count, repeated messages. */
#define TR_COPY_LIST(count, member, mapping) TR_COPY_LIST_AS(count, member, member, mapping)
#define TR_COPY_LIST_AS(count, member, wire, mapping)                                              \
    (TR_ROW_LIST, count, member, wire, mapping, false)
/* The same for an array inside the struct. Only for writing. */
#define TR_COPY_LIST_WITHIN(count, member, mapping)                                                \
    TR_COPY_LIST_WITHIN_AS(count, member, member, mapping)
#define TR_COPY_LIST_WITHIN_AS(count, member, wire, mapping)                                       \
    (TR_ROW_LIST, count, member, wire, mapping, true)
/* An array of numbers, texts or messages with its count. Neighbouring rows may share a count in the
 * struct; it is the smallest of their counts. */
#define TR_COPY_ARRAY(count, member) TR_COPY_ARRAY_AS(count, member, member)
#define TR_COPY_ARRAY_AS(count, member, wire) (TR_ROW_ARRAY, count, member, wire, false)
/* The same for an array inside the struct. Only for writing. */
#define TR_COPY_ARRAY_WITHIN(count, member) TR_COPY_ARRAY_WITHIN_AS(count, member, member)
#define TR_COPY_ARRAY_WITHIN_AS(count, member, wire) (TR_ROW_ARRAY, count, member, wire, true)
/* Three numbers for each that is counted; [rows][columns] numbers, after rows for both. Reading sets
 * `damaged` if the size does not fit; a grid may be absent. */
#define TR_COPY_TRIPLES(count, member) (TR_ROW_TRIPLES, count, member)
#define TR_COPY_GRID(columns, rows, member) (TR_ROW_GRID, columns, rows, member)
/* Vectors and rotations of floats, which are repeated floats in the message. An absent one is zero,
 * or no rotation; one of the wrong size leaves zeros and sets `damaged`. Only for reading. */
#define TR_COPY_FLOATS(...) (TR_ROW_FLOATS, __VA_ARGS__)
/* Bytes with their size. */
#define TR_COPY_BYTES(count, member) (TR_ROW_BYTES, count, member)
#define TR_COPY_HEX(member) TR_COPY_HEX_AS(member, member)
#define TR_COPY_HEX_AS(member, wire) (TR_ROW_HEX, member, wire)
#define TR_COPY_STATUS(member, wire) (TR_ROW_TYPE, member, wire, TR_MAPPING_STATUS)
#define TR_COPY_PRESENT(member, wire) (TR_ROW_TYPE, member, wire, TR_MAPPING_PRESENT)

/* Outside functions: the table must live as long as the program. */
#define TR_MAPPING(Struct, Message, message_name, ...)                                             \
    {                                                                                              \
        .size = sizeof(Struct), .message = &troupe__##message_name##__descriptor,                  \
        .field = (const tr_mapping_field[]) {                                                      \
            TR_EACH(TR_MAPPING_ROW, Struct, Troupe__##Message, __VA_ARGS__), {                     \
                .type = TR_MAPPING_END                                                             \
            }                                                                                      \
        }                                                                                          \
    }

/* What the rows become. */
#define TR_MAPPING_ROW(Struct, Message, row)                                                       \
    TR_MAPPING_ROW_OF(Struct, Message, TR_MAPPING_UNPACKED row)
#define TR_MAPPING_UNPACKED(...) __VA_ARGS__
#define TR_MAPPING_ROW_OF(Struct, Message, ...) TR_MAPPING_ROW_AS(Struct, Message, __VA_ARGS__)
#define TR_MAPPING_ROW_AS(Struct, Message, row, ...) row(Struct, Message, __VA_ARGS__)

#define TR_ROW_MEMBERS(Struct, Message, member, wire)                                              \
    .offset = offsetof(Struct, member), .wire_offset = offsetof(Message, wire)
#define TR_ROW_SIZE(Struct, member) .size = sizeof((Struct *)0)->member
#define TR_ROW_COUNT(Struct, count)                                                                \
    .count_offset = offsetof(Struct, count), .count_size = sizeof((Struct *)0)->count
#define TR_ROW_COPY(Struct, Message, ...) TR_EVERY(TR_ROW_SAME, Struct, Message, __VA_ARGS__)
#define TR_ROW_SAME(Struct, Message, member) TR_ROW_AS(Struct, Message, member, member)
#define TR_ROW_AS(Struct, Message, member, wire)                                                   \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, wire), TR_ROW_SIZE(Struct, member),                \
            .type = TR_MAPPING_TYPE(Struct, member), .wire_type = TR_MAPPING_TYPE(Message, wire)   \
    }
#define TR_ROW_IN(Struct, Message, outer, ...)                                                     \
    TR_EVERY(TR_ROW_INNER, Struct, (Message, outer), __VA_ARGS__)
#define TR_ROW_INNER(Struct, message_and_outer, member)                                            \
    TR_ROW_INNER_OF(Struct, TR_MAPPING_UNPACKED message_and_outer, member)
#define TR_ROW_INNER_OF(Struct, ...) TR_ROW_INNER_AS(Struct, __VA_ARGS__)
#define TR_ROW_INNER_AS(Struct, Message, outer, member)                                            \
    TR_ROW_AS(Struct, Message, outer.member, member) /* NOLINT(bugprone-macro-parentheses) */
#define TR_ROW_CHOICE(Struct, Message, member, wire, choices)                                      \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, wire),                                             \
            .type = TR_MAPPING_UINT32, .wire_type = TR_MAPPING_UINT32, .choice = (choices),        \
            .choice_count = sizeof(choices) / sizeof *(choices)                                    \
    }
#define TR_ROW_DOUBLES(Struct, Message, ...)                                                       \
    TR_EVERY(TR_ROW_DOUBLES_SAME, Struct, Message, __VA_ARGS__)
#define TR_ROW_DOUBLES_SAME(Struct, Message, member)                                               \
    TR_ROW_DOUBLES_AS(Struct, Message, member, member)
#define TR_ROW_DOUBLES_AS(Struct, Message, member, wire)                                           \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, wire), .type = TR_MAPPING_DOUBLES,                 \
                                                       .wire_type = TR_MAPPING_TYPE(Message, wire) \
    }
#define TR_ROW_ONE(Struct, Message, member, wire, its_mapping, its_type)                           \
    { TR_ROW_MEMBERS(Struct, Message, member, wire), .type = (its_type), .mapping = &(its_mapping) }
#define TR_ROW_SELF(Struct, Message, wire, its_mapping)                                            \
    { .wire_offset = offsetof(Message, wire), .type = TR_MAPPING_ONE, .mapping = &(its_mapping) }
#define TR_ROW_OF_CASE(Message, oneof, number)                                                     \
    .case_offset = offsetof(Message, oneof##_case), .case_number = (number)
#define TR_ROW_CASE(Struct, Message, member, oneof, number)                                        \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, member), TR_ROW_SIZE(Struct, member),              \
            .type = TR_MAPPING_TYPE(Struct, member),                                               \
            .wire_type = TR_MAPPING_TYPE(Message, member), TR_ROW_OF_CASE(Message, oneof, number)  \
    }
#define TR_ROW_CASE_POINTER(Struct, Message, member, its_mapping, oneof, number)                   \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, member), .type = TR_MAPPING_POINTER,               \
                                                         .mapping = &(its_mapping),                \
                                                         TR_ROW_OF_CASE(Message, oneof, number)    \
    }
#define TR_ROW_TYPE(Struct, Message, member, wire, its_type)                                       \
    { TR_ROW_MEMBERS(Struct, Message, member, wire), .type = (its_type) }
#define TR_ROW_LIST(Struct, Message, count, member, wire, its_mapping, is_within)                  \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, wire), TR_ROW_COUNT(Struct, count),                \
            .wire_count = offsetof(Message, n_##wire), .type = TR_MAPPING_LIST,                    \
            .within = (is_within), .mapping = &(its_mapping)                                       \
    }
#define TR_ROW_ARRAY(Struct, Message, count, member, wire, is_within)                              \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, wire), TR_ROW_COUNT(Struct, count),                \
            .wire_count = offsetof(Message, n_##wire), .type = TR_MAPPING_ARRAY,                   \
            .within = (is_within)                                                                  \
    }
#define TR_ROW_TRIPLES(Struct, Message, count, member)                                             \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, member), TR_ROW_COUNT(Struct, count),              \
            .wire_count = offsetof(Message, n_##member), .type = TR_MAPPING_TRIPLES                \
    }
#define TR_ROW_GRID(Struct, Message, columns, rows, member)                                        \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, member), TR_ROW_COUNT(Struct, columns),            \
            .rows_offset = offsetof(Struct, rows), .wire_count = offsetof(Message, n_##member),    \
            .type = TR_MAPPING_GRID                                                                \
    }
#define TR_ROW_FLOATS(Struct, Message, ...)                                                        \
    TR_EVERY(TR_ROW_FLOATS_SAME, Struct, Message, __VA_ARGS__)
#define TR_ROW_FLOATS_SAME(Struct, Message, member)                                                \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, member), TR_ROW_SIZE(Struct, member),              \
            .wire_count = offsetof(Message, n_##member), .type = TR_MAPPING_FLOATS                 \
    }
#define TR_ROW_HEX(Struct, Message, member, wire)                                                  \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, wire), TR_ROW_SIZE(Struct, member),                \
            .type = TR_MAPPING_HEX                                                                 \
    }
#define TR_ROW_BYTES(Struct, Message, count, member)                                               \
    {                                                                                              \
        TR_ROW_MEMBERS(Struct, Message, member, member), TR_ROW_COUNT(Struct, count),              \
            .type = TR_MAPPING_BYTES                                                               \
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
