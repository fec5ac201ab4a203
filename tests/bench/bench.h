/* troupe-bench: one subcommand per file, CSV with a header line on stdout.
 *
 * A table is made of cells that are timed in turn, round after round, after a round of warm-up;
 * each cell reports its median. Interleaving lets a disturbance of the machine hit all cells alike.
 * Times are processor time of the calling thread. */
#pragma once

#include "proto/option.h"

/* An option of a command.
 *   value: as help shows it, the default or a word in capitals; NULL: a flag
 *   help:  one line, as the rest of a sentence about the option */
typedef struct tr_bench_option {
    tr_option option;
    const char *value, *help;
} tr_bench_option;

enum { TR_BENCH_OPTION_MAX = 16 };

/* A subcommand, closed by a const entry that main.c lists.
 *   words:   beside the options, as help shows them, from word_low to word_high of them; NULL: none
 *   output:  what the columns mean, for help; lines of at most 90 characters
 *   exec:    runs after the options are taken; words[count] are the others. Exit codes: 0 done, 1
 *            failed (the reason is on stderr), 2 wrong usage */
typedef struct tr_bench_command {
    const char *name, *summary, *words;
    int word_low, word_high;
    const tr_bench_option *option; /* [option_count] */
    int option_count;
    const char *output;
    int (*exec)(int count, char **words);
} tr_bench_command;

/* The option of a command for the bundle with the controllers. */
#define TR_BENCH_BUNDLE_OPTION(target)                                                             \
    {                                                                                              \
        {"bundle", TR_OPTION_TEXT, target, 0, 0}, "FILE",                                          \
            "with the controllers; the shipped one if not given"                                   \
    }

extern const tr_bench_command tr_bench_match;
extern const tr_bench_command tr_bench_density;
extern const tr_bench_command tr_bench_fanout;
extern const tr_bench_command tr_bench_physics;
extern const tr_bench_command tr_bench_truth;
extern const tr_bench_command tr_bench_learn;
extern const tr_bench_command tr_bench_states;
extern const tr_bench_command tr_bench_readers;
extern const tr_bench_command tr_bench_rollback;

/* Processor time of this thread, s. */
double tr_bench_now(void);

/* Median of values[count]; sorts them. Not a number when count is 0. */
double tr_bench_median(double *values, int count);
