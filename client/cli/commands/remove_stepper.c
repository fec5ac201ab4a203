#include "cli/output.h"

#include <stdio.h>

typedef struct values {
    const char *world;
    int64_t order;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    char done[32];
    if (v->order < 0 || v->order > 1000)
        return tr_cli_usage_error(
            "remove-stepper: ORDER %lld: expected 1 to 1000, or 0 for the one that is waited for",
            (long long)v->order);
    tr_client_at at;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_place(cli, v->world, 0, &at);
    if (code == TR_EXIT_OK)
        code =
            tr_cli_ask(cli, tr_client_remove_stepper(cli->client, at, (uint32_t)v->order), &reply);
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
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"[ORDER]", TR_OPTION_INTEGER, offsetof(values, order),
                  "the stepper's order number; default: 0, the one that the world waits for"}},
    .values_size = sizeof(values),
    .run = run,
};
