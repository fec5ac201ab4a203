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

/* --- groups: what commands share whose names begin with the same word --- */

const tr_tool_command tr_tool_graph = {
    .name = "graph",
    .summary = "join skills into a control graph, train it, and test it by random walks",
    .help =
        "Graphs go into the catalogue with a record of how they were made.\n"
        "controllers/guide/graphs.md explains more.\n\n"
        "  printf 'skill walk\\nskill run\\n' > gaits.txt\n"
        "  troupe-train graph build ways --connectivity gaits.txt --catalogue mine.troupe --learn\n"
        "  troupe-train graph harden ways --as gaits --catalogue mine.troupe\n"
        "  troupe-train graph walk gaits --catalogue mine.troupe\n",
};
const tr_tool_command tr_tool_bundle = {
    .name = "bundle",
    .summary = "pack controllers with all they depend on into one file, or unpack such a file",
    .help = "A bundle holds controllers with their control fragments, models, clips and training\n"
            "runs.\n",
    .example = "  troupe-train bundle export catalogue.sqlite run walk -o gaits.troupe\n"
               "  troupe-train bundle import gaits.troupe --catalogue other.sqlite\n",
};
const tr_tool_command tr_tool_gait = {
    .name = "gait",
    .summary = "learn and measure walks that lean into the forces they feel",
    .help = "A gait is a state machine of four keyframes whose parameters depend on the force that "
            "the\n"
            "character feels (Shum et al.). controllers/guide/gaits.md explains the method.\n\n"
            "  troupe-train gait learn walk.json --catalogue mine.troupe --name my-walk "
            "--checkpoint walk.gait\n"
            "  troupe-train gait evaluate my-walk --catalogue mine.troupe\n",
};
const tr_tool_command tr_tool_latent = {
    .name = "latent",
    .summary = "learn a latent space of a few clips and control characters in it",
    .help = "A latent space is learned from motions ('fit'); a policy is learned in it\n"
            "('task') and measured ('check'). The viewer draws the space beside a puppet.\n"
            "controllers/guide/latent.md explains the method.\n",
};
const tr_tool_command tr_tool_schedule = {
    .name = "schedule",
    .summary = "learn and test networks that choose the next control fragment",
    .help =
        "A scheduler chooses ten times a second which fragment of a controller comes next\n"
        "(Liu and Hodgins 2017). controllers/guide/scheduling.md explains the\n"
        "method and names a United States patent on it.\n\n"
        "  troupe-train schedule learn locomotion --catalogue mine.troupe --name steady\n"
        "  troupe-train schedule test steady --catalogue mine.troupe --push 100:300:50\n"
        "  troupe-train schedule requests stunts --catalogue mine.troupe --skills stand,backflip\n",
};
const tr_tool_command tr_tool_policy = {
    .name = "policy",
    .summary = "import policies that were trained elsewhere",
    .help =
        "A multilayer perceptron that sees the character's state and sets the targets of its\n"
        "joints becomes a controller: served, pushed, certified and recorded like all others.\n",
};
const tr_tool_command tr_tool_balance = {
    .name = "balance",
    .summary = "learn and test feedback that balances on boards and balls",
    .help = "A balance holds one stance on an object that its characters bring along, and turns\n"
            "ankles, hips and waist by linear feedback a hundred times a second.\n"
            "Those that momentum, skate, board and walk make compute torques instead, and learn\n"
            "nothing. controllers/guide/balance.md explains the methods.\n\n"
            "  troupe-train balance learn --catalogue mine.troupe --name bongo \\\n"
            "    --task controllers/recipes/balance/bongo.task\n"
            "  troupe-train balance test bongo --catalogue mine.troupe --push 0:10:5\n",
};

/* --- the commands --- */

#define X(name) &tr_tool_##name,
static const tr_tool_command *const commands[] = {TR_TOOL_LIST(X)};
#undef X
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* Commands by number, then methods by number. */
static const tr_method *method_at(int i) {
    return i < COMMAND_COUNT ? NULL : tr_methods[i - COMMAND_COUNT];
}

/* "": there are no more. */
static const char *name_at(int i) {
    const tr_method *method = method_at(i);
    return i < COMMAND_COUNT ? commands[i]->name : method ? method->command : "";
}

static bool is_group(int i) {
    return i < COMMAND_COUNT && !commands[i]->options;
}

/* The command that takes the most of the words, or its group; -1: neither. */
static int find(int count, char *const *words, int *out_taken) {
    int found = -1;
    *out_taken = 0;
    for (int i = 0; *name_at(i); i++) {
        const int taken = tr_method_match(name_at(i), count, words);
        if (taken > *out_taken) {
            found = i;
            *out_taken = taken;
        }
    }
    return found;
}

