#include "cli/cli.h"

typedef struct values {
    tr_cli_target target;
    bool off;
} values;

TR_CLI_SEND(values, tr_client_set_limp(client, at, entity, !v->off))

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    return tr_cli_act(cli, v, send, v->off ? "servos on" : "limp");
}

const tr_cli_command tr_cli_command_limp = {
    .name = "limp",
    .summary = "switch a character's servos off, so that it collapses, or on again",
    .help = "Its controller pauses while it is limp.\n\n"
            "  troupe limp arena guard\n"
            "  troupe limp arena guard --off",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"--off", TR_OPTION_FLAG, offsetof(values, off), "servos on again"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .run = run,
};
