#include "cli/cli.h"

typedef struct values {
    tr_cli_target target;
    const char *pos;
    tr_client_throw_def def;
} values;

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    const values *v = given;
    tr_client_throw_def def = v->def;
    def.entity = entity;
    return tr_client_throw(client, at, &def);
}

static int run(tr_cli *cli, const void *given) {
    values v = *(const values *)given;
    v.def.move = v.pos != NULL;
    if (v.pos && !tr_option_vector(v.pos, v.def.pos))
        return tr_cli_usage_error("throw: --pos: expected three numbers like 0,0,1, got '%s'",
                                  v.pos);
    return tr_cli_act(cli, &v, send, "thrown");
}

const tr_cli_command tr_cli_command_throw = {
    .name = "throw",
    .summary = "throw an object, from where it is or from another place",
    .help = "'troupe spawn-object' makes an object, and explains how fast one may be.\n\n"
            "  troupe throw arena ball -6,0,1 --pos 3,0,1.2",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"VELOCITY", TR_OPTION_VECTOR, offsetof(values, def.vel), "x,y,z, m/s"},
                 {"--spin X,Y,Z", TR_OPTION_VECTOR, offsetof(values, def.omega),
                  "rad/s; default none"},
                 {"--pos X,Y,Z", TR_OPTION_TEXT, offsetof(values, pos),
                  "start there, m; default: where it is"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .run = run,
};
