#include "cli/cli.h"

typedef struct values {
    tr_cli_target target;
    double rate;
} values;

TR_CLI_SEND(values, tr_client_set_rate(client, at, v->rate))

const tr_cli_command tr_cli_command_rate = {
    .name = "rate",
    .summary = "set how fast a real-time world runs",
    .help = "  troupe rate arena 0.25",
    .argument = {TR_CLI_WORLD,
                 {"RATE", TR_OPTION_REAL, offsetof(values, rate),
                  "seconds of the world per second, 0.01 to 100"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .send = send,
    .done = "rate set",
};
