#include "cli/cli.h"

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    (void)entity, (void)given;
    return tr_client_pause(client, at);
}

const tr_cli_command tr_cli_command_pause = {
    .name = "pause",
    .summary = "pause a real-time or fast world",
    .help =
        "Commands still apply while it is paused, and 'troupe step' moves it by single ticks.\n\n"
        "  troupe pause arena",
    .argument = {TR_CLI_WORLD, TR_CLI_AT},
    .values_size = sizeof(tr_cli_target),
    .send = send,
    .done = "paused",
};
