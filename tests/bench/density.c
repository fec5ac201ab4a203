/* troupe-bench density: how many running characters the daemon holds in real time at 5 ms, with a
 * subscriber at 30 Hz for each world.
 *
 * Lateness is the daemon's own histogram of each world (WorldInfo.lateness), over the seconds
 * measured: how far a tick's computing began behind its deadline. Memory is what the daemon's
 * resident set grew by since it had no world. */
#include "bench/bench.h"
#include "bench/crowd.h"
#include "bench/hosted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORLD_MAX = 64, BUCKET_MAX = 64 };
#define STEP_S 0.005
#define SETTLE_S 3.0

typedef struct bench_cell {
    int worlds, characters; /* in each */
} bench_cell;

static const bench_cell cells[] = {{1, 10},  {10, 1}, {10, 10}, {4, 50},  {8, 25},
                                   {20, 10}, {40, 5}, {50, 4},  {25, 10}, {30, 10}};

static struct {
    int threads;
    double seconds;
    const char *controller;
    int limp_each;   /* 0: none */
    bench_cell only; /* worlds 0: all cells */
} options = {.seconds = 10, .controller = "run"};

/* Of all worlds together. */
typedef struct lateness {
    int bounds;
    double bound_s[BUCKET_MAX], max_s;
    uint64_t count[BUCKET_MAX], ticks, dropped;
} lateness;

static void add_world(tr_bench_link *link, uint32_t world, lateness *sum) {
    Troupe__ServerMessage *message = tr_bench_get_world(link, world);
    const Troupe__WorldInfo *info = message->response->world;
    const Troupe__Lateness *l = info->lateness;
    if (!l || l->n_count > BUCKET_MAX)
        tr_bench_give_up("the daemon does not tell its lateness");
    sum->bounds = (int)l->n_bound_s;
    for (size_t i = 0; i < l->n_bound_s; i++)
        sum->bound_s[i] = l->bound_s[i];
    for (size_t i = 0; i < l->n_count; i++)
        sum->count[i] += l->count[i];
    sum->ticks += l->ticks;
    sum->dropped += info->dropped_ticks;
    if (l->max_s > sum->max_s)
        sum->max_s = l->max_s;
    troupe__server_message__free_unpacked(message, NULL);
}

static lateness look(tr_bench_link *link, const uint32_t *world, int count) {
    lateness sum = {0};
    for (int i = 0; i < count; i++)
        add_world(link, world[i], &sum);
    return sum;
}

/* Upper bound of the bucket that holds it. */
static double quantile_s(const lateness *from, const lateness *to, double q) {
    double seen = 0, wanted = q * (double)(to->ticks - from->ticks);
    for (int i = 0; i < to->bounds; i++) {
        seen += (double)(to->count[i] - from->count[i]);
        if (seen >= wanted)
            return to->bound_s[i];
    }
    return to->max_s;
}

/* The largest of the interval: the last bucket that anything fell into. */
static double largest_s(const lateness *from, const lateness *to) {
    for (int i = to->bounds; i >= 0; i--)
        if (to->count[i] > from->count[i])
            return i == to->bounds || to->bound_s[i] > to->max_s ? to->max_s : to->bound_s[i];
    return 0;
}

static bool measure(const bench_cell *cell) {
    tr_bench_daemon daemon = tr_bench_daemon_start(options.threads);
    tr_bench_link link = tr_bench_link_open(daemon.port);
    tr_bench_crowd *crowd = tr_bench_crowd_create(daemon.port, STEP_S);
    uint32_t world[WORLD_MAX];
    int count = cell->worlds, characters = count * cell->characters;
    double memory = tr_bench_daemon_memory(&daemon);
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "density %d", i);
        world[i] = tr_bench_make_world(&link, name, cell->characters, options.controller,
                                       options.limp_each);
        tr_bench_crowd_add(crowd, &(tr_bench_watch){.world = world[i], .rate_hz = 30});
    }
    tr_bench_crowd_read(crowd, SETTLE_S);
    lateness before = look(&link, world, count);
    double cpu_s = tr_bench_daemon_cpu_s(&daemon), began_s = tr_bench_clock_s();
    tr_bench_crowd_read(crowd, options.seconds);
    double elapsed_s = tr_bench_clock_s() - began_s;
    cpu_s = tr_bench_daemon_cpu_s(&daemon) - cpu_s;
    lateness after = look(&link, world, count);
    tr_bench_delivery got = tr_bench_crowd_delivery(crowd);
    memory = tr_bench_daemon_memory(&daemon) - memory;
    printf("%d,%d,%d,%llu,%.3f,%.3f,%.3f,%llu,%.2f,%.1f,%.1f,%.2f,%.2f,%.1f\n", count,
           cell->characters, characters, (unsigned long long)(after.ticks - before.ticks),
           1e3 * quantile_s(&before, &after, 0.5), 1e3 * quantile_s(&before, &after, 0.99),
           1e3 * largest_s(&before, &after), (unsigned long long)(after.dropped - before.dropped),
           cpu_s / elapsed_s, 1e6 * cpu_s / (double)(after.ticks - before.ticks),
           memory / 1024 / characters, 100 * got.share, 1e3 * got.p99_s, tr_bench_load());
    fflush(stdout);
    tr_bench_crowd_destroy(crowd);
    tr_bench_link_close(&link);
    return tr_bench_daemon_stop(&daemon);
}

static tr_status take_cell(void *context, const tr_option_value *value, tr_error *error) {
    bench_cell *out = context;
    int end = 0;
    if (sscanf(value->text, "%dx%d%n", &out->worlds, &out->characters, &end) == 2 &&
        !value->text[end] && out->worlds >= 1 && out->worlds <= WORLD_MAX && out->characters >= 1)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "--cell %s: expected WORLDSxCHARACTERS like 10x5, with at most %d worlds",
                   value->text, WORLD_MAX);
}

static int exec(int count, char **words) {
    (void)count;
    (void)words;
    puts(
        "worlds,characters_each,characters,ticks,late_p50_ms,late_p99_ms,late_max_ms,dropped_ticks,"
        "daemon_cores,tick_cpu_us,memory_per_character_kb,states_percent,state_latency_p99_ms,"
        "load");
    if (options.only.worlds)
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
    {{"controller", TR_OPTION_TEXT, &options.controller, 0, 0},
     "run",
     "that drives the characters; several, in turn: NAME,NAME"},
    {{"limp-each", TR_OPTION_COUNT, &options.limp_each, 1, 64},
     "N",
     "each N-th character is limp; none if not given"},
    {{"cell", TR_OPTION_CALL, &cell_call, 0, 0}, "WORLDSxCHARACTERS", "only so many of each"}};

const tr_bench_command tr_bench_density = {
    .name = "density",
    .summary = "characters held in real time: lateness of ticks, processor time, memory",
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output =
        "A row for each cell: how late ticks began, ticks given up, cores that the daemon used, "
        "its\n"
        "processor time for a tick of a world, memory, and the states that a subscriber of each\n"
        "world got at 30 Hz. load: of the machine.",
    .exec = exec};
