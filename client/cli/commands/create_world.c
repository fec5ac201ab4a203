#include "cli/world_rows.h"
#include "proto/limits.h"

#include <limits.h>
#include <math.h>

typedef struct values {
    const char *mode, *on_fault;
    int steppers;
    double step_ms, rate, lease_s;
    tr_client_world_def def;
} values;

static const values defaults = {.mode = "real-time",
                                .on_fault = "reset",
                                .step_ms = 5,
                                .rate = NAN, /* not given */
                                .lease_s = NAN,
                                .def = {.ground_friction = 1, .gravity = {0, 0, -9.81}}};

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_world_def def = v->def;
    if (!tr_cli_parse_mode(v->mode, &def.mode))
        return tr_cli_usage_error("--mode %s: expected real-time, stepped or fast", v->mode);
    if (!tr_cli_parse_fault_rule(v->on_fault, &def.fault_rule))
        return tr_cli_usage_error("--on-fault %s: expected reset, remove or freeze", v->on_fault);
    if (def.mode != TR_CLIENT_REAL_TIME && !isnan(v->rate))
        return tr_cli_usage_error("--rate: only for --mode real-time, not %s", v->mode);
    if (!isnan(v->lease_s)) {
        def.owner_leaves = TR_CLIENT_OWNER_LEAVES_DESTROY;
        def.lease_s = v->lease_s;
    }
    def.step_s = v->step_ms / 1000;
    def.rate = isnan(v->rate) ? 1 : v->rate;
    def.steppers = (uint32_t)v->steppers;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_create_world(cli->client, &def), &reply);
    return code ? code : tr_output_object(cli, tr_cli_world_object(&reply->world));
}

const tr_cli_command tr_cli_command_create_world = {
    .name = "create-world",
    .summary = "create a world",
    .help = "A real-time world runs by the clock, at --rate times its speed. A stepped world moves "
            "only when clients\n"
            "step it. A fast world runs as fast as it can.\n\n"
            "  troupe create-world arena\n"
            "  troupe create-world lab --mode stepped --seed 7\n"
            "  troupe create-world moon --gravity 0,0,-1.62 --paused",
    .argument = {{"NAME", TR_OPTION_TEXT, offsetof(values, def.name), "its name; must be unique"},
                 {"--mode MODE", TR_OPTION_TEXT, offsetof(values, mode),
                  "real-time (default), stepped or fast"},
                 {"--seed N", TR_OPTION_WIDE, offsetof(values, def.seed),
                  "seed of its random numbers; default 0"},
                 {"--step-ms MS", TR_OPTION_NUMBER, offsetof(values, step_ms),
                  "0.5 to 20; default 5", 0.5, 20},
                 {"--rate X", TR_OPTION_NUMBER, offsetof(values, rate),
                  "real time: 2 is twice as fast", 0.01, 100},
                 {"--friction MU", TR_OPTION_REAL, offsetof(values, def.ground_friction),
                  "friction of the ground; default 1"},
                 {"--gravity X,Y,Z", TR_OPTION_VECTOR, offsetof(values, def.gravity),
                  "m/s2; default 0,0,-9.81"},
                 {"--steppers N", TR_OPTION_COUNT, offsetof(values, steppers),
                  "stepped: number of clients to wait for", 1, INT_MAX},
                 {"--step-timeout S", TR_OPTION_NUMBER, offsetof(values, def.step_timeout_s),
                  "stepped: remove a stepper that holds up others for S seconds", 0.01,
                  TR_STEP_TIMEOUT_SECONDS_MAX},
                 {"--lease S", TR_OPTION_REAL, offsetof(values, lease_s),
                  "destroy it S seconds after this command, unless a client claims it"},
                 {"--on-fault RULE", TR_OPTION_TEXT, offsetof(values, on_fault),
                  "when a state is no longer finite: reset (default), remove or freeze"},
                 {"--look-ahead", TR_OPTION_FLAG, offsetof(values, def.look_ahead),
                  "steered characters stop before walls and edges, and pass each other"},
                 {"--paused", TR_OPTION_FLAG, offsetof(values, def.paused),
                  "begin paused, to set up a scene"}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
