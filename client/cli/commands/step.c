#include "cli/cli.h"

typedef struct values {
    tr_cli_target target;
    int count;
} values;

static const values defaults = {.count = 1};

TR_CLI_SEND(values, tr_client_step(client, at, (uint32_t)v->count))

const tr_cli_command tr_cli_command_step = {
    .name = "step",
    .summary = "advance a stepped or paused world by a number of ticks",
    .help = "Waits until the world has reached the tick, and prints the tick and the hash of the\n"
            "complete state: equal hashes mean equal worlds, to the bit. If other clients have\n"
            "joined as steppers, the world waits for them too.\n\n"
            "  troupe step lab 200",
    .argument = {TR_CLI_WORLD,
                 {"[COUNT]", TR_OPTION_COUNT, offsetof(values, count), "ticks; default 1", 1,
                  1000000}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .send = send,
    .done = "stepped",
};
