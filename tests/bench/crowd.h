/* A crowd of subscribers in one process that costs little: they read frames off their sockets and
 * look only at the tick of a state and at how many were dropped before it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct tr_bench_crowd tr_bench_crowd;

typedef struct tr_bench_watch {
    uint32_t world;
    double rate_hz;
    uint32_t fields;
    int port; /* 0: the crowd's */
} tr_bench_watch;

/* Connects and subscribes one more. */
tr_bench_crowd *tr_bench_crowd_create(int port, double step_s);
void tr_bench_crowd_add(tr_bench_crowd *crowd, const tr_bench_watch *watch);

/* Resets the counts, and reads for `seconds`. */
void tr_bench_crowd_read(tr_bench_crowd *crowd, double seconds);

/* What arrived since the counts began. Latency: from the tick's due time to its reading, where the
 * earliest tick that any subscriber of its world received counts as on time. */
typedef struct tr_bench_delivery {
    long states, dropped;
    double share; /* share of the due states that arrived */
    double p50_s, p99_s, max_s;
    double bytes_per_state;
    int closed; /* connections that the daemon ended */
} tr_bench_delivery;
tr_bench_delivery tr_bench_crowd_delivery(const tr_bench_crowd *crowd);

void tr_bench_crowd_destroy(tr_bench_crowd *crowd);
