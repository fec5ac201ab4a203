/* How a measured quantity spreads: its median and the bounds of its middle half. Deterministic. */
#pragma once

/* low, high: the quartiles below and above */
typedef struct tr_spread {
    double median, low, high;
} tr_spread;

/* values: [count], sorted in place. Without values, all three are NAN. Of an even count the median
 * is the larger of the two in the middle. */
tr_spread tr_spread_of(double *values, int count);
