#include "cli/output.h"

typedef struct values {
    const char *world;
    int64_t position;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    uint32_t world = 0;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_world(cli, v->world, &world);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_seek(cli->client, world, v->position), &reply);
    return code ? code : tr_output_applied(cli, "there", &reply->applied);
}

const tr_cli_command tr_cli_command_seek = {
    .name = "seek",
    .summary = "jump to a tick of a replay",
    .help = "POSITION counts the steps from the recording's start; the answer is sent when the\n"
            "replay has reached it.\n\n"
            "  troupe seek again 4000",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID of a replay"},
                 {"POSITION", TR_OPTION_INTEGER, offsetof(values, position), "steps"}},
    .values_size = sizeof(values),
    .run = run,
};
