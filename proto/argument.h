/* The arguments of a command, as a table of rows: what each is called, where its value lands, and what
 * it means. One table parses the words, and prints usage and help; `troupe` and `troupe-train` use it.
 *
 *     static const tr_argument rows[] = {
 *         {"NAME", TR_OPTION_TEXT, offsetof(values, name), "a controller"},
 *         {"--trials N", TR_OPTION_COUNT, offsetof(values, trials), "of each (20)", 1, 1000},
 *         {0}};
 *
 * Everyone may use it; no state is kept. */
#pragma once

#include "proto/option.h"

#include <stdio.h>

enum { TR_ARGUMENT_MAX = 72 };

/* All words from a place on: what an argument "NAME ..." lands in. */
typedef struct tr_words {
    int count;
    char *const *word;
} tr_words;

/* usage: "WORLD": must be given, by place. "[NAME]": may be given, by place. "NAME ...": one or more,
 *        the last by place, at most `high`. "--rate HZ": an option
 * offset of its target in the struct of values
 * help:   NULL: the row is taken, but not shown
 * needed: an option, of kind text, that must be given
 * take   of TR_OPTION_CALL; its context is the target
 * of     what `take` finds in its value
 * preset sets the target before the words are read; NULL: the defaults do */
typedef struct tr_argument {
    const char *usage;
    tr_option_kind kind;
    unsigned offset;
    const char *help;
    double low, high; /* of kinds with bounds, see tr_option */
    bool needed;
    tr_status (*take)(void *target, const tr_option_value *value, tr_error *error);
    void (*preset)(void *target);
    const void *of;
} tr_argument;

/* Sets the values of the words; rows end with a NULL usage. TR_NOT_FOUND: no such option, with the
 * nearest name in the message; TR_INVALID_ARGUMENT: a value is wrong, missing or too many. */
tr_status tr_argument_take(const tr_argument *rows, int count, char **words, void *values,
                           tr_error *error) TR_NODISCARD;

/* "usage: COMMAND WORLD --needed X [--option Y]", and a line of help for each row. */
void tr_argument_print_usage(const tr_argument *rows, const char *command, FILE *out);
void tr_argument_print_help(const tr_argument *rows, FILE *out);
