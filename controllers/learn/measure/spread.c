#include "learn/measure/spread.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

tr_spread tr_spread_of(double *values, int count) {
    if (count == 0)
        return (tr_spread){(double)NAN, (double)NAN, (double)NAN};
    qsort(values, (size_t)count, sizeof *values, compare);
    return (tr_spread){values[count / 2], values[count / 4], values[3 * count / 4]};
}
