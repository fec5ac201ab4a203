/* troupe watch, events: what happens in a world, while it happens. */
#include "cli/state_rows.h"

#include <math.h>

typedef struct values {
    const char *world;
    double rate_hz, seconds;
    bool bodies, velocities, no_events;
} values;

static const values defaults = {.rate_hz = 5, .seconds = INFINITY};
static const values events_alone = {.seconds = INFINITY};

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_subscribe_def subscribe = {.rate_hz = v->rate_hz, .events = !v->no_events};
    subscribe.fields = v->rate_hz > 0 ? TR_CLIENT_JOINTS | TR_CLIENT_OBJECTS : 0u;
    subscribe.fields |= v->bodies ? TR_CLIENT_BODIES : 0u;
    subscribe.fields |= v->velocities ? TR_CLIENT_VELOCITIES : 0u;
    cli->on_state = tr_cli_print_state;
    cli->on_event = tr_cli_print_event;
    int code = tr_cli_find_world(cli, v->world, &subscribe.world);
    return code ? code : tr_cli_follow(cli, &subscribe, v->seconds);
}

const tr_cli_command tr_cli_command_watch = {
    .name = "watch",
    .summary = "print the states and events of a world as they happen",
    .help =
        "Ends with Ctrl-C or after --for. With --json each state and each event is one line.\n"
        "When the world moves to another daemon, the command continues there, unless --no-events\n"
        "is given. A character on its way to the skill that 'steer --skill' named shows when it\n"
        "will begin, and by which skills: \"punch in 2.4 s by walk-slow\".\n\n"
        "  troupe watch arena\n"
        "  troupe watch arena --rate 30 --for 10 --json > states.jsonl",
    .argument = {TR_CLI_WORLD,
                 {"--rate HZ", TR_OPTION_REAL, offsetof(values, rate_hz),
                  "states per second; default 5"},
                 {"--for SECONDS", TR_OPTION_REAL, offsetof(values, seconds),
                  "default: until interrupted"},
                 {"--bodies", TR_OPTION_FLAG, offsetof(values, bodies),
                  "with --json: every body in the world"},
                 {"--velocities", TR_OPTION_FLAG, offsetof(values, velocities),
                  "with --json: velocities too"},
                 {"--no-events", TR_OPTION_FLAG, offsetof(values, no_events), "states alone"}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};

const tr_cli_command tr_cli_command_events = {
    .name = "events",
    .summary = "print the events of a world: falls, touches, controllers, commands",
    .help = "Ends with Ctrl-C or after --for. A world that moves to another daemon is followed.\n\n"
            "  troupe events arena\n"
            "  troupe events arena --for 60 --json",
    .argument = {TR_CLI_WORLD,
                 {"--for SECONDS", TR_OPTION_REAL, offsetof(values, seconds),
                  "default: until interrupted"}},
    .defaults = &events_alone,
    .values_size = sizeof(values),
    .run = run,
};
