#include "cli/output.h"

#include <stdio.h>

typedef struct values {
    tr_cli_target target;
    int order;
} values;

TR_CLI_SEND(values, tr_client_remove_stepper(client, at, (uint32_t)v->order))

static int run(tr_cli *cli, const void *given) {
    char done[32];
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask_about(cli, given, send, &reply);
    if (code)
        return code;
    snprintf(done, sizeof done, "removed stepper %u", reply->applied.order);
    return tr_output_applied(cli, done, &reply->applied);
}

const tr_cli_command tr_cli_command_remove_stepper = {
    .name = "remove-stepper",
    .summary = "remove a client that holds up a stepped world",
    .help = "The world no longer waits for that stepper's next step; its subscribers "
            "get an event.\n"
            "The client joins again with its next step. For directors.\n\n"
            "  troupe remove-stepper lab\n"
            "  troupe remove-stepper lab 2",
    .argument = {TR_CLI_WORLD,
                 {"[ORDER]", TR_OPTION_COUNT, offsetof(values, order),
                  "the stepper's order number; default: 0, the one that the world waits for", 0,
                  1000}},
    .values_size = sizeof(values),
    .run = run,
};
