#include "cli/cli.h"

#include <limits.h>

typedef struct values {
    tr_cli_target target;
    int fragment;
    bool mirrored;
} values;

TR_CLI_SEND(values, tr_client_set_fragment(client, at, entity, (uint32_t)v->fragment, v->mirrored))

const tr_cli_command tr_cli_command_set_fragment = {
    .name = "set-fragment",
    .summary = "choose the control fragment that a character performs next",
    .help = "It begins when the current fragment ends, once; from there the controller continues\n"
            "by itself. 'troupe controllers NAME' lists the fragments. A transition that was not\n"
            "learned may end in a fall.\n\n"
            "  troupe set-fragment arena guard 3",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"FRAGMENT", TR_OPTION_COUNT, offsetof(values, fragment), "from 0", 0, INT_MAX},
                 {"--mirrored", TR_OPTION_FLAG, offsetof(values, mirrored),
                  "in the mirrored half of the cycle"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .send = send,
    .done = "accepted",
};
