/* The options of a command, as a table.
 *
 * `command` is the command's name, for messages. A wrong value is told on stderr and false
 * returned; its target is not set. */
#ifndef TROUPE_TOOLS_OPTIONS_H
#define TROUPE_TOOLS_OPTIONS_H

#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct tr_option_value {
    const char *command, *option; /* without dashes */
    const char *text;
} tr_option_value;

/* NAME=VALUE, taken apart; *out_value points into the text. false: it is none. */
bool tr_option_pair(const tr_option_value *value, char out_name[static TR_NAME_MAX],
                    const char **out_value);

/* Threads when none are asked for: one a processor, as many as a pool has. */
int tr_option_default_threads(void);

/* What each is called, and where its value goes. The target of a
 *   TR_OPTION_TEXT    const char *, a part of argv
 *   TR_OPTION_NUMBER  double, from low to high
 *   TR_OPTION_COUNT   int, a whole number from low to high
 *   TR_OPTION_SEED    uint64_t, a whole number from 0 to 1e15
 *   TR_OPTION_FLAG    bool, set to true; it takes no value
 *   TR_OPTION_CALL    tr_option_call, made each time that the option is given */
typedef enum tr_option_kind {
    TR_OPTION_TEXT,
    TR_OPTION_NUMBER,
    TR_OPTION_COUNT,
    TR_OPTION_SEED,
    TR_OPTION_FLAG,
    TR_OPTION_CALL
} tr_option_kind;

typedef struct tr_option_call {
    bool (*take)(void *context, const tr_option_value *value);
    void *context;
} tr_option_call;

typedef struct tr_option {
    const char *name; /* without dashes */
    tr_option_kind kind;
    void *target;
    double low, high; /* of numbers and counts, both included; a count's fit an int */
} tr_option;

enum { TR_OPTION_MAX = 64 };

/* Sets the targets of the options in argv in their order (long_option.h), after which optind is the
 * first argument that is none. `-o` stands for `--out` where that is one. option: [count], at most
 * TR_OPTION_MAX. false: one is unknown or lacks its value, or has a wrong one; those before it are
 * set. */
bool tr_options_take(const char *command, int argc, char **argv, const tr_option *option,
                     size_t count);

/* Their values as a record keeps them, a line "name = value" each; texts that are not set and
 * numbers that are out of range are left out. false: they do not fit. */
bool tr_options_print(const tr_option *option, size_t count, char *out, size_t capacity);

/* Sets the target of the option of that name from its value, as printed: a flag from 0 or 1. A text
 * stays the caller's. false: there is none, or it takes no such value, which is told. */
bool tr_options_set(const char *command, const tr_option *option, size_t count, const char *name,
                    const char *value);

#endif
