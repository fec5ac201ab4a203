#include "cli/output.h"

#include <string.h>

typedef struct values {
    const char *world, *state;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    uint32_t world = 0;
    const tr_client_reply *reply = NULL;
    bool on = strcmp(v->state, "on") == 0;
    if (!on && strcmp(v->state, "off") != 0)
        return tr_cli_usage_error("'%s': expected on or off", v->state);
    int code = tr_cli_find_world(cli, v->world, &world);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_set_loop(cli->client, world, on), &reply);
    return code ? code : tr_output_applied(cli, on ? "loops" : "plays once", &reply->applied);
}

const tr_cli_command tr_cli_command_loop = {
    .name = "loop",
    .summary = "repeat a replay at its end, or stop",
    .help = "  troupe loop again on",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID of a replay"},
                 {"STATE", TR_OPTION_TEXT, offsetof(values, state), "on or off"}},
    .values_size = sizeof(values),
    .run = run,
};
