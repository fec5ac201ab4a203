#include "cli/output.h"

#include <string.h>

typedef struct values {
    const char *world, *entity, *pos;
    double vel[3], omega[3];
    int64_t at;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_at at;
    tr_client_throw_def throw = {.move = v->pos != NULL};
    if (v->pos && !tr_option_vector(v->pos, throw.pos))
        return tr_cli_usage_error("throw: --pos: expected three numbers like 0,0,1, got '%s'",
                                  v->pos);
    memcpy(throw.vel, v->vel, sizeof throw.vel);
    memcpy(throw.omega, v->omega, sizeof throw.omega);
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_find_entity(cli, at.world, v->entity, &throw.entity);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_throw(cli->client, at, &throw), &reply);
    return code ? code : tr_output_applied(cli, "thrown", &reply->applied);
}

const tr_cli_command tr_cli_command_throw = {
    .name = "throw",
    .summary = "throw an object, from where it is or from another place",
    .help = "'troupe spawn-object' makes an object, and explains how fast one may be.\n\n"
            "  troupe throw arena ball -6,0,1 --pos 3,0,1.2",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"ENTITY", TR_OPTION_TEXT, offsetof(values, entity), "name or #ID of an object"},
                 {"VELOCITY", TR_OPTION_VECTOR, offsetof(values, vel), "x,y,z, m/s"},
                 {"--spin X,Y,Z", TR_OPTION_VECTOR, offsetof(values, omega), "rad/s; default none"},
                 {"--pos X,Y,Z", TR_OPTION_TEXT, offsetof(values, pos),
                  "start there, m; default: where it is"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
