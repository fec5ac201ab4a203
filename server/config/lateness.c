#include "server/config/lateness.h"

#include <math.h>

const double tr_lateness_bound_s[TR_LATENESS_BOUND_COUNT] = {
    10e-6,  15e-6, 20e-6,  30e-6, 50e-6, 70e-6, 100e-6, 150e-6, 200e-6, 300e-6, 500e-6,
    700e-6, 1e-3,  1.5e-3, 2e-3,  3e-3,  5e-3,  7e-3,   10e-3,  15e-3,  20e-3,  30e-3,
    50e-3,  70e-3, 0.1,    0.15,  0.2,   0.3,   0.5,    0.7,    1};

/* The first bucket whose bound is not below. A linear search is enough: the table is short, and
 * most ticks are near its start. */
static int bucket_of(double late_s) {
    int i = 0;
    while (i < TR_LATENESS_BOUND_COUNT && late_s > tr_lateness_bound_s[i])
        i++;
    return i;
}

void tr_lateness_add(tr_lateness *lateness, int64_t late_ns) {
    double late_s = late_ns > 0 ? (double)late_ns * 1e-9 : 0;
    lateness->tick_count++;
    lateness->count[bucket_of(late_s)]++;
    lateness->sum_s += late_s;
    lateness->max_s = fmax(lateness->max_s, late_s);
}

double tr_lateness_quantile_s(const tr_lateness *lateness, double q) {
    double wanted = q * (double)lateness->tick_count;
    uint64_t seen = 0;
    if (lateness->tick_count == 0)
        return 0;
    for (int i = 0; i < TR_LATENESS_BOUND_COUNT; i++) {
        seen += lateness->count[i];
        if ((double)seen >= wanted)
            return fmin(tr_lateness_bound_s[i], lateness->max_s);
    }
    return lateness->max_s;
}
