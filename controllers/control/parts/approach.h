/* How a lifted foot approaches a place. Pure; deterministic. */
#pragma once

/* Acceleration now, along one axis, with which a point that still has `way` to go and moves at
 * `speed` gets there with `last_speed` in `left_s`, with the least squared accelerations. */
static inline double tr_approach(double way, double speed, double last_speed, double left_s) {
    return 6 * way / (left_s * left_s) - (4 * speed + 2 * last_speed) / left_s;
}
