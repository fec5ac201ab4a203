#include "cli/world_command.h"

static int run(tr_cli *cli, const void *values) {
    return tr_cli_command_world(cli, values, tr_client_reset, "reset");
}

const tr_cli_command tr_cli_command_reset = {
    .name = "reset",
    .summary = "return a world to its reset point",
    .help = "Commands that wait for a later tick are dropped; the epoch of the world increases by\n"
            "one.\n\n"
            "  troupe reset arena",
    .argument = TR_CLI_WORLD_ARGUMENTS,
    .values_size = sizeof(tr_cli_world_values),
    .run = run,
};
