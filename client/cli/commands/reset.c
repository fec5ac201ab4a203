#include "cli/cli.h"

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    (void)entity, (void)given;
    return tr_client_reset(client, at);
}

const tr_cli_command tr_cli_command_reset = {
    .name = "reset",
    .summary = "return a world to its reset point",
    .help = "Commands that wait for a later tick are dropped; the epoch of the world increases by\n"
            "one.\n\n"
            "  troupe reset arena",
    .argument = {TR_CLI_WORLD, TR_CLI_AT},
    .values_size = sizeof(tr_cli_target),
    .send = send,
    .done = "reset",
};
