#include "cli/output.h"

typedef struct values {
    const char *world, *entity;
    bool off;
    int64_t at;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_at at;
    uint32_t entity = 0;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_find_entity(cli, at.world, v->entity, &entity);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_set_limp(cli->client, at, entity, !v->off), &reply);
    return code ? code : tr_output_applied(cli, v->off ? "servos on" : "limp", &reply->applied);
}

const tr_cli_command tr_cli_command_limp = {
    .name = "limp",
    .summary = "switch a character's servos off, so that it collapses, or on again",
    .help = "Its controller pauses while it is limp.\n\n"
            "  troupe limp arena guard\n"
            "  troupe limp arena guard --off",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"ENTITY", TR_OPTION_TEXT, offsetof(values, entity), "id or label"},
                 {"--off", TR_OPTION_FLAG, offsetof(values, off), "servos on again"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
