#include "cli/output.h"

static int run(tr_cli *cli, const void *values) {
    (void)values;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_ping(cli->client), &reply);
    if (code)
        return code;
    return tr_output_object(cli, json_pack("{s:s, s:i, s:s, s:f, s:I, s:I}", "host", cli->host,
                                           "port", cli->port, "version", reply->pong.server_version,
                                           "uptime_s", reply->pong.uptime_s, "sessions",
                                           (json_int_t)reply->pong.sessions, "worlds",
                                           (json_int_t)reply->pong.worlds));
}

const tr_cli_command tr_cli_command_status = {
    .name = "status",
    .summary = "show the daemon's version, load and limits",
    .help = "Connects, logs in and pings the daemon.\n\n"
            "  troupe status\n"
            "  troupe --host games.example --port 7400 status",
    .run = run,
};
