#include "cli/output.h"

typedef struct values {
    const char *world;
    int64_t count;
} values;

static const values defaults = {.count = 1};

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    if (v->count < 1 || v->count > 1000000)
        return tr_cli_usage_error("step: COUNT %lld: expected 1 to 1000000", (long long)v->count);
    tr_client_at at;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_place(cli, v->world, 0, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_step(cli->client, at, (uint32_t)v->count), &reply);
    return code ? code : tr_output_applied(cli, "stepped", &reply->applied);
}

const tr_cli_command tr_cli_command_step = {
    .name = "step",
    .summary = "advance a stepped or paused world by a number of ticks",
    .help = "Waits until the world has reached the tick, and prints the tick and the hash of the\n"
            "complete state: equal hashes mean equal worlds, to the bit. If other clients have\n"
            "joined as steppers, the world waits for them too.\n\n"
            "  troupe step lab 200",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"[COUNT]", TR_OPTION_INTEGER, offsetof(values, count), "ticks; default 1"}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
