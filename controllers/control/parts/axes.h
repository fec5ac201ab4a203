/* Vectors along three axes. Pure; deterministic. */
#pragma once

#include "math/vec3.h"

/* Components of a world vector along axes, world, unit: [3]. */
static inline tr_vec3 tr_vec3_along(const tr_vec3 *axis, tr_vec3 world) {
    return (tr_vec3){tr_vec3_dot(world, axis[0]), tr_vec3_dot(world, axis[1]),
                     tr_vec3_dot(world, axis[2])};
}

/* Component 0, 1 or 2. */
static inline double tr_vec3_at(tr_vec3 v, int k) {
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}
