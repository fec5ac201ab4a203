#include "cli/output.h"

typedef struct values {
    const char *world, *entity;
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
        code = tr_cli_ask(cli, tr_client_despawn(cli->client, at, entity), &reply);
    return code ? code : tr_output_applied(cli, "despawned", &reply->applied);
}

const tr_cli_command tr_cli_command_despawn = {
    .name = "despawn",
    .summary = "remove a character or an object from a world",
    .help = "  troupe despawn arena guard",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"ENTITY", TR_OPTION_TEXT, offsetof(values, entity), "id or label"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
