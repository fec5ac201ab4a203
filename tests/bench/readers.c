/* troupe-bench readers: good subscribers of a world of a daemon that runs, for tests that
 * disturb it.
 *
 * Says "ready" when all have subscribed and read for a second, reads as fast as it can until stdin
 * ends, and then says how many states came, how many were dropped before them, and how many
 * connections the daemon ended. */
#include "bench/bench.h"
#include "bench/crowd.h"

#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STEP_S 0.005
#define SETTLE_S 1.0 /* what was dropped while others still subscribed is not counted */
#define LOOK_S 0.1   /* between two looks at stdin */

static struct {
    int port, world, count;
    double rate_hz;
} options = {.count = 1, .rate_hz = 30};

static bool has_ended(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char byte;
    return poll(&input, 1, 0) > 0 && read(STDIN_FILENO, &byte, 1) == 0;
}

static int exec(int count, char **words) {
    long states = 0, dropped = 0;
    tr_bench_delivery got = {0};
    (void)count;
    (void)words;
    if (!options.port || !options.world) {
        fputs("troupe-bench readers: needs --port and --world\n", stderr);
        return 2;
    }
    tr_bench_watch watch = {.world = (uint32_t)options.world, .rate_hz = options.rate_hz};
    tr_bench_crowd *crowd = tr_bench_crowd_create(options.port, STEP_S);
    for (int i = 0; i < options.count; i++)
        tr_bench_crowd_add(crowd, &watch);
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

static const tr_bench_option table[] = {
    {{"port", TR_OPTION_COUNT, &options.port, 1, 65535},
     "P",
     "of the daemon, on this machine; needed"},
    {{"world", TR_OPTION_COUNT, &options.world, 1, INT_MAX}, "ID", "to subscribe to; needed"},
    {{"count", TR_OPTION_COUNT, &options.count, 1, 10000}, "1", "subscribers"},
    {{"rate", TR_OPTION_NUMBER, &options.rate_hz, 0.1, 1000}, "30", "states a second"}};

const tr_bench_command tr_bench_readers = {
    .name = "readers",
    .summary = "subscribers of a daemon that runs: states, dropped ones, connections ended",
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output =
        "Prints \"ready\" when all have read for a second, reads until its input ends, and then "
        "prints\n"
        "how many states came, how many were dropped before them, and how many connections ended.",
    .exec = exec};
