/* Exponential and logarithm of small rotations by series. Internal to physics/.
 *
 * Steps and servo errors are small, so power series converge in a few terms and need neither a
 * square root nor a division; the rare large rotation falls back on the functions of
 * math/quat.h. */
#pragma once

#include "math/quat.h"

/* Coefficients by powers of x. sin(t)/t and cos(t) for x = t^2 < TR_ROTATION_SMALL: the first term
 * left out is below 1e-17. asin(s)/s for x = s^2 < TR_ROTATION_NEAR: it is below 1e-16. */
#define TR_ROTATION_SMALL 0.0625
#define TR_ROTATION_NEAR 0.05
enum { TR_SINC_TERMS = 7, TR_COS_TERMS = 8, TR_ASIN_TERMS = 11 };
static const double tr_sinc_series[TR_SINC_TERMS] = {
    1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800};
static const double tr_cos_series[TR_COS_TERMS] = {
    1,           -1.0 / 2,       1.0 / 24,        -1.0 / 720,
    1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200};
static const double tr_asin_series[TR_ASIN_TERMS] = {
    1.0,           1.0 / 6,       3.0 / 40,        5.0 / 112,         35.0 / 1152,      63.0 / 2816,
    231.0 / 13312, 143.0 / 10240, 6435.0 / 557056, 12155.0 / 1245184, 46189.0 / 5505024};

static inline double tr_series_at(const double *term, int count, double x) {
    double sum = term[count - 1];
    for (int i = count - 2; i >= 0; i--)
        sum = sum * x + term[i];
    return sum;
}

/* exp(h rate) q, normalised; rate in the outer frame of q, rad/s. */
static inline tr_quat tr_rotation_advance(tr_quat q, tr_vec3 rate, double h) {
    tr_vec3 v = tr_vec3_scale(rate, h);
    double x = 0.25 * tr_vec3_dot(v, v); /* (angle / 2)^2 */
    tr_quat turn;
    if (x < TR_ROTATION_SMALL) {
        double s = tr_series_at(tr_sinc_series, TR_SINC_TERMS, x);
        double c = tr_series_at(tr_cos_series, TR_COS_TERMS, x);
        turn = (tr_quat){c, 0.5 * s * v.x, 0.5 * s * v.y, 0.5 * s * v.z};
    } else {
        turn = tr_quat_exp(v);
    }
    return tr_quat_normalize(tr_quat_mul(turn, q));
}

/* 2 asin(s) / s for s^2 = x < TR_ROTATION_NEAR. */
static inline double tr_rotation_log_factor(double x) {
    return 2 * tr_series_at(tr_asin_series, TR_ASIN_TERMS, x);
}

/* Rotation vector of a unit quaternion, rad, the short way round. */
static inline tr_vec3 tr_rotation_log(tr_quat q) {
    double x = q.x * q.x + q.y * q.y + q.z * q.z;
    if (x >= TR_ROTATION_NEAR)
        return tr_quat_log(q);
    double k = tr_rotation_log_factor(x);
    k = q.w < 0 ? -k : k;
    return (tr_vec3){k * q.x, k * q.y, k * q.z};
}

/* Angle of a unit quaternion that turns about `axis`, rad, in (-pi, pi]. */
static inline double tr_rotation_angle(tr_quat q, tr_vec3 axis) {
    double s = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    s = q.w < 0 ? -s : s;
    if (s * s >= TR_ROTATION_NEAR)
        return 2.0 * tr_atan2(s, fabs(q.w));
    return s * tr_rotation_log_factor(s * s);
}
