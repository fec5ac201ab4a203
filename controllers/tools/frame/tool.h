/* Commands of troupe-train: one file each, closed by a const entry that main.c lists in its table.
 */
#pragma once

#include "learn/rehearsal/pool.h"
#include "proto/argument.h"

#include <stdbool.h>
#include <stdio.h>

/* Exit codes: 0 done, 1 failed (the reason is on stderr), 2 wrong usage, 5 standard output could not be
 * written (proto/sink.h). */
enum { TR_TOOL_OK = 0, TR_TOOL_FAILED = 1, TR_TOOL_USAGE = 2 };

/* The exit code of a command that ended with this status; a failure is reported on stderr. */
int tr_tool_end(const char *command, tr_status status, const tr_error *error);

/* A command, or a group of subcommands: then `parts` lists these, up to a NULL, and `help` describes
 * what they share. */
typedef struct tr_tool_command {
    const char *name;
    const char *arguments; /* of a group: one line, "build | walk ..." */
    const char *summary;   /* one line */
    const char *help;      /* what it does, several lines */
    const char *example;   /* lines; NULL: none */
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
    const struct tr_tool_command *const *parts;
    bool shares; /* runs on many ranks too (learn/ranks/ranks.h); of a part: that part */
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

/* The rows of a command; NULL: it has none. */
const tr_argument *tr_tool_arguments(const tr_tool_command *command);

/* Runs a command that is not a group; returns its exit code. */
int tr_tool_exec(const tr_tool_command *command, int argc, char **argv);

extern const tr_tool_command tr_tool_graph, tr_tool_steer, tr_tool_import, tr_tool_strip,
    tr_tool_evaluate, tr_tool_bundle, tr_tool_certify, tr_tool_certificate, tr_tool_reproduce,
    tr_tool_rest, tr_tool_rise, tr_tool_curve, tr_tool_mirror, tr_tool_gait, tr_tool_skeleton,
    tr_tool_latent, tr_tool_schedule, tr_tool_forget, tr_tool_terrain, tr_tool_policy,
    tr_tool_balance, tr_tool_pose, tr_tool_headings, tr_tool_body, tr_tool_character,
    tr_tool_bundle_guide;

/* Parts of groups. */
extern const tr_tool_command tr_tool_gait_compare, tr_tool_gait_evaluate, tr_tool_balance_test,
    tr_tool_schedule_test, tr_tool_schedule_requests;
