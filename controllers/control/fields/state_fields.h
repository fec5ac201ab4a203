/* Fields: a table that lists the numbers of a struct with their offsets and bounds, and functions
 * that write, read and hash a struct by its table.
 *
 * One such table describes each struct that snapshots hold, so that writing, reading, checking and
 * hashing cannot disagree. Padding is neither written nor hashed. Reading trusts nothing: every
 * number is checked against its bounds. */
#pragma once

#include "control/fields/bytes.h"

typedef enum tr_state_field_type {
    TR_STATE_BOOL,   /* 0 or 1 */
    TR_STATE_INT,    /* int, or an enum of its size */
    TR_STATE_INT64,  /* int64_t or uint64_t; bounds hold as signed */
    TR_STATE_DOUBLE, /* finite */
    TR_STATE_TEXT    /* count bytes of text, zero from its end to the end of the field */
} tr_state_field_type;

/* count: elements of an array; low, high: bounds of each element, both allowed. */
typedef struct tr_state_field {
    const char *name;
    tr_state_field_type type;
    size_t offset;
    int count;
    double low, high;
} tr_state_field;

#define TR_STATE_FIELD_OF(structure, member, type, element, low, high)                             \
    {                                                                                              \
#member, type, offsetof(structure, member),                                                \
            (int)(sizeof(((structure *)0)->member) / (1 * sizeof(element))), low, high             \
    }
#define TR_STATE_BOOL_FIELD(structure, member)                                                     \
    TR_STATE_FIELD_OF(structure, member, TR_STATE_BOOL, bool, 0, 1)
#define TR_STATE_INT_FIELD(structure, member, low, high)                                           \
    TR_STATE_FIELD_OF(structure, member, TR_STATE_INT, int, low, high)
#define TR_STATE_INT64_FIELD(structure, member, low, high)                                         \
    TR_STATE_FIELD_OF(structure, member, TR_STATE_INT64, int64_t, low, high)
#define TR_STATE_DOUBLE_FIELD(structure, member, low, high)                                        \
    TR_STATE_FIELD_OF(structure, member, TR_STATE_DOUBLE, double, low, high)
#define TR_STATE_TEXT_FIELD(structure, member)                                                     \
    TR_STATE_FIELD_OF(structure, member, TR_STATE_TEXT, char, 0, 0)

/* Any finite number; any count of steps or entries. */
#define TR_STATE_ANY 1.7976931348623157e308
#define TR_STATE_STEPS 9007199254740992.0

void tr_state_fields_write(const tr_state_field *field, int count, const void *base,
                           tr_byte_writer *writer);

/* Fills the fields of `base` and does not change other bytes. false: bytes are missing, or a field
 * is out of its bounds; *out_field then names it (NULL: bytes are missing; out_field may be
 * NULL). */
bool tr_state_fields_read(const tr_state_field *field, int count, tr_byte_reader *source,
                          void *base, const char **out_field);

uint64_t tr_state_fields_hash(const tr_state_field *field, int count, const void *base,
                              uint64_t hash);
