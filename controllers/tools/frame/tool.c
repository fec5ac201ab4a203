#include "tools/frame/tool.h"

#include "learn/ranks/ranks.h"
#include "physics/world/world.h"
#include "tools/frame/circumstances.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int tr_tool_end(const char *command, tr_status status, const tr_error *error) {
    if (!status)
        return TR_TOOL_OK;
    fprintf(stderr, "troupe-train %s: %s\n", command, error->message);
    return TR_TOOL_FAILED;
}

const tr_argument *tr_tool_arguments(const tr_tool_command *command) {
    return command->list ? command->list() : command->argument;
}

/* Fills the options in from the words. argv[0]: the command. false: wrong, which is printed. */
static bool read_words(const tr_tool_command *command, int argc, char **argv, void *options) {
    tr_error error = {0};
    if (command->defaults)
        memcpy(options, command->defaults, command->options);
    if (command->preset)
        command->preset(options);
    if (command->line)
        tr_command_line_read((void *)((char *)options + command->line), argc, argv);
    tr_status status =
        tr_argument_take(tr_tool_arguments(command), argc - 1, argv + 1, options, &error);
    if (!status && command->check)
        status = command->check(options, &error);
    return !tr_tool_end(argv[0], status, &error);
}

static tr_status run(const tr_tool_command *command, const void *options, tr_error *error) {
    if (command->run)
        return command->run(options, error);
    if (command->measure)
        return tr_subject_measure(options, command->measure, options, error);
    const char *path = *(const char *const *)((const char *)options + command->on.path);
    return tr_lead_change_catalogue(path, command->on.mode, command->on.work, options, error);
}

int tr_tool_exec(const tr_tool_command *command, int argc, char **argv) {
    tr_error error = {0};
    void *options = calloc(1, command->options);
    if (!options) {
        fprintf(stderr, "troupe-train %s: no memory\n", argv[0]);
        return TR_TOOL_FAILED;
    }
    tr_physics_init();
    int code = TR_TOOL_USAGE;
    if (read_words(command, argc, argv, options))
        code = tr_tool_end(argv[0], run(command, options, &error), &error);
    free(options);
    return code;
}

/* --- what many take --- */

tr_status tr_option_list_settings(const tr_parameter_table *table, const void *defaults,
                                  tr_error *error) {
    char text[16384];
    tr_status status = tr_parameter_explain(table, defaults, text, sizeof text);
    if (status)
        return tr_fail_if(error, status, "--list");
    fputs(text, stdout);
    return TR_OK;
}

static int default_threads(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN) / tr_ranks_beside();
    cpu_set_t bound;
    if (tr_ranks_count() > 1 && sched_getaffinity(0, sizeof bound, &bound) == 0)
        cores = CPU_COUNT(&bound) < cores ? CPU_COUNT(&bound) : cores;
    int threads = cores < 1 ? 1 : cores > TR_POOL_THREAD_MAX ? TR_POOL_THREAD_MAX : (int)cores;
    tr_ranks_follow(&threads, sizeof threads);
    return threads;
}

void tr_threads_preset(void *threads) {
    *(int *)threads = default_threads();
}
