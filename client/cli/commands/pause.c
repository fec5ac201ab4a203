#include "cli/world_command.h"

static int run(tr_cli *cli, const void *values) {
    return tr_cli_command_world(cli, values, tr_client_pause, "paused");
}

const tr_cli_command tr_cli_command_pause = {
    .name = "pause",
    .summary = "pause a real-time or fast world",
    .help =
        "Commands still apply while it is paused, and 'troupe step' moves it by single ticks.\n\n"
        "  troupe pause arena",
    .argument = TR_CLI_WORLD_ARGUMENTS,
    .values_size = sizeof(tr_cli_world_values),
    .run = run,
};
