/* Commands of troupe-train: one file each, closed by a const entry that main.c lists in its table.
 */
#pragma once

#include "learn/rehearsal/pool.h"
#include "math/parameter_table.h"
#include "proto/argument.h"
#include "tools/frame/lead.h"
#include "tools/frame/subject.h"

#include <stdbool.h>
#include <stdio.h>

/* Exit codes: 0 done, 1 failed (the reason is on stderr), 2 wrong usage, 5 standard output could not be
 * written (proto/sink.h). */
enum { TR_TOOL_OK = 0, TR_TOOL_FAILED = 1, TR_TOOL_USAGE = 2 };

/* The exit code of a command that ended with this status; a failure is reported on stderr. */
int tr_tool_end(const char *command, tr_status status, const tr_error *error);

/* What a command does with a catalogue that the frame opens and closes again: the path is in the
 * options at this offset. Where ranks share the command, the lead does it for all (lead.h). */
typedef struct tr_tool_work {
    size_t path;
    tr_catalogue_mode mode;
    tr_lead_change work;
} tr_tool_work;

/* A command; its name may be of two words. Those that begin with the same word may have a group of that name:
 * a row that has no options and explains what they share. */
typedef struct tr_tool_command {
    const char *name;
    const char *summary; /* one line */
    const char *help;    /* what it does, several lines */
    const char *example; /* lines; NULL: none */
    /* The options: a struct of this many bytes, zeros or `defaults`, which `preset` may change. The
     * words set it by the rows, up to a NULL usage; check refuses what does not fit together and fills
     * in the rest; run uses it. line: offset of a tr_command_line; 0: none */
    size_t options, line;
    const tr_argument *argument;
    const tr_argument *(*list)(void); /* instead: makes the rows, which last */
    const void *defaults;
    void (*preset)(void *options);
    tr_status (*check)(void *options, tr_error *error);
    tr_status (*run)(const void *options, tr_error *error);
    tr_tool_work on;         /* instead of run */
    tr_subject_work measure; /* instead of both: the options begin with a tr_subject_use */
    bool shares;             /* runs on many ranks too (learn/ranks/ranks.h) */
} tr_tool_command;

/* The row of --threads: by default one per processor, at most as many as a pool has. Ranks on one
 * machine divide its processors, or keep to those that the launcher binds them to; all ranks have as
 * many threads as the lead. */
void tr_threads_preset(void *threads);
#define TR_TOOL_THREADS(type, field)                                                               \
    {                                                                                              \
        "--threads N", TR_OPTION_COUNT, offsetof(type, field),                                     \
            "all cores; does not change the result", 1, TR_POOL_THREAD_MAX,                        \
            .preset = tr_threads_preset                                                            \
    }

/* The rows of the controller that a command measures, for options that begin with a tr_subject_use. */
#define TR_TOOL_SUBJECT(meaning)                                                                   \
    {"NAME", TR_OPTION_TEXT, offsetof(tr_subject_use, name), (meaning)}, {                         \
        "--catalogue F", TR_OPTION_TEXT, offsetof(tr_subject_use, catalogue), "holds NAME",        \
            .needed = true                                                                         \
    }

/* For `--list`: prints the settings of a table with their defaults and meanings. */
tr_status tr_option_list_settings(const tr_parameter_table *table, const void *defaults,
                                  tr_error *error) TR_NODISCARD;

/* The rows of a command; NULL: it is a group. */
const tr_argument *tr_tool_arguments(const tr_tool_command *command);

/* Runs a command; returns its exit code. argv[0]: its name. */
int tr_tool_exec(const tr_tool_command *command, int argc, char **argv);

/* In the order of the overview (main.c). */
/* clang-format off */
#define TR_TOOL_LIST(X)                                                                            \
    X(import) X(skeleton) X(evaluate) X(steer) X(graph) X(graph_walk) X(graph_take) X(strip)       \
    X(bundle) X(bundle_export) X(bundle_import) X(bundle_check) X(bundle_list) X(bundle_guide)     \
    X(certify) X(certificate) X(reproduce) X(rest) X(pose) X(rise) X(curve) X(mirror) X(gait)      \
    X(gait_compare) X(gait_evaluate) X(latent) X(latent_check) X(schedule)                         \
    X(schedule_test) X(schedule_requests) X(forget) X(terrain) X(policy) X(policy_import)          \
    X(balance) X(balance_test) X(headings) X(body) X(character)
/* clang-format on */

#define X(name) extern const tr_tool_command tr_tool_##name;
TR_TOOL_LIST(X)
#undef X
