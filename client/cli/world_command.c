#include "cli/world_command.h"

int tr_cli_command_world(tr_cli *cli, const tr_cli_world_values *values,
                         uint64_t (*command)(tr_client *client, tr_client_at at),
                         const char *done) {
    tr_client_at at;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_place(cli, values->world, values->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, command(cli->client, at), &reply);
    return code ? code : tr_output_applied(cli, done, &reply->applied);
}
