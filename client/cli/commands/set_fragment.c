#include "cli/output.h"

typedef struct values {
    const char *world, *entity;
    int64_t fragment, at;
    bool mirrored;
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
        code = tr_cli_ask(
            cli,
            tr_client_set_fragment(cli->client, at, entity, (uint32_t)v->fragment, v->mirrored),
            &reply);
    return code ? code : tr_output_applied(cli, "accepted", &reply->applied);
}

const tr_cli_command tr_cli_command_set_fragment = {
    .name = "set-fragment",
    .summary = "choose the control fragment that a character performs next",
    .help = "It begins when the current fragment ends, once; from there the controller continues\n"
            "by itself. 'troupe controllers NAME' lists the fragments. A transition that was not\n"
            "learned may end in a fall.\n\n"
            "  troupe set-fragment arena guard 3",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"ENTITY", TR_OPTION_TEXT, offsetof(values, entity), "id or label"},
                 {"FRAGMENT", TR_OPTION_INTEGER, offsetof(values, fragment), "from 0"},
                 {"--mirrored", TR_OPTION_FLAG, offsetof(values, mirrored),
                  "in the mirrored half of the cycle"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
