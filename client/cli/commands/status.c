#include "cli/output.h"
#include "cli/view.h"

static int run(tr_cli *cli, const void *values) {
    (void)values;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_ping(cli->client), &reply);
    if (code)
        return code;
    json_t *object = json_pack("{s:s, s:i}", "host", cli->host, "port", cli->port);
    tr_view_add(object, &tr_client_pong_mapping, &reply->pong,
                "version=server_version uptime_s sessions worlds");
    return tr_output_object(cli, object);
}

const tr_cli_command tr_cli_command_status = {
    .name = "status",
    .summary = "show the daemon's version, load and ports",
    .help = "Connects, logs in and pings the daemon.\n\n"
            "  troupe status\n"
            "  troupe --host games.example --port 7400 status",
    .run = run,
};
