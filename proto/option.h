/* The options of a command line, as a table: one parser for all programs of Troupe.
 *
 *     int threads = 1;
 *     const tr_option options[] = {{"threads", TR_OPTION_COUNT, &threads, 1, 64}};
 *
 * takes `--threads 4` and `--threads=4`. Names are whole: no abbreviations, so that a new option
 * never changes what an old line means. Everyone may use it; no state is kept. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an option's value is, and what its target points to. */
typedef enum tr_option_kind {
    TR_OPTION_FLAG,    /* bool, set to true; it takes no value */
    TR_OPTION_TEXT,    /* const char *, a part of the words; of 1 to `high` bytes, 0: any */
    TR_OPTION_CHARS,   /* char [], of 1 to `high` bytes and a terminator */
    TR_OPTION_NUMBER,  /* double, from low to high */
    TR_OPTION_COUNT,   /* int, a whole number from low to high */
    TR_OPTION_SEED,    /* uint64_t, a whole number from 0 to 1e15 */
    TR_OPTION_WIDE,    /* uint64_t, any */
    TR_OPTION_INTEGER, /* int64_t, a whole number, `low` or more */
    TR_OPTION_REAL,    /* double, any finite number */
    TR_OPTION_VECTOR,  /* double [3], written "x,y,z" */
    TR_OPTION_CALL     /* tr_option_call, made each time that the option is given */
} tr_option_kind;

typedef struct tr_option_value {
    const char *option; /* without dashes */
    const char *text;
    const void *of; /* the call's */
} tr_option_value;

/* take: returns a failure to refuse the value; the message begins with the option, "--NAME".
 * of:   what `take` needs beside its context, e.g. a table; may be NULL */
typedef struct tr_option_call {
    tr_status (*take)(void *context, const tr_option_value *value, tr_error *error);
    void *context;
    const void *of;
} tr_option_call;

typedef struct tr_option {
    const char *name; /* without dashes */
    tr_option_kind kind;
    void *target;
    double low, high; /* both included */
} tr_option;

/* stops: at the first word that is not an option, as before the name of a command. */
typedef struct tr_option_table {
    const tr_option *option;
    size_t count;
    bool stops;
} tr_option_table;

/* Sets the targets of the options among words[count], in their order, and moves the other words, in
 * their order, behind them; *out_first: the index of the first of these, or of the word that is
 * wrong. `--` ends the options; `-o` stands for `--out` where that is one; what begins like a
 * negative number is not an option. TR_NOT_FOUND: no such option, with the nearest name in the
 * message; TR_INVALID_ARGUMENT: a value is wrong, missing or too many. Options before it are
 * set. */
tr_status tr_option_take(const tr_option_table *table, int count, char **words, int *out_first,
                         tr_error *error) TR_NODISCARD;

/* NULL: no option of this name. */
const tr_option *tr_option_find(const tr_option *option, size_t count, const char *name);

/* Sets the target from a text; a flag needs none. TR_INVALID_ARGUMENT: "--NAME TEXT: expected
 * ...". */
tr_status tr_option_store(const tr_option *option, const char *text, tr_error *error) TR_NODISCARD;

/* --- values: the whole text. False: it is no such value, *out is untouched --- */

bool tr_option_integer(const char *text, int64_t *out); /* 0 or more */
bool tr_option_id(const char *text, uint32_t *out);     /* "#257": names may be digits alone */
bool tr_option_real(const char *text, double *out);     /* finite */
bool tr_option_vector(const char *text, double out[3]); /* "x,y,z" */

/* What a value of this option is: "a whole number from 1 to 64". Returns out. */
const char *tr_option_expected(const tr_option *option, char out[96]);
