/* troupe-bench fanout: how many subscribers of one world the daemon serves, at which rate.
 *
 * The world runs in real time; the subscribers are in this process and read as fast as they can.
 * share: of the states that were due, those that came; latency: see crowd.h; missed_ticks: real
 * time that the world gave up meanwhile. */
#include "bench/bench.h"
#include "bench/crowd.h"
#include "bench/hosted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEP_S 0.005
#define SETTLE_S 2.0

typedef struct bench_cell {
    int subscribers;
    double rate_hz;
} bench_cell;

static const bench_cell cells[] = {{100, 30},  {100, 60},  {500, 30}, {1000, 30},
                                   {1000, 60}, {2000, 30}, {5000, 30}};

enum { RELAYS_MAX = 8 };

static struct {
    int threads, characters, relays, fields;
    double seconds;
    bench_cell only; /* subscribers 0: all cells */
} options = {.characters = 1, .seconds = 10};

static uint64_t dropped_ticks(tr_bench_link *link, uint32_t world) {
    Troupe__ServerMessage *message = tr_bench_get_world(link, world);
    uint64_t dropped = message->response->world->dropped_ticks;
    troupe__server_message__free_unpacked(message, NULL);
    return dropped;
}

/* The relays between the daemon and the subscribers. */
typedef struct relays {
    int count;
    tr_bench_daemon relay[RELAYS_MAX];
} relays;

static relays start_relays(int port) {
    relays all = {.count = options.relays};
    for (int i = 0; i < all.count; i++)
        all.relay[i] = tr_bench_relay_start(port);
    usleep(500000); /* until they have connected */
    return all;
}

static double relay_cpu_s(const relays *all) {
    double sum_s = 0;
    for (int i = 0; i < all->count; i++)
        sum_s += tr_bench_daemon_cpu_s(&all->relay[i]);
    return sum_s;
}

static bool stop_relays(relays *all) {
    bool clean = true;
    for (int i = 0; i < all->count; i++)
        clean = tr_bench_daemon_stop(&all->relay[i]) && clean;
    return clean;
}

/* Without the benchmark's own. */
static unsigned sessions_of(tr_bench_link *link) {
    Troupe__Ping ping = TROUPE__PING__INIT;
    Troupe__ClientMessage request = TROUPE__CLIENT_MESSAGE__INIT;
    request.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_PING;
    request.ping = &ping;
    Troupe__ServerMessage *message = tr_bench_ask(link, &request);
    unsigned sessions = message->response->pong->sessions - 1;
    troupe__server_message__free_unpacked(message, NULL);
    return sessions;
}

static bool measure(const bench_cell *cell) {
    tr_bench_daemon daemon = tr_bench_daemon_start(options.threads);
    relays between = start_relays(daemon.port);
    tr_bench_link link = tr_bench_link_open(daemon.port);
    uint32_t world = tr_bench_make_world(&link, "fanout", options.characters, "run", 0);
    tr_bench_crowd *crowd = tr_bench_crowd_create(daemon.port, STEP_S);
    tr_bench_watch watch = {
        .world = world, .rate_hz = cell->rate_hz, .fields = (uint32_t)options.fields};
    double before = tr_bench_daemon_memory(&daemon);
    for (int i = 0; i < cell->subscribers; i++) {
        watch.port = between.count ? between.relay[i % between.count].port : 0;
        tr_bench_crowd_add(crowd, &watch);
    }
    tr_bench_crowd_read(crowd, SETTLE_S);
    uint64_t dropped = dropped_ticks(&link, world);
    double cpu_s = tr_bench_daemon_cpu_s(&daemon), between_s = relay_cpu_s(&between);
    tr_bench_crowd_read(crowd, options.seconds);
    tr_bench_delivery got = tr_bench_crowd_delivery(crowd);
    cpu_s = tr_bench_daemon_cpu_s(&daemon) - cpu_s;
    between_s = relay_cpu_s(&between) - between_s;
    double memory = tr_bench_daemon_memory(&daemon) - before;
    printf("%d,%g,%ld,%.2f,%.2f,%.2f,%.2f,%llu,%d,%.0f,%.2f,%.1f,%d,%u,%.2f,%.1f\n",
           cell->subscribers, cell->rate_hz, got.states, 100 * got.share, 1e3 * got.p50_s,
           1e3 * got.p99_s, 1e3 * got.max_s,
           (unsigned long long)(dropped_ticks(&link, world) - dropped), got.closed,
           got.bytes_per_state, cpu_s / options.seconds, memory / 1024 / cell->subscribers,
           between.count, sessions_of(&link), between_s / options.seconds, tr_bench_load());
    fflush(stdout);
    tr_bench_crowd_destroy(crowd);
    tr_bench_link_close(&link);
    bool clean = stop_relays(&between);
    return tr_bench_daemon_stop(&daemon) && clean;
}

static tr_status take_cell(void *context, const tr_option_value *value, tr_error *error) {
    bench_cell *out = context;
    int end = 0;
    if (sscanf(value->text, "%dx%lf%n", &out->subscribers, &out->rate_hz, &end) == 2 &&
        !value->text[end] && out->subscribers >= 1 && out->rate_hz > 0)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "--cell %s: expected SUBSCRIBERSxHZ like 500x30",
                   value->text);
}

static int exec(int count, char **words) {
    (void)count;
    (void)words;
    puts("subscribers,rate_hz,states,share_percent,latency_p50_ms,latency_p99_ms,latency_max_ms,"
         "missed_ticks,closed,bytes_per_state,daemon_cores,memory_per_subscriber_kb,relays,daemon_"
         "sessions,relay_cores,load");
    fflush(stdout);
    if (options.only.subscribers)
        return measure(&options.only) ? 0 : 1;
    bool ok = true;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        ok = measure(&cells[i]) && ok;
    return ok ? 0 : 1;
}

static tr_option_call cell_call = {take_cell, &options.only, NULL};
static const tr_bench_option table[] = {
    {{"seconds", TR_OPTION_NUMBER, &options.seconds, 0.1, 3600}, "10", "to measure each cell"},
    {{"threads", TR_OPTION_COUNT, &options.threads, 1, 64},
     "N",
     "of the daemon; its default if not given"},
    {{"characters", TR_OPTION_COUNT, &options.characters, 1, 200}, "1", "in the world"},
    {{"fields", TR_OPTION_COUNT, &options.fields, 0, 1 << 20},
     "N",
     "of the states, bits of StateField; 6176: inputs instead of states"},
    {{"relays", TR_OPTION_COUNT, &options.relays, 0, RELAYS_MAX},
     "0",
     "between the daemon and the subscribers, which are spread over them"},
    {{"cell", TR_OPTION_CALL, &cell_call, 0, 0}, "SUBSCRIBERSxHZ", "only so many at this rate"}};

const tr_bench_command tr_bench_fanout = {
    .name = "fanout",
    .summary = "subscribers of one world by their rate: share of states, latency, missed ticks",
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output = "A row for each cell: the share of the due states that came, their latency, real "
              "time that the\n"
              "world gave up (missed_ticks), connections that ended, and what the daemon used,\n"
              "the sessions that it had, and what the relays used.",
    .exec = exec};
