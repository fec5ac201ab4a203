/* Exponential and logarithm of small rotations by series. Internal to physics/.
 *
 * Steps and servo errors are small, so power series converge in a few terms and need neither a
 * square root nor a division; the rare large rotation falls back on the functions of
 * math/quat.h. */
#ifndef TROUPE_PHYSICS_ROTATION_H
#define TROUPE_PHYSICS_ROTATION_H

#include "math/quat.h"

/* exp(h rate) q, normalised; rate in the outer frame of q, rad/s. */
static inline tr_quat tr_rotation_advance(tr_quat q, tr_vec3 rate, double h) {
    tr_vec3 v = tr_vec3_scale(rate, h);
    double x = 0.25 * tr_vec3_dot(v, v); /* (angle / 2)^2 */
    tr_quat turn;
    if (x < 0.0625) {
        /* sin(t)/t and cos(t), x = t^2 < 1/16: the first term left out is below 1e-17. */
        double s =
            1 + x * (-1.0 / 6 +
                     x * (1.0 / 120 +
                          x * (-1.0 / 5040 + x * (1.0 / 362880 + x * (-1.0 / 39916800 +
                                                                      x * (1.0 / 6227020800))))));
        double c =
            1 +
            x * (-1.0 / 2 +
                 x * (1.0 / 24 +
                      x * (-1.0 / 720 + x * (1.0 / 40320 + x * (-1.0 / 3628800 +
                                                                x * (1.0 / 479001600 +
                                                                     x * (-1.0 / 87178291200)))))));
        turn = (tr_quat){c, 0.5 * s * v.x, 0.5 * s * v.y, 0.5 * s * v.z};
    } else {
        turn = tr_quat_exp(v);
    }
    return tr_quat_normalize(tr_quat_mul(turn, q));
}

/* 2 asin(s) / s for s^2 = x < 0.05; the first term left out is below 1e-16. */
static inline double tr_rotation_log_factor(double x) {
    static const double c[11] = {1.0,
                                 1.0 / 6,
                                 3.0 / 40,
                                 5.0 / 112,
                                 35.0 / 1152,
                                 63.0 / 2816,
                                 231.0 / 13312,
                                 143.0 / 10240,
                                 6435.0 / 557056,
                                 12155.0 / 1245184,
                                 46189.0 / 5505024};
    double sum = c[10];
    for (int i = 9; i >= 0; i--)
        sum = sum * x + c[i];
    return 2 * sum;
}

/* Rotation vector of a unit quaternion, rad, the short way round. */
static inline tr_vec3 tr_rotation_log(tr_quat q) {
    double x = q.x * q.x + q.y * q.y + q.z * q.z;
    if (x >= 0.05)
        return tr_quat_log(q);
    double k = tr_rotation_log_factor(x);
    k = q.w < 0 ? -k : k;
    return (tr_vec3){k * q.x, k * q.y, k * q.z};
}

/* Angle of a unit quaternion that turns about `axis`, rad, in (-pi, pi]. */
static inline double tr_rotation_angle(tr_quat q, tr_vec3 axis) {
    double s = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    s = q.w < 0 ? -s : s;
    if (s * s >= 0.05)
        return 2.0 * tr_atan2(s, fabs(q.w));
    return s * tr_rotation_log_factor(s * s);
}

#endif
