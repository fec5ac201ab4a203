#include "cli/world_command.h"

static int run(tr_cli *cli, const void *values) {
    return tr_cli_command_world(cli, values, tr_client_resume, "resumed");
}

const tr_cli_command tr_cli_command_resume = {
    .name = "resume",
    .summary = "resume a paused world",
    .help = "It continues from the tick at which it was paused.\n\n"
            "  troupe resume arena",
    .argument = TR_CLI_WORLD_ARGUMENTS,
    .values_size = sizeof(tr_cli_world_values),
    .run = run,
};
