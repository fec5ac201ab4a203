#include "cli/output.h"

#include <string.h>

typedef struct values {
    const char *world, *entity;
    double to[3], duration_s;
    bool shuttle;
    int64_t at;
} values;

static const values defaults = {.duration_s = 2};

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_at at;
    uint32_t entity = 0;
    const tr_client_reply *reply = NULL;
    tr_client_travel travel = {.duration_s = v->duration_s, .shuttle = v->shuttle};
    memcpy(travel.pos, v->to, sizeof travel.pos);
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (!code)
        code = tr_cli_find_entity(cli, at.world, v->entity, &entity);
    if (!code)
        code = tr_cli_ask(cli, tr_client_carry(cli->client, at, entity, &travel), &reply);
    return code ? code : tr_output_applied(cli, "carried", &reply->applied);
}

const tr_cli_command tr_cli_command_carry = {
    .name = "carry",
    .summary = "move a platform or a lift to a place",
    .help =
        "The object starts and stops gently and carries what stands on it. It must be kinematic:\n"
        "'troupe spawn-object --kinematic'.\n\n"
        "  troupe spawn-object arena box --size 1,1,0.1 --pos 3,0,0.1 --label lift --kinematic\n"
        "  troupe carry arena lift 3,0,2.1 --duration 4 --shuttle",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"ENTITY", TR_OPTION_TEXT, offsetof(values, entity), "name or #ID of an object"},
                 {"PLACE", TR_OPTION_VECTOR, offsetof(values, to), "x,y,z of its centre, m"},
                 {"--duration S", TR_OPTION_REAL, offsetof(values, duration_s), "default 2"},
                 {"--shuttle", TR_OPTION_FLAG, offsetof(values, shuttle),
                  "travel there and back, again and again"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
