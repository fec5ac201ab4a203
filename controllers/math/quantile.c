#include "math/quantile.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double tr_quantile(double *values, int count, double share) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[(int)lround(share * (count - 1))];
}
