#include "cli/cli.h"

#include <limits.h>

typedef struct values {
    tr_cli_target target;
    int id;
} values;

TR_CLI_SEND(values, tr_client_remove_scenery(client, at, (uint32_t)v->id))

const tr_cli_command tr_cli_command_remove_scenery = {
    .name = "remove-scenery",
    .summary = "remove a piece of scenery from a world",
    .help = "'troupe scenery' lists the pieces with their ids.\n\n"
            "  troupe remove-scenery arena 3",
    .argument = {TR_CLI_WORLD,
                 {"ID", TR_OPTION_COUNT, offsetof(values, id),
                  "of the piece, as 'troupe scenery' lists it", 0, INT_MAX},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .send = send,
    .done = "removed",
};
