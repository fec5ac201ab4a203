#include "cli/cli.h"

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    (void)entity, (void)given;
    return tr_client_stop_recording(client, at);
}

const tr_cli_command tr_cli_command_stop_recording = {
    .name = "stop-recording",
    .summary = "end the recording of a world",
    .help = "'troupe recordings' lists the recordings.\n\n"
            "  troupe stop-recording arena",
    .argument = {TR_CLI_WORLD, TR_CLI_AT},
    .values_size = sizeof(tr_cli_target),
    .send = send,
    .done = "recording ended",
};
