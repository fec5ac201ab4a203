/* troupe-train gait: state-machine gaits that lean into the forces they feel. */
#include "tools/gait/gait_tool.h"

#include <stdio.h>
#include <string.h>

static const tr_tool_command *const subcommands[] = {
    &tr_tool_gait_learn,
    &tr_tool_gait_embed,
    &tr_tool_gait_compare,
    &tr_tool_gait_evaluate,
};
enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

static void print_overview(FILE *out) {
    fputs("usage: troupe-train gait SUBCOMMAND [ARGUMENTS]\n\n", out);
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", subcommands[i]->name, subcommands[i]->summary);
    fputs("\n'troupe-train gait SUBCOMMAND --help' explains one.\n", out);
}

static int exec(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < SUBCOMMAND_COUNT; i++) {
        const tr_tool_command *command = subcommands[i];
        if (strcmp(argv[1], command->name) != 0)
            continue;
        if (argc > 2 && strcmp(argv[2], "--help") == 0) {
            printf("usage: troupe-train gait %s %s\n\n%s\n\n%s", command->name, command->arguments,
                   command->summary, command->help);
            return TR_TOOL_OK;
        }
        int code = command->exec(argc - 1, argv + 1);
        if (code == TR_TOOL_USAGE)
            fprintf(stderr, "usage: troupe-train gait %s %s\n", command->name, command->arguments);
        return code;
    }
    print_overview(stderr);
    return TR_TOOL_USAGE;
}

const tr_tool_command tr_tool_gait = {
    .name = "gait",
    .arguments = "learn | embed | compare | evaluate [ARGUMENTS]",
    .summary = "learn and measure walks that lean into the forces they feel",
    .help =
        "A gait is a state machine of four keyframes whose parameters follow the force that the\n"
        "character feels (Shum et al.). controllers/learn/gait/GAITS.md explains the method.\n\n"
        "  learn      from a walk of motion capture to a curve of gaits over the force\n"
        "  evaluate   what a trained curve survives\n\n"
        "  troupe-train gait learn walk.json --checkpoint walk.gait\n"
        "  troupe-train gait evaluate walk.json --checkpoint walk.gait\n",
    .exec = exec,
};
