/* Fields of messages, checked by tables: each row says what one field may hold.
 *
 *     static const tr_field fields[] = {TR_ENTITY(Troupe__Push, entity),
 *                                       TR_NAME(Troupe__Push, body),
 *                                       TR_NUMBER(Troupe__Push, duration_s, 0, TR_PUSH_SECONDS_MAX),
 *                                       TR_FIELDS_END};
 *
 * The error is about the first wrong field in the order of the table: its name, its value and what
 * was expected. Rows name members of the generated structs, so that a field missing in the schema
 * does not compile. Pure functions. */
#pragma once

#include "math/quat.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <troupe/envelope.pb-c.h>

typedef enum tr_field_kind {
    TR_FIELD_END,
    TR_FIELD_ENTITY,   /* the id of a character or object: not 0 */
    TR_FIELD_NAME,     /* a text of `low` to TR_WIRE_NAME_MAX bytes */
    TR_FIELD_NUMBER,   /* `low` to `high` */
    TR_FIELD_NUMBERS,  /* repeated double: at most `most`, each `low` to `high` */
    TR_FIELD_CHOICE,   /* an enum or a set of bits within `high`; `expected` is for the error */
    TR_FIELD_VECTOR,   /* a Vec3 with a finite length of at most `high`; may be absent */
    TR_FIELD_ROTATION, /* a Quat that is finite and not zero; may be absent */
    TR_FIELD_MESSAGE,  /* a message checked by its own table, `fields`; may be absent */
    TR_FIELD_LIST      /* `low` to `high` messages, each checked by `fields` and `check` */
} tr_field_kind;

typedef enum tr_number_type {
    TR_NUMBER_NONE,
    TR_NUMBER_DOUBLE,
    TR_NUMBER_FLOAT,
    TR_NUMBER_INT32,
    TR_NUMBER_UINT32,
    TR_NUMBER_INT64,
    TR_NUMBER_UINT64
} tr_number_type;

/* Checks what `fields` cannot express about one message of a list; `path` is the field's name. */
typedef tr_status (*tr_field_check)(const void *message, const char *path, tr_error *error);

typedef struct tr_field {
    const char *name; /* on the wire */
    tr_field_kind kind;
    tr_number_type number;
    bool zero_too;       /* a number: 0 has its own meaning and is accepted */
    size_t offset;       /* in the message */
    size_t count_offset; /* of repeated fields: offset of their count */
    size_t when_offset;  /* not 0: checked only if the oneof's case, at this offset, ... */
    int when;            /* ... has this value; 0: any */
    int most;
    double low, high;
    const char *expected;
    const struct tr_field *fields;
    tr_field_check check;
} tr_field;

/* Parts of initialisers cannot be put in parentheses.
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define TR_NUMBER_TYPE(Message, member)                                                            \
    _Generic(((Message *)0)->member, double                                                        \
             : TR_NUMBER_DOUBLE, float                                                             \
             : TR_NUMBER_FLOAT, int32_t                                                            \
             : TR_NUMBER_INT32, uint32_t                                                           \
             : TR_NUMBER_UINT32, int64_t                                                           \
             : TR_NUMBER_INT64, uint64_t                                                           \
             : TR_NUMBER_UINT64)

#define TR_FIELD(Message, member, field_kind)                                                      \
    .name = #member, .kind = (field_kind), .offset = offsetof(Message, member)

#define TR_ENTITY(Message, member)                                                                 \
    { TR_FIELD(Message, member, TR_FIELD_ENTITY) }
#define TR_NAME(Message, member)                                                                   \
    { TR_FIELD(Message, member, TR_FIELD_NAME) }
#define TR_NAME_NEEDED(Message, member)                                                            \
    { TR_FIELD(Message, member, TR_FIELD_NAME), .low = 1 }
#define TR_NUMBER(Message, member, lowest, highest)                                                \
    {                                                                                              \
        TR_FIELD(Message, member, TR_FIELD_NUMBER), .number = TR_NUMBER_TYPE(Message, member),     \
                                                    .low = (lowest), .high = (highest)             \
    }
#define TR_NUMBER_OR_ZERO(Message, member, lowest, highest)                                        \
    {                                                                                              \
        TR_FIELD(Message, member, TR_FIELD_NUMBER), .number = TR_NUMBER_TYPE(Message, member),     \
                                                    .zero_too = true, .low = (lowest),             \
                                                    .high = (highest)                              \
    }
#define TR_NUMBER_IF_GIVEN(Message, member, lowest, highest)                                       \
    {                                                                                              \
        TR_FIELD(Message, member, TR_FIELD_NUMBER),                                                \
            .number = TR_NUMBER_TYPE(Message, member), .low = (lowest), .high = (highest),         \
            .when_offset = offsetof(Message, has_##member##_case)                                  \
    }
#define TR_NUMBERS(Message, member, count_most, lowest, highest)                                   \
    {                                                                                              \
        TR_FIELD(Message, member, TR_FIELD_NUMBERS),                                               \
            .count_offset = offsetof(Message, n_##member), .most = (count_most), .low = (lowest),  \
            .high = (highest)                                                                      \
    }
#define TR_CHOICE(Message, member, highest, says)                                                  \
    { TR_FIELD(Message, member, TR_FIELD_CHOICE), .high = (highest), .expected = (says) }
#define TR_VECTOR(Message, member, longest)                                                        \
    { TR_FIELD(Message, member, TR_FIELD_VECTOR), .high = (longest) }
#define TR_ROTATION(Message, member)                                                               \
    { TR_FIELD(Message, member, TR_FIELD_ROTATION) }
#define TR_MESSAGE(Message, member, rows)                                                          \
    { TR_FIELD(Message, member, TR_FIELD_MESSAGE), .fields = (rows) }
#define TR_LIST(Message, member, fewest, count_most, rows, each)                                   \
    {                                                                                              \
        TR_FIELD(Message, member, TR_FIELD_LIST), .count_offset = offsetof(Message, n_##member),   \
                                                  .low = (fewest), .high = (count_most),           \
                                                  .fields = (rows), .check = (each)                \
    }
/* The rows above, of a member of a oneof: TR_CASE(Troupe__Steer, aim_case, CASE, TR_FIELD(...), ...) */
#define TR_CASE(Message, member_case, value, ...)                                                  \
    { .when_offset = offsetof(Message, member_case), .when = (value), __VA_ARGS__ }
#define TR_FIELDS_END                                                                              \
    { .kind = TR_FIELD_END }
/* NOLINTEND(bugprone-macro-parentheses) */

/* TR_INVALID_ARGUMENT: "field: value: expected ...". fields: ends with TR_FIELDS_END; NULL: none. */
tr_status tr_fields_check(const void *message, const tr_field *fields,
                          tr_error *error) TR_NODISCARD;

/* TR_INVALID_ARGUMENT "field: expected ...", always. */
tr_status tr_field_refuse(tr_error *error, const char *field, const char *expected) TR_NODISCARD;

/* --- conversion of checked fields --- */

tr_vec3 tr_vec3_of(const Troupe__Vec3 *wire); /* NULL: zero */
tr_quat tr_quat_of(const Troupe__Quat *wire); /* normalised; NULL: no rotation */
