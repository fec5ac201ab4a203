/* Arithmetic on four doubles, with the same bits on every instruction set. Internal to
 * control/latent.
 *
 * Only additions, multiplications, integer shifts and comparisons, each lane for itself; built once
 * per instruction set (latent_kernel.h). */
#pragma once

#include <stdint.h>
#include <string.h>

typedef double tr_lanes __attribute__((vector_size(32)));
typedef int64_t tr_lanes_int __attribute__((vector_size(32)));

enum { TR_LANES = 4 };

#define TR_LANES_INLINE static inline __attribute__((always_inline))

TR_LANES_INLINE tr_lanes tr_lanes_load(const double *from) {
    tr_lanes a;
    memcpy(&a, from, sizeof a);
    return a;
}

TR_LANES_INLINE void tr_lanes_store(tr_lanes a, double *to) {
    memcpy(to, &a, sizeof a);
}

TR_LANES_INLINE tr_lanes tr_lanes_all(double a) {
    return (tr_lanes){a, a, a, a};
}

TR_LANES_INLINE double tr_lanes_sum(tr_lanes a) {
    return (a[0] + a[2]) + (a[1] + a[3]);
}

/* e to the power x for x <= 0; below -700 the value at -700, which is 1e-304.
 *
 * x = k log 2 + r with |r| <= log(2)/2. Adding 1.5 * 2^52 rounds k to an integer and leaves it in
 * the low bits, which become the exponent. The error is below 1e-15 (tests). */
TR_LANES_INLINE tr_lanes tr_lanes_exp(tr_lanes x) {
    const tr_lanes low = tr_lanes_all(-700.0), shift = tr_lanes_all(6755399441055744.0);
    tr_lanes_int under = x < low;
    x = (tr_lanes)((under & (tr_lanes_int)low) | (~under & (tr_lanes_int)x));
    tr_lanes shifted = x * tr_lanes_all(1.44269504088896340736) + shift;
    tr_lanes k = shifted - shift;
    tr_lanes r = (x - k * tr_lanes_all(6.93147180369123816490e-01)) -
                 k * tr_lanes_all(1.90821492927058770002e-10);
    static const double factor[] = {1.0 / 6227020800,
                                    1.0 / 479001600,
                                    1.0 / 39916800,
                                    1.0 / 3628800,
                                    1.0 / 362880,
                                    1.0 / 40320,
                                    1.0 / 5040,
                                    1.0 / 720,
                                    1.0 / 120,
                                    1.0 / 24,
                                    1.0 / 6,
                                    0.5,
                                    1.0,
                                    1.0};
    tr_lanes p = tr_lanes_all(factor[0]);
    for (int i = 1; i < (int)(sizeof factor / sizeof *factor); i++)
        p = p * r + tr_lanes_all(factor[i]);
    return (tr_lanes)((tr_lanes_int)p + ((tr_lanes_int)shifted << 52));
}
