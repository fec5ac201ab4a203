#include "cli/cli.h"

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    (void)given;
    return tr_client_despawn(client, at, entity);
}

const tr_cli_command tr_cli_command_despawn = {
    .name = "despawn",
    .summary = "remove a character or an object from a world",
    .help = "  troupe despawn arena guard",
    .argument = {TR_CLI_WORLD, TR_CLI_ENTITY, TR_CLI_AT},
    .values_size = sizeof(tr_cli_target),
    .send = send,
    .done = "despawned",
};
