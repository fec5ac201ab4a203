#include "cli/cli.h"

typedef struct values {
    tr_cli_target place;
    const char *object;
    tr_client_hold_def def;
} values;

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    const values *v = given;
    tr_client_hold_def def = v->def;
    def.entity = entity;
    return tr_client_hold(client, at, &def);
}

static int run(tr_cli *cli, const void *given) {
    values v = *(const values *)given;
    uint32_t world = 0;
    int code = tr_cli_find_world(cli, v.place.world, &world);
    if (code == TR_EXIT_OK)
        code = tr_cli_find_entity(cli, world, v.object, &v.def.object);
    return code ? code : tr_cli_act(cli, &v, send, v.def.off ? "let go" : "held");
}

const tr_cli_command tr_cli_command_hold = {
    .name = "hold",
    .summary = "take an object that is at a character's hand, or let it go",
    .help =
        "The object moves with the hand until it breaks away. Two hands may hold one object.\n\n"
        "  troupe hold arena guard crate --body lhand --break 300\n"
        "  troupe hold arena guard crate --off --at 1200",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"OBJECT", TR_OPTION_TEXT, offsetof(values, object), "its name or #ID"},
                 {"--body NAME", TR_OPTION_TEXT, offsetof(values, def.body),
                  "which takes it; default: the right hand"},
                 {"--break N", TR_OPTION_REAL, offsetof(values, def.break_n),
                  "a force above which it breaks away, N; default: it does not"},
                 {"--off", TR_OPTION_FLAG, offsetof(values, def.off),
                  "let go; without --body, with both hands"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .run = run,
};
