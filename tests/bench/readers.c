/* troupe-bench readers: good subscribers of a world of a daemon that runs, for tests that
 * disturb it.
 *
 * Says "ready" when all have subscribed and read for a second, reads as fast as it can until stdin
 * ends, and then says how many states came, how many were dropped before them, and how many
 * connections the daemon ended. */
#include "bench/bench.h"
#include "bench/crowd.h"

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEP_S 0.005
#define SETTLE_S 1.0 /* what was dropped while others still subscribed is not counted */
#define LOOK_S 0.1   /* between two looks at stdin */

typedef struct reading {
    int port, count;
    tr_bench_watch watch;
} reading;

static bool parse(int argc, char **argv, reading *out) {
    *out = (reading){.count = 1, .watch = {.rate_hz = 30}};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--port") == 0)
            out->port = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--world") == 0)
            out->watch.world = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            out->count = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--rate") == 0)
            out->watch.rate_hz = atof(argv[i + 1]);
        else
            return false;
    }
    return argc % 2 == 1 && out->port > 0 && out->watch.world > 0;
}

static bool has_ended(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char byte;
    return poll(&input, 1, 0) > 0 && read(STDIN_FILENO, &byte, 1) == 0;
}

static int exec(int argc, char **argv) {
    reading plan;
    long states = 0, dropped = 0;
    tr_bench_delivery got = {0};
    if (!parse(argc, argv, &plan))
        return 2;
    tr_bench_crowd *crowd = tr_bench_crowd_create(plan.port, STEP_S);
    for (int i = 0; i < plan.count; i++)
        tr_bench_crowd_add(crowd, &plan.watch);
    tr_bench_crowd_read(crowd, SETTLE_S);
    puts("ready");
    fflush(stdout);
    while (!has_ended()) {
        tr_bench_crowd_read(crowd, LOOK_S);
        got = tr_bench_crowd_delivery(crowd);
        states += got.states;
        dropped += got.dropped;
    }
    printf("%ld %ld %d\n", states, dropped, got.closed);
    tr_bench_crowd_destroy(crowd);
    return 0;
}

const tr_bench_command tr_bench_readers = {
    "readers", "--port P --world ID [--count N] [--rate HZ]",
    "subscribers of a daemon that runs: states, dropped ones, connections ended", exec};
