#include "math/elementary.h"

/* pi/2 in two parts: the first has 33 significant bits, so that its product with a count below 2^20
 * is exact. */
#define HALF_PI_HIGH 1.57079632673412561417
#define HALF_PI_LOW 6.07710050650619224932e-11
#define HALF_PI 1.57079632679489661923
#define PI 3.14159265358979323846

/* Taylor series on |r| <= pi/4: the first term left out is below 1e-19. */
static double sin_series(double r) {
    double z = r * r;
    double p = 1.0 / 355687428096000.0;
    p = p * z - 1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return r + r * z * p;
}

static double cos_series(double r) {
    double z = r * r;
    double p = 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    p = p * z - 0.5;
    return 1.0 + z * p;
}

/* x = k pi/2 + r with |r| <= pi/4; then sine and cosine of r change places and signs with k. */
void tr_sincos(double x, double *out_sin, double *out_cos) {
    if (fabs(x) > 1e6)
        x = fmod(x, 2.0 * PI);
    double k = rint(x / HALF_PI);
    double r = (x - k * HALF_PI_HIGH) - k * HALF_PI_LOW;
    double s = sin_series(r), c = cos_series(r);
    if (!isfinite(x)) {
        *out_sin = *out_cos = NAN;
        return;
    }
    switch ((long)k & 3) {
    case 0:
        *out_sin = s, *out_cos = c;
        break;
    case 1:
        *out_sin = c, *out_cos = -s;
        break;
    case 2:
        *out_sin = -s, *out_cos = -c;
        break;
    default:
        *out_sin = -c, *out_cos = s;
        break;
    }
}

/* atan on [0, 1]: atan(t) = atan(c) + atan((t - c) / (1 + t c)) with c the nearest quarter leaves
 * |u| <= 1/8. */
static double atan_unit(double t) {
    static const double angle[5] = {0, 0.24497866312686415417, 0.46364760900080611621,
                                    0.64350110879328438680, 0.78539816339744830962};
    int quarter = (int)rint(4.0 * t);
    double c = 0.25 * quarter;
    double u = (t - c) / (1.0 + t * c), z = u * u;
    double p = -1.0 / 19.0;
    p = p * z + 1.0 / 17.0;
    p = p * z - 1.0 / 15.0;
    p = p * z + 1.0 / 13.0;
    p = p * z - 1.0 / 11.0;
    p = p * z + 1.0 / 9.0;
    p = p * z - 1.0 / 7.0;
    p = p * z + 1.0 / 5.0;
    p = p * z - 1.0 / 3.0;
    return angle[quarter] + (u + u * z * p);
}

double tr_atan2(double y, double x) {
    double ax = fabs(x), ay = fabs(y);
    if (!isfinite(ax) || !isfinite(ay))
        return NAN;
    if (ax == 0 && ay == 0)
        return 0;
    double a = ay <= ax ? atan_unit(ay / ax) : HALF_PI - atan_unit(ax / ay);
    if (x < 0)
        a = PI - a;
    return y < 0 ? -a : a;
}

/* log x = e log 2 + 2 artanh((m - 1) / (m + 1)), m in [sqrt(1/2), sqrt(2)). */
double tr_log(double x) {
    if (!(x > 0))
        return x == 0 ? -INFINITY : NAN;
    if (isinf(x))
        return x;
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752440)
        m *= 2.0, e--;
    double s = (m - 1.0) / (m + 1.0), z = s * s, p = 1.0 / 21.0;
    p = p * z + 1.0 / 19.0;
    p = p * z + 1.0 / 17.0;
    p = p * z + 1.0 / 15.0;
    p = p * z + 1.0 / 13.0;
    p = p * z + 1.0 / 11.0;
    p = p * z + 1.0 / 9.0;
    p = p * z + 1.0 / 7.0;
    p = p * z + 1.0 / 5.0;
    p = p * z + 1.0 / 3.0;
    return e * 6.93147180369123816490e-01 +
           (e * 1.90821492927058770002e-10 + 2.0 * (s + s * z * p));
}

/* exp x = 2^k exp(r), |r| <= log(2) / 2. */
double tr_exp(double x) {
    if (!(x <= 709.0))
        return isnan(x) ? NAN : INFINITY;
    if (x < -708.0)
        return 0;
    double k = rint(x / 0.69314718055994530942);
    double r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
    double p = 1.0 / 14.0;
    for (int n = 13; n >= 1; n--)
        p = (1.0 + r * p) / n;
    return ldexp(1.0 + r * p, (int)k);
}

/* tanh x = (1 - e^-2x) / (1 + e^-2x) for x >= 0, and odd. */
double tr_tanh(double x) {
    double e = tr_exp(-2.0 * fabs(x));
    double t = (1.0 - e) / (1.0 + e);
    return x < 0 ? -t : t;
}
