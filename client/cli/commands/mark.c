#include "cli/cli.h"

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    (void)entity, (void)given;
    return tr_client_mark(client, at);
}

const tr_cli_command tr_cli_command_mark = {
    .name = "mark",
    .summary = "set the reset point of a world to its present state",
    .help = "Until the first mark the world keeps a default reset point, taken again after each\n"
            "spawn and despawn.\n\n"
            "  troupe mark arena",
    .argument = {TR_CLI_WORLD, TR_CLI_AT},
    .values_size = sizeof(tr_cli_target),
    .send = send,
    .done = "marked",
};
