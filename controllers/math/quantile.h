/* Order statistics of a sample. Deterministic. */
#pragma once

/* The value below which `share` (0 to 1) of the values lie: that of rank round(share (count - 1)).
 * Sorts values, [count], count at least 1; NaN is not allowed. */
double tr_quantile(double *values, int count, double share);
