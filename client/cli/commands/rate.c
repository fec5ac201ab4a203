#include "cli/output.h"

typedef struct values {
    const char *world;
    double rate;
    int64_t at;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_at at;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_set_rate(cli->client, at, v->rate), &reply);
    return code ? code : tr_output_applied(cli, "rate set", &reply->applied);
}

const tr_cli_command tr_cli_command_rate = {
    .name = "rate",
    .summary = "set how fast a real-time world runs",
    .help = "  troupe rate arena 0.25",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"RATE", TR_OPTION_REAL, offsetof(values, rate),
                  "seconds of the world per second, 0.01 to 100"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
