/* Vectors of three doubles, by value. Units are the caller's; frames are named at the use. */
#pragma once

#include <math.h>

typedef struct tr_vec3 {
    double x, y, z;
} tr_vec3;

static inline tr_vec3 tr_vec3_make(double x, double y, double z) {
    return (tr_vec3){x, y, z};
}

static inline tr_vec3 tr_vec3_add(tr_vec3 a, tr_vec3 b) {
    return (tr_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline tr_vec3 tr_vec3_sub(tr_vec3 a, tr_vec3 b) {
    return (tr_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline tr_vec3 tr_vec3_scale(tr_vec3 a, double s) {
    return (tr_vec3){a.x * s, a.y * s, a.z * s};
}

/* a + s b */
static inline tr_vec3 tr_vec3_add_scaled(tr_vec3 a, double s, tr_vec3 b) {
    return (tr_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline tr_vec3 tr_vec3_negate(tr_vec3 a) {
    return (tr_vec3){-a.x, -a.y, -a.z};
}

static inline double tr_vec3_dot(tr_vec3 a, tr_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline tr_vec3 tr_vec3_cross(tr_vec3 a, tr_vec3 b) {
    return (tr_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double tr_vec3_length(tr_vec3 a) {
    return sqrt(tr_vec3_dot(a, a));
}

static inline double tr_vec3_distance(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_length(tr_vec3_sub(a, b));
}

/* Unit vector along a; `fallback` when a is shorter than 1e-12. */
static inline tr_vec3 tr_vec3_normalize_or(tr_vec3 a, tr_vec3 fallback) {
    double length = tr_vec3_length(a);
    return length < 1e-12 ? fallback : tr_vec3_scale(a, 1.0 / length);
}

static inline tr_vec3 tr_vec3_lerp(tr_vec3 a, tr_vec3 b, double t) {
    return tr_vec3_add_scaled(a, t, tr_vec3_sub(b, a));
}

static inline int tr_vec3_is_finite(tr_vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* Mirror image through the sagittal plane y = 0: positions, velocities and forces (polar vectors).
 */
static inline tr_vec3 tr_vec3_mirror(tr_vec3 a) {
    return (tr_vec3){a.x, -a.y, a.z};
}

/* Mirror image of angular velocities, torques and rotation vectors (axial vectors). */
static inline tr_vec3 tr_vec3_mirror_axial(tr_vec3 a) {
    return (tr_vec3){-a.x, a.y, -a.z};
}
