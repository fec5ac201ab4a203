#include "cli/cli.h"

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    (void)entity, (void)given;
    return tr_client_resume(client, at);
}

const tr_cli_command tr_cli_command_resume = {
    .name = "resume",
    .summary = "resume a paused world",
    .help = "It continues from the tick at which it was paused.\n\n"
            "  troupe resume arena",
    .argument = {TR_CLI_WORLD, TR_CLI_AT},
    .values_size = sizeof(tr_cli_target),
    .send = send,
    .done = "resumed",
};
