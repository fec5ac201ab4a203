#include "cli/world_command.h"

static int run(tr_cli *cli, const void *values) {
    return tr_cli_command_world(cli, values, tr_client_mark, "marked");
}

const tr_cli_command tr_cli_command_mark = {
    .name = "mark",
    .summary = "set the reset point of a world to its present state",
    .help = "Until the first mark the world keeps a default reset point, taken again after each\n"
            "spawn and despawn.\n\n"
            "  troupe mark arena",
    .argument = TR_CLI_WORLD_ARGUMENTS,
    .values_size = sizeof(tr_cli_world_values),
    .run = run,
};
