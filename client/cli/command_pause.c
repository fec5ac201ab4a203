#include "output.h"

typedef struct values {
    const char *world;
    int64_t at;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_at at;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_pause(cli->client, at), &reply);
    return code ? code : tr_output_applied(cli, "paused", &reply->applied);
}

const tr_cli_command tr_cli_command_pause = {
    .name = "pause",
    .summary = "hold a real-time or fast world",
    .help = "Commands still apply while it is paused, and 'troupe step' moves it on by hand.\n\n"
            "  troupe pause arena",
    .argument = {{"WORLD", TR_CLI_TEXT, offsetof(values, world), "id or name"},
                 {"--at TICK", TR_CLI_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible"}},
    .values_size = sizeof(values),
    .run = run,
};
