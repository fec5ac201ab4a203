#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

double tr_bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double tr_bench_median(double *values, int count) {
    if (count == 0)
        return (double)NAN;
    qsort(values, (size_t)count, sizeof values[0], ascending);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}
