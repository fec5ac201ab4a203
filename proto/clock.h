/* The clocks of the system. Thread-safe. */
#pragma once

#include <stdint.h>
#include <time.h>

/* CLOCK_REALTIME: since 1970; CLOCK_MONOTONIC: from any beginning, only forward. */
static inline int64_t tr_clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline double tr_clock_s(clockid_t clock) {
    return 1e-9 * (double)tr_clock_ns(clock);
}
