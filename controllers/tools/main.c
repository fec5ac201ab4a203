/* troupe-train: the offline tool. Finds a command in the table below and hands it the rest of the
 * line. */
#include "learn/ranks/ranks.h"
#include "math/linalg.h"
#include "proto/sink.h"
#include "tools/frame/tool.h"
#include "tools/learn/method_command.h"
#include "tools/learn/method_options.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const tr_tool_command *const commands[] = {
    &tr_tool_import, &tr_tool_skeleton, &tr_tool_evaluate, &tr_tool_steer,       &tr_tool_graph,
    &tr_tool_strip,  &tr_tool_bundle,   &tr_tool_certify,  &tr_tool_certificate, &tr_tool_reproduce,
    &tr_tool_rest,   &tr_tool_pose,     &tr_tool_rise,     &tr_tool_curve,       &tr_tool_mirror,
    &tr_tool_gait,   &tr_tool_latent,   &tr_tool_schedule, &tr_tool_forget,      &tr_tool_terrain,
    &tr_tool_policy, &tr_tool_balance,  &tr_tool_headings, &tr_tool_body,        &tr_tool_character,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const tr_tool_command *find(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static void print_sharing(FILE *out) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const tr_tool_command *const *part = commands[i]->parts;
        if (commands[i]->shares)
            fprintf(out, " '%s'", commands[i]->name);
        for (; part && *part; part++)
            if ((*part)->shares)
                fprintf(out, " '%s %s'", commands[i]->name, (*part)->name);
    }
    for (const tr_method *const *method = tr_methods; *method; method++)
        fprintf(out, " '%s'", (*method)->command);
    fputs(".\n", out);
}

static void print_overview(FILE *out) {
    fputs("troupe-train: from motion capture to controllers, offline\n\nusage: troupe-train "
          "COMMAND [ARGUMENTS]\n\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\nMethods, each by its own command; 'troupe-train COMMAND --help' explains one:\n\n",
          out);
    for (const tr_method *const *method = tr_methods; *method; method++)
        fprintf(out, "  %-16s %s\n", (*method)->command, (*method)->summary);
    fputs(
        "\n'troupe-train help COMMAND' explains one and gives examples.\n"
        "'mpirun -n N troupe-train COMMAND ...' shares the work of one among N processes (ranks),\n"
        "here or on many machines; these can:",
        out);
    print_sharing(out);
}

static const tr_tool_command *find_part(const tr_tool_command *command, const char *name) {
    for (const tr_tool_command *const *part = command->parts; *part; part++)
        if (strcmp((*part)->name, name) == 0)
            return *part;
    return NULL;
}

/* The name of a command of main's table, or of a part of a group; group: NULL, none. */
static void print_usage_line(const tr_tool_command *command, const tr_tool_command *group,
                             FILE *out) {
    char name[96];
    snprintf(name, sizeof name, "troupe-train %s%s%s", group ? group->name : "", group ? " " : "",
             command->name);
    if (tr_tool_arguments(command))
        tr_argument_print_usage(tr_tool_arguments(command), name, out);
    else
        fprintf(out, "usage: %s %s\n", name, command->arguments);
}

static void print_command(const tr_tool_command *command, const tr_tool_command *group) {
    print_usage_line(command, group, stdout);
    printf("\n%s\n", command->summary);
    if (command->help)
        printf("\n%s", command->help);
    if (tr_tool_arguments(command)) {
        fputc('\n', stdout);
        tr_argument_print_help(tr_tool_arguments(command), stdout);
    }
    if (command->example)
        printf("\n%s", command->example);
}

/* The rest of a method's command behind the name of a group; NULL: it is of another group. */
static const char *is_of_group(const tr_method *method, const tr_tool_command *group) {
    const size_t length = strlen(group->name);
    const bool same = strncmp(method->command, group->name, length) == 0;
    return same && method->command[length] == ' ' ? method->command + length + 1 : NULL;
}

static int print_help(const char *name) {
    const tr_tool_command *command = find(name);
    if (!command) {
        fprintf(stderr, "troupe-train: no command '%s'; 'troupe-train help' lists them\n", name);
        return TR_TOOL_USAGE;
    }
    print_command(command, NULL);
    const tr_tool_command *const *part = command->parts;
    for (; part && *part; part++) {
        fputc('\n', stdout);
        print_command(*part, command);
    }
    for (const tr_method *const *method = tr_methods; *method; method++)
        if (is_of_group(*method, command)) {
            fputc('\n', stdout);
            tr_method_print_help(*method, stdout);
        }
    return TR_TOOL_OK;
}

static bool ask_for_help(int count, char **word) {
    bool help = false;
    for (int i = 0; i < count; i++)
        help |= strcmp(word[i], "--help") == 0 || strcmp(word[i], "-h") == 0;
    return help;
}

