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

#define STEP_S 0.005
#define SETTLE_S 2.0

typedef struct bench_cell {
    int subscribers;
    double rate_hz;
} bench_cell;

static const bench_cell cells[] = {{100, 30},  {100, 60},  {500, 30}, {1000, 30},
                                   {1000, 60}, {2000, 30}, {5000, 30}};

typedef struct bench_plan {
    int threads, characters;
    double seconds;
    bool only;
    bench_cell cell;
} bench_plan;

static uint64_t dropped_ticks(tr_bench_link *link, uint32_t world) {
    Troupe__ServerMessage *message = tr_bench_get_world(link, world);
    uint64_t dropped = message->response->world->dropped_ticks;
    troupe__server_message__free_unpacked(message, NULL);
    return dropped;
}

static bool measure(const bench_plan *plan, const bench_cell *cell) {
    tr_bench_daemon daemon = tr_bench_daemon_start(plan->threads);
    tr_bench_link link = tr_bench_link_open(daemon.port);
    uint32_t world = tr_bench_make_world(&link, "fanout", plan->characters, "run");
    tr_bench_crowd *crowd = tr_bench_crowd_create(daemon.port, STEP_S);
    tr_bench_watch watch = {world, cell->rate_hz, 0};
    double before = tr_bench_daemon_memory(&daemon);
    for (int i = 0; i < cell->subscribers; i++)
        tr_bench_crowd_add(crowd, &watch);
    tr_bench_crowd_read(crowd, SETTLE_S);
    uint64_t dropped = dropped_ticks(&link, world);
    double cpu_s = tr_bench_daemon_cpu_s(&daemon);
    tr_bench_crowd_read(crowd, plan->seconds);
    tr_bench_delivery got = tr_bench_crowd_delivery(crowd);
    cpu_s = tr_bench_daemon_cpu_s(&daemon) - cpu_s;
    double memory = tr_bench_daemon_memory(&daemon) - before;
    printf("%d,%g,%ld,%.2f,%.2f,%.2f,%.2f,%llu,%d,%.0f,%.2f,%.1f,%.1f\n", cell->subscribers,
           cell->rate_hz, got.states, 100 * got.share, 1e3 * got.p50_s, 1e3 * got.p99_s,
           1e3 * got.max_s, (unsigned long long)(dropped_ticks(&link, world) - dropped), got.closed,
           got.bytes_per_state, cpu_s / plan->seconds, memory / 1024 / cell->subscribers,
           tr_bench_load());
    fflush(stdout);
    tr_bench_crowd_destroy(crowd);
    tr_bench_link_close(&link);
    return tr_bench_daemon_stop(&daemon);
}

static bool parse(int argc, char **argv, bench_plan *out) {
    *out = (bench_plan){.characters = 1, .seconds = 10};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--threads") == 0)
            out->threads = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--seconds") == 0)
            out->seconds = atof(argv[i + 1]);
        else if (strcmp(argv[i], "--characters") == 0)
            out->characters = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--cell") == 0)
            out->only =
                sscanf(argv[i + 1], "%dx%lf", &out->cell.subscribers, &out->cell.rate_hz) == 2;
        else
            return false;
    }
    return argc % 2 == 1 && out->seconds > 0;
}

static int exec(int argc, char **argv) {
    bench_plan plan;
    if (!parse(argc, argv, &plan))
        return 2;
    puts("subscribers,rate_hz,states,share_percent,latency_p50_ms,latency_p99_ms,latency_max_ms,"
         "missed_ticks,closed,bytes_per_state,daemon_cores,memory_per_subscriber_kb,load");
    bool ok = true;
    for (size_t i = 0; i < sizeof cells / sizeof *cells && !plan.only; i++)
        ok = measure(&plan, &cells[i]) && ok;
    if (plan.only)
        ok = measure(&plan, &plan.cell);
    return ok ? 0 : 1;
}

const tr_bench_command tr_bench_fanout = {
    "fanout", "[--seconds S] [--threads N] [--characters N] [--cell SUBSCRIBERSxHZ]",
    "subscribers of one world by their rate: share of states, latency, missed ticks", exec};