/* What stands in the name of a command behind that of a group; NULL: it is of another group. */
static const char *part_of(const char *command, const char *group) {
    const size_t length = strlen(group);
    const bool is = strncmp(command, group, length) == 0 && command[length] == ' ';
    return is ? command + length + 1 : NULL;
}

static void print_parts(const char *group, FILE *out) {
    const char *between = " ";
    for (int i = 0; *name_at(i); i++)
        if (part_of(name_at(i), group)) {
            fprintf(out, "%s%s", between, part_of(name_at(i), group));
            between = " | ";
        }
}

/* --- help --- */

static void print_overview(FILE *out) {
    fputs("troupe-train: from motion capture to controllers, offline\n\nusage: troupe-train "
          "COMMAND [ARGUMENTS]\n\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (!strchr(commands[i]->name, ' '))
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
    for (int i = 0; *name_at(i); i++)
        if (method_at(i) || commands[i]->shares)
            fprintf(out, " '%s'", name_at(i));
    fputs(".\n", out);
}

static void print_usage(int i, FILE *out) {
    char name[96];
    snprintf(name, sizeof name, "troupe-train %s", name_at(i));
    if (method_at(i)) {
        tr_method_print_usage(method_at(i), out);
    } else if (is_group(i)) {
        fprintf(out, "usage: %s", name);
        print_parts(name_at(i), out);
        fputs(" [ARGUMENTS]\n", out);
    } else {
        tr_argument_print_usage(tr_tool_arguments(commands[i]), name, out);
    }
}

static void print_command(int i) {
    const tr_tool_command *command = commands[i];
    print_usage(i, stdout);
    printf("\n%s\n", command->summary);
    if (command->help)
        printf("\n%s", command->help);
    if (command->options) {
        fputc('\n', stdout);
        tr_argument_print_help(tr_tool_arguments(command), stdout);
    }
    if (command->example)
        printf("\n%s", command->example);
}

/* Explains a command, or a group and all of its commands. */
static void explain(int i) {
    if (method_at(i))
        tr_method_print_help(method_at(i), stdout);
    else
        print_command(i);
    for (int k = 0; is_group(i) && *name_at(k); k++)
        if (part_of(name_at(k), name_at(i))) {
            fputc('\n', stdout);
            explain(k);
        }
}

static bool asks_for_help(int count, char **word) {
    bool help = false;
    for (int i = 0; i < count; i++)
        help |= strcmp(word[i], "--help") == 0 || strcmp(word[i], "-h") == 0;
    return help;
}

/* --- running --- */

/* Runs a command with the words behind it. Commands that do not share their work would do it once on every
 * rank. */
static int run_command(int i, int argc, char **argv) {
    if (method_at(i))
        return tr_method_exec(method_at(i), argc, argv);
    if (is_group(i)) {
        fprintf(stderr, "troupe-train %s: expected a subcommand\n", argv[0]);
        return TR_TOOL_USAGE;
    }
    if (commands[i]->shares || tr_ranks_count() == 1)
        return tr_tool_exec(commands[i], argc, argv);
    fprintf(
        stderr,
        "troupe-train %s: started as %d ranks, but it does not share its work: start it without "
        "mpirun or srun\n",
        argv[0], tr_ranks_count());
    return TR_TOOL_FAILED;
}

static int run(int argc, char **argv) {
    const bool helps = argc > 1 && (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0);
    char **word = argv + (helps ? 2 : 1), name[64];
    const int count = (int)(argv + argc - word);
    int taken = 0;
    if (count < 1) {
        print_overview(helps ? stdout : stderr);
        return helps ? TR_TOOL_OK : TR_TOOL_USAGE;
    }
    const int command = find(count, word, &taken);
    if (command < 0) {
        fprintf(stderr, "troupe-train: no command '%s'; 'troupe-train help' lists them\n", *word);
        return TR_TOOL_USAGE;
    }
    if (helps || asks_for_help(count - taken, word + taken)) {
        explain(command);
        return TR_TOOL_OK;
    }
    /* The name of the command stands in front of its words. */
    snprintf(name, sizeof name, "%s", name_at(command));
    word += taken - 1;
    *word = name;
    const int code = run_command(command, count - taken + 1, word);
    if (code == TR_TOOL_USAGE) {
        print_usage(command, stderr);
        fprintf(stderr, "'troupe-train help %s' explains\n", name);
    }
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
    tr_linalg_choose_kernels(argv);
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
