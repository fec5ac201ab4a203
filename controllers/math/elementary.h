/* Sine, cosine, arc tangent, logarithm, exponential and hyperbolic tangent with the same bits on every machine.
 *
 * The C library's own may use fused multiply-add where the processor has it, so that two machines,
 * or two versions of the library, differ in the last bit, and a chaotic simulation in everything
 * after a second. These use nothing but IEEE additions, multiplications and divisions in a fixed
 * order (and fmod, frexp, rint, sqrt, which are exact or correctly rounded). Errors measured by
 * tests/unit/math/elementary.c: below 2.5e-16 relative to max(|result|, 1). Not for numbers that
 * are not finite: those give NaN. */
#pragma once

#include <math.h>
#include <stdbool.h>

/* Are all values finite? values: [count] */
static inline bool tr_all_finite(const double *values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* The number from -bound to bound that is nearest to the value; NaN gives a bound. */
static inline double tr_within(double value, double bound) {
    return fmax(-bound, fmin(bound, value));
}

/* Sine and cosine together. */
void tr_sincos(double x, double *out_sin, double *out_cos);

static inline double tr_sin(double x) {
    double s, c;
    tr_sincos(x, &s, &c);
    return s;
}

static inline double tr_cos(double x) {
    double s, c;
    tr_sincos(x, &s, &c);
    return c;
}

/* Angle of the point (x, y), rad, in [-pi, pi]; 0 at the origin. */
double tr_atan2(double y, double x);

/* Angle whose cosine is x; x is clamped to [-1, 1]. */
static inline double tr_acos(double x) {
    double c = x > 1 ? 1 : x < -1 ? -1 : x;
    return tr_atan2(sqrt((1 - c) * (1 + c)), c);
}

static inline double tr_asin(double x) {
    double s = x > 1 ? 1 : x < -1 ? -1 : x;
    return tr_atan2(s, sqrt((1 - s) * (1 + s)));
}

/* Natural logarithm of x > 0; -infinity at 0, NaN below. */
double tr_log(double x);

/* e to the power x; 0 below -708, infinity above 709. */
double tr_exp(double x);

/* Hyperbolic tangent; +-1 for +-infinity. */
double tr_tanh(double x);
