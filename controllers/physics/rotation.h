/* Advancing a rotation by a rate: the exponential map by series. Internal to physics/.
 *
 * The steps are small, so the power series in half the angle squared converges in a few terms and needs neither a square
 * root nor a division; the rare large step falls back on tr_quat_exp. */
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

#endif
