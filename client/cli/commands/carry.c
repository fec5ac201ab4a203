#include "cli/cli.h"

typedef struct values {
    tr_cli_target target;
    tr_client_travel travel;
} values;

static const values defaults = {.travel.duration_s = 2};

TR_CLI_SEND(values, tr_client_carry(client, at, entity, &v->travel))

const tr_cli_command tr_cli_command_carry = {
    .name = "carry",
    .summary = "move a platform or a lift to a place",
    .help =
        "The object starts and stops gently and carries what stands on it. It must be kinematic:\n"
        "'troupe spawn-object --kinematic'.\n\n"
        "  troupe spawn-object arena box --size 1,1,0.1 --pos 3,0,0.1 --label lift --kinematic\n"
        "  troupe carry arena lift 3,0,2.1 --duration 4 --shuttle",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"PLACE", TR_OPTION_VECTOR, offsetof(values, travel.pos),
                  "x,y,z of its centre, m"},
                 {"--duration S", TR_OPTION_REAL, offsetof(values, travel.duration_s), "default 2"},
                 {"--shuttle", TR_OPTION_FLAG, offsetof(values, travel.shuttle),
                  "travel there and back, again and again"},
                 TR_CLI_AT},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .send = send,
    .done = "carried",
};
