#include "cli/cli.h"

typedef struct values {
    tr_cli_target target;
    tr_client_push_def push;
} values;

static const values defaults = {.push.duration_s = 0.2};

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    const values *v = given;
    tr_client_push_def push = v->push;
    push.entity = entity;
    return tr_client_push(client, at, &push);
}

const tr_cli_command tr_cli_command_push = {
    .name = "push",
    .summary = "push a character or an object with a force for a time",
    .help = "The standard test of robustness is 0.2 s against the upper torso, which is the "
            "default body.\n\n"
            "  troupe push arena guard 0,120,0\n"
            "  troupe push arena '#65537' -200,0,0 --duration 0.1 --body pelvis",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"FORCE", TR_OPTION_VECTOR, offsetof(values, push.force), "x,y,z in the world, N"},
                 {"--duration S", TR_OPTION_REAL, offsetof(values, push.duration_s), "default 0.2"},
                 {"--body NAME", TR_OPTION_TEXT, offsetof(values, push.body),
                  "default: the model's trunk"},
                 {"--point X,Y,Z", TR_OPTION_VECTOR, offsetof(values, push.point),
                  "from its centre of mass, m"},
                 TR_CLI_AT},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .send = send,
    .done = "pushed",
};
