#include "cli/recording_source.h"
#include "cli/state_rows.h"

#include <math.h>

typedef struct values {
    const char *source, *world;
    double speed, rate_hz, seconds, from;
    bool paused, loop, keep;
} values;

static const values defaults = {.speed = 1, .rate_hz = 5, .seconds = INFINITY};

static int seek(tr_cli *cli, uint32_t world, double from_s) {
    const tr_client_reply *reply = NULL;
    if (from_s == 0)
        return TR_EXIT_OK;
    int code = tr_cli_ask(cli, tr_client_get_replay(cli->client, world), &reply);
    if (code)
        return code;
    double step_s = reply->replay.recording.step_s;
    int64_t position = step_s > 0 ? llround(from_s / step_s) : 0;
    return tr_cli_ask(cli, tr_client_seek(cli->client, world, position), NULL);
}

static int follow(tr_cli *cli, const values *v, uint32_t world) {
    tr_client_at at = {.world = world};
    tr_client_subscribe_def watch = {.world = world, .rate_hz = v->rate_hz, .events = true};
    cli->on_state = tr_cli_print_state;
    cli->on_event = tr_cli_print_event;
    int code = seek(cli, world, v->from);
    if (code == TR_EXIT_OK && !v->paused)
        code = tr_cli_ask(cli, tr_client_resume(cli->client, at), NULL);
    return code ? code : tr_cli_follow(cli, &watch, v->seconds);
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    uint32_t world = 0;
    if (!(v->from >= 0 && v->from <= 1e9))
        return tr_cli_usage_error("--from %g: expected 0 seconds or more", v->from);
    tr_cli_replay_def def = {
        .source = v->source, .world = v->world, .rate = v->speed, .paused = true, .loop = v->loop};
    int code = tr_cli_open_replay(cli, &def, &world);
    if (code)
        return code;
    code = follow(cli, v, world);
    if (v->keep)
        return code;
    int closed = tr_cli_close_replay(cli, world);
    return code ? code : closed;
}

const tr_cli_command tr_cli_command_replay = {
    .name = "replay",
    .summary = "replay a recording as a world that others can watch",
    .help = "FILE is a local file or the name of a recording of the daemon. The world exists\n"
            "until this command ends; with --keep it exists until it is destroyed. Meanwhile\n"
            "pause, resume, rate, step, seek and loop act on it, and a snapshot of it can be\n"
            "restored into another world.\n\n"
            "  troupe replay monday --world again --keep --for 0\n"
            "  troupe seek again 4000\n"
            "  troupe replay monday.trec --from 20 --speed 0.25 --loop",
    .argument = {{"FILE", TR_OPTION_TEXT, offsetof(values, source), "file, or name on the daemon"},
                 {"--world NAME", TR_OPTION_TEXT, offsetof(values, world),
                  "name of the world that it makes"},
                 {"--speed X", TR_OPTION_REAL, offsetof(values, speed),
                  "seconds of the recording per second; default 1"},
                 {"--from SECONDS", TR_OPTION_REAL, offsetof(values, from), "where to begin"},
                 {"--loop", TR_OPTION_FLAG, offsetof(values, loop), "restart at the end"},
                 {"--paused", TR_OPTION_FLAG, offsetof(values, paused),
                  "begin paused, until 'troupe resume'"},
                 {"--states HZ", TR_OPTION_REAL, offsetof(values, rate_hz),
                  "states to print per second; default 5"},
                 {"--for SECONDS", TR_OPTION_REAL, offsetof(values, seconds),
                  "default: until interrupted"},
                 {"--keep", TR_OPTION_FLAG, offsetof(values, keep),
                  "keep the world after this command"}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