/* Commands that do not share their work would do it once on every rank. */
static int exec_shared(const tr_tool_command *command, int argc, char **argv) {
    if (command->shares || tr_ranks_count() == 1)
        return tr_tool_exec(command, argc, argv);
    fprintf(
        stderr,
        "troupe-train %s: started as %d ranks, but it does not share its work: start it without "
        "mpirun or srun\n",
        argv[0], tr_ranks_count());
    return TR_TOOL_FAILED;
}

static int exec_part(const tr_tool_command *command, int argc, char **argv) {
    const tr_tool_command *part = argc > 1 ? find_part(command, argv[1]) : NULL;
    if (!part) {
        fprintf(stderr, "troupe-train %s: expected a subcommand:", command->name);
        for (const tr_tool_command *const *known = command->parts; *known; known++)
            fprintf(stderr, " %s", (*known)->name);
        for (const tr_method *const *method = tr_methods; *method; method++)
            if (is_of_group(*method, command))
                fprintf(stderr, " %s", is_of_group(*method, command));
        fputc('\n', stderr);
        return TR_TOOL_USAGE;
    }
    if (ask_for_help(argc - 2, argv + 2)) {
        print_command(part, command);
        return TR_TOOL_OK;
    }
    char name[64];
    snprintf(name, sizeof name, "%s %s", command->name, part->name);
    argv[1] = name;
    return exec_shared(part, argc - 1, argv + 1);
}

/* word: the next one, which may name a subcommand. */
static void print_usage(const tr_tool_command *command, const char *word) {
    const tr_tool_command *part = command->parts ? find_part(command, word) : NULL;
    print_usage_line(part ? part : command, part ? command : NULL, stderr);
    fprintf(stderr,
            part ? "'troupe-train %s %s --help' explains\n" : "'troupe-train help %s' explains\n",
            command->name, part ? part->name : "");
}

/* argv: the last word of its command, then the others. */
static int run_method(const tr_method *method, int argc, char **argv) {
    char command[64];
    if (ask_for_help(argc - 1, argv + 1)) {
        tr_method_print_help(method, stdout);
        return TR_TOOL_OK;
    }
    snprintf(command, sizeof command, "%s", method->command);
    argv[0] = command;
    const int code = tr_method_exec(method, argc, argv);
    if (code == TR_TOOL_USAGE) {
        tr_method_print_usage(method, stderr);
        fprintf(stderr, "'troupe-train %s --help' explains\n", method->command);
    }
    return code;
}

static int run(int argc, char **argv) {
    int taken = 0;
    if (argc < 2) {
        print_overview(stderr);
        return TR_TOOL_USAGE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0) {
        const tr_method *named = tr_method_find_command(argc - 2, argv + 2, &taken);
        if (named)
            tr_method_print_help(named, stdout);
        if (argc > 2)
            return named ? TR_TOOL_OK : print_help(argv[2]);
        print_overview(stdout);
        return TR_TOOL_OK;
    }
    const tr_method *method = tr_method_find_command(argc - 1, argv + 1, &taken);
    if (method)
        return run_method(method, argc - taken, argv + taken);
    const tr_tool_command *command = find(argv[1]);
    if (!command) {
        fprintf(stderr, "troupe-train: no command '%s'; 'troupe-train help' lists them\n", argv[1]);
        return TR_TOOL_USAGE;
    }
    int words = command->parts && argc > 2 ? 1 : argc - 2; /* the rest are a subcommand's */
    if (ask_for_help(words, argv + 2))
        return print_help(argv[1]);
    const char *word = argc > 2 ? argv[2] : ""; /* exec_part changes it */
    int code = command->parts ? exec_part(command, argc - 1, argv + 1)
                              : exec_shared(command, argc - 1, argv + 1);
    if (code == TR_TOOL_USAGE)
        print_usage(command, word);
    return code;
}

/* Where memory runs out, the system ends a training rather than the daemon that started it. */
static void offer_to_end_first(void) {
    FILE *file = fopen("/proc/self/oom_score_adj", "w");
    if (!file)
        return;
    fputs("500", file);
    fclose(file);
}

/* A daemon that starts trainings sets TROUPE_PARENT to its process id: the system then kills this
 * process when that one ends. False: it has ended already. */
static bool stay_with_parent(void) {
    const char *parent = getenv("TROUPE_PARENT");
    if (parent)
        offer_to_end_first();
    return !parent || (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == atol(parent));
}

int main(int argc, char **argv) {
    tr_error error = {0};
    /* A log shows how far a command came, however it ends. */
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (!stay_with_parent())
        return TR_TOOL_FAILED;
    tr_linalg_pin();
    if (tr_ranks_begin(&error)) {
        fprintf(stderr, "troupe-train: %s\n", error.message);
        return TR_TOOL_FAILED;
    }
    return tr_ranks_end(tr_standard_output_end("troupe-train", run(argc, argv)));
}
