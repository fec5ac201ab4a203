#include "cli/world_command.h"

static int run(tr_cli *cli, const void *values) {
    return tr_cli_command_world(cli, values, tr_client_stop_recording, "recording ended");
}

const tr_cli_command tr_cli_command_stop_recording = {
    .name = "stop-recording",
    .summary = "end the recording of a world",
    .help = "'troupe recordings' lists the recordings.\n\n"
            "  troupe stop-recording arena",
    .argument = TR_CLI_WORLD_ARGUMENTS,
    .values_size = sizeof(tr_cli_world_values),
    .run = run,
};
