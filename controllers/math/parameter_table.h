/* Parameters by name: a table says which field of a struct a name stands for, with its bounds, its
 * default and its meaning, so that one piece of code resets, sets, prints and explains the
 * parameters of every method of learning.
 *
 * A table is constant; `values` is the struct whose offsets it holds. No state, any thread. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TR_PARAMETER_NAME_MAX = 48, TR_PARAMETER_TEXT_MAX = 768 }; /* bytes with terminator */

typedef enum tr_parameter_kind {
    TR_REAL,  /* double, in low to high */
    TR_COUNT, /* int, in low to high */
    TR_SEED,  /* uint64_t */
    TR_FLAG,  /* bool, from 0 or 1 */
    TR_NAME,  /* char[TR_PARAMETER_NAME_MAX], not empty */
    TR_TEXT   /* char[TR_PARAMETER_TEXT_MAX]; an empty one is not printed */
} tr_parameter_kind;

/* low, high: of numbers; unused in the other kinds
 * initial:   the default, as it is set from text
 * meaning:   with the unit, if the name has none */
typedef struct tr_parameter {
    const char *name;
    tr_parameter_kind kind;
    size_t offset;
    double low, high;
    const char *initial, *meaning;
} tr_parameter;

enum { TR_PARAMETER_INNER_MAX = 3 };

/* inner: tables of structs within the struct, at an offset each; their rows come after its own. A NULL
 * ends the list.
 * retired: words "name=value": names that older records list. Each value is a constant now, where it
 *          is used, and no other can be set. NULL: none */
typedef struct tr_parameter_table {
    const tr_parameter *row; /* [count] */
    size_t count;
    struct {
        const struct tr_parameter_table *table;
        size_t offset;
    } inner[TR_PARAMETER_INNER_MAX];
    const char *retired;
} tr_parameter_table;

/* Sets all to their defaults. Bytes of `values` outside the table are left as they are. */
void tr_parameter_reset(const tr_parameter_table *table, void *values);

/* Sets one by name, from text. A retired name takes only its value. TR_NOT_FOUND: no such name;
 * TR_INVALID_ARGUMENT: not a number, or out of bounds. On failure `values` is unchanged. */
tr_status tr_parameter_set(const tr_parameter_table *table, void *values, const char *name,
                           const char *text, tr_error *error) TR_NODISCARD;

/* Sets those that a text lists: lines "name = value"; # begins a comment. Cuts the text up. Errors
 * name the line, as "NAME:3"; then `values` is unchanged. */
tr_status tr_parameter_read(const tr_parameter_table *table, void *values, const char *name,
                            char *text, tr_error *error) TR_NODISCARD;

/* Lines "name = value", every parameter but empty texts, exact: each can be set again.
 * TR_OUT_OF_RANGE: does not fit. */
tr_status tr_parameter_print(const tr_parameter_table *table, const void *values, char *out,
                             size_t capacity) TR_NODISCARD;

/* Lines "  name  default  meaning" for people. TR_OUT_OF_RANGE: does not fit. */
tr_status tr_parameter_explain(const tr_parameter_table *table, const void *defaults, char *out,
                               size_t capacity) TR_NODISCARD;

/* Copies the row of that name, with its offset in the whole struct. false: no such parameter. */
bool tr_parameter_find(const tr_parameter_table *table, const char *name, tr_parameter *out);
