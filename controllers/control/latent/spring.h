/* Critically damped springs towards zero, by their exact motion. Deterministic. */
#pragma once

#include "math/elementary.h"
#include "math/vec3.h"

/* o'' = -2 w o' - w^2 o over dt_s. off: o, m; rate: o', m/s; per_s: w, 1/s. */
static inline void tr_spring_rest(tr_vec3 *off, tr_vec3 *rate, double per_s, double dt_s) {
    const double decay = tr_exp(-per_s * dt_s);
    tr_vec3 pull = tr_vec3_scale(tr_vec3_add_scaled(*rate, per_s, *off), dt_s);
    *off = tr_vec3_scale(tr_vec3_add(*off, pull), decay);
    *rate = tr_vec3_scale(tr_vec3_add_scaled(*rate, -per_s, pull), decay);
}
