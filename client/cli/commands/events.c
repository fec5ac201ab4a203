#include "cli/state_rows.h"

#include <math.h>

typedef struct values {
    const char *world;
    double seconds;
} values;

static const values defaults = {.seconds = INFINITY};

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_subscribe_def subscribe = {.events = true};
    cli->on_event = tr_cli_print_event;
    int code = tr_cli_find_world(cli, v->world, &subscribe.world);
    return code ? code : tr_cli_follow(cli, &subscribe, v->seconds);
}

const tr_cli_command tr_cli_command_events = {
    .name = "events",
    .summary = "print the events of a world: falls, touches, controllers, commands",
    .help = "Ends with Ctrl-C or after --for. A world that moves to another daemon is followed.\n\n"
            "  troupe events arena\n"
            "  troupe events arena --for 60 --json",
    .argument = {TR_CLI_WORLD,
                 {"--for SECONDS", TR_OPTION_REAL, offsetof(values, seconds),
                  "default: until interrupted"}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
