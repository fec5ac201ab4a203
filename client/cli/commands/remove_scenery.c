#include "cli/output.h"

typedef struct values {
    const char *world;
    int64_t id, at;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_at at;
    const tr_client_reply *reply = NULL;
    if (v->id > UINT32_MAX)
        return tr_cli_usage_error("remove-scenery: ID %lld: expected an id of 'troupe scenery'",
                                  (long long)v->id);
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (!code)
        code = tr_cli_ask(cli, tr_client_remove_scenery(cli->client, at, (uint32_t)v->id), &reply);
    return code ? code : tr_output_applied(cli, "removed", &reply->applied);
}

const tr_cli_command tr_cli_command_remove_scenery = {
    .name = "remove-scenery",
    .summary = "remove a piece of scenery from a world",
    .help = "'troupe scenery' lists the pieces with their ids.\n\n"
            "  troupe remove-scenery arena 3",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"ID", TR_OPTION_INTEGER, offsetof(values, id), "of the piece"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
