/* A histogram of lateness: how far behind their deadlines the ticks of a world were computed.
 *
 * Six buckets per decade from 10 us to 1 s, and one for later ticks; the bounds are the same for
 * all worlds, so that histograms can be added. A plain struct, copied freely; one thread at a
 * time. */
#pragma once

#include <stdint.h>

enum { TR_LATENESS_BOUND_COUNT = 31, TR_LATENESS_BUCKET_COUNT = TR_LATENESS_BOUND_COUNT + 1 };

/* Upper bounds of the buckets, s, rising; the last bucket has none. */
extern const double tr_lateness_bound_s[TR_LATENESS_BOUND_COUNT];

typedef struct tr_lateness {
    uint64_t tick_count;
    uint64_t count[TR_LATENESS_BUCKET_COUNT]; /* [i]: ticks at most bound_s[i] late, and later than
                                                 bound_s[i - 1] */
    double sum_s, max_s;
} tr_lateness;

/* Counts one tick; an early one counts as 0. */
void tr_lateness_add(tr_lateness *lateness, int64_t late_ns);

/* The smallest bound that a share `q` (0 to 1) of the ticks did not exceed; max_s if that is the
 * last bucket; 0 without ticks. */
double tr_lateness_quantile_s(const tr_lateness *lateness, double q);
