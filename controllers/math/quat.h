/* Unit quaternions (w, x, y, z), by value: the one place for their order, logarithm, heading and
 * mirror.
 *
 * q rotates vectors of the body frame into the outer frame: v_outer = q v_body q*. Composition
 * reads like matrices: tr_quat_mul(a, b) turns by b first. Rotation vectors (exponential map) are
 * axis times angle, rad. */
#pragma once

#include "math/elementary.h"
#include "math/mat3.h"
#include "math/vec3.h"

typedef struct tr_quat {
    double w, x, y, z;
} tr_quat;

#define TR_PI 3.14159265358979323846

static inline tr_quat tr_quat_identity(void) {
    return (tr_quat){1, 0, 0, 0};
}

static inline tr_quat tr_quat_mul(tr_quat a, tr_quat b) {
    return (tr_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                     a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline tr_quat tr_quat_conj(tr_quat q) {
    return (tr_quat){q.w, -q.x, -q.y, -q.z};
}

static inline double tr_quat_dot(tr_quat a, tr_quat b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Unit quaternion along q; the identity when q is shorter than 1e-12. */
static inline tr_quat tr_quat_normalize(tr_quat q) {
    double length = sqrt(tr_quat_dot(q, q));
    if (!(length > 1e-12))
        return tr_quat_identity();
    double s = 1.0 / length;
    return (tr_quat){q.w * s, q.x * s, q.y * s, q.z * s};
}

static inline tr_vec3 tr_quat_rotate(tr_quat q, tr_vec3 v) {
    tr_vec3 u = {q.x, q.y, q.z};
    tr_vec3 t = tr_vec3_scale(tr_vec3_cross(u, v), 2.0);
    return tr_vec3_add(tr_vec3_add_scaled(v, q.w, t), tr_vec3_cross(u, t));
}

static inline tr_vec3 tr_quat_rotate_inverse(tr_quat q, tr_vec3 v) {
    return tr_quat_rotate(tr_quat_conj(q), v);
}

static inline tr_mat3 tr_quat_to_mat3(tr_quat q) {
    double w = q.w, x = q.x, y = q.y, z = q.z;
    return (tr_mat3){{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

/* Quaternion of a rotation matrix (Shepperd's method: the largest component first). */
tr_quat tr_quat_from_mat3(const tr_mat3 *r);

/* The shortest turn from unit vector a to b; of opposite ones about an axis at a right angle. */
tr_quat tr_quat_between(tr_vec3 a, tr_vec3 b);

static inline tr_quat tr_quat_from_axis_angle(tr_vec3 unit_axis, double angle_rad) {
    double s, c;
    tr_sincos(0.5 * angle_rad, &s, &c);
    return (tr_quat){c, s * unit_axis.x, s * unit_axis.y, s * unit_axis.z};
}

/* exp of a rotation vector, rad. */
static inline tr_quat tr_quat_exp(tr_vec3 v) {
    double angle = tr_vec3_length(v);
    double s, c;
    tr_sincos(0.5 * angle, &s, &c);
    s = angle < 1e-8 ? 0.5 : s / angle;
    return (tr_quat){c, s * v.x, s * v.y, s * v.z};
}

/* Rotation vector of q, rad, the short way round: |result| <= pi. */
static inline tr_vec3 tr_quat_log(tr_quat q) {
    double s = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double k = s < 1e-9 ? (q.w < 0 ? -2.0 : 2.0) : 2.0 * tr_atan2(q.w < 0 ? -s : s, fabs(q.w)) / s;
    return (tr_vec3){k * q.x, k * q.y, k * q.z};
}

/* Angle between two orientations, rad, in [0, pi]. */
static inline double tr_quat_angle(tr_quat a, tr_quat b) {
    tr_quat d = tr_quat_mul(tr_quat_conj(a), b);
    return 2.0 * tr_atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

/* Spherical interpolation, the short way round. */
static inline tr_quat tr_quat_slerp(tr_quat a, tr_quat b, double t) {
    tr_vec3 e = tr_quat_log(tr_quat_mul(tr_quat_conj(a), b));
    return tr_quat_normalize(tr_quat_mul(a, tr_quat_exp(tr_vec3_scale(e, t))));
}

/* Rotation rate that carries `from` to `to` in `dt_s`, in the outer frame, rad/s. */
static inline tr_vec3 tr_quat_rate(tr_quat from, tr_quat to, double dt_s) {
    return tr_vec3_scale(tr_quat_log(tr_quat_mul(to, tr_quat_conj(from))), 1.0 / dt_s);
}

/* Heading: the twist of q about the vertical z (swing-twist), rad in (-pi, pi]. Singular upside
 * down. */
static inline double tr_quat_heading(tr_quat q) {
    double a = 2.0 * tr_atan2(q.z, q.w);
    return a > TR_PI ? a - 2.0 * TR_PI : a <= -TR_PI ? a + 2.0 * TR_PI : a;
}

/* The x axis of q seen from above, of length 1; when it points straight up or down, the world's. */
static inline tr_vec3 tr_quat_facing(tr_quat q) {
    double x = 1 - 2 * (q.y * q.y + q.z * q.z), y = 2 * (q.w * q.z + q.x * q.y);
    double length = sqrt(x * x + y * y);
    return length > 1e-12 ? (tr_vec3){x / length, y / length, 0} : (tr_vec3){1, 0, 0};
}

static inline tr_quat tr_quat_from_heading(double heading_rad) {
    double s, c;
    tr_sincos(0.5 * heading_rad, &s, &c);
    return (tr_quat){c, 0, 0, s};
}

/* Rotates a vector by -heading about z: world axes to heading axes. */
static inline tr_vec3 tr_vec3_to_heading(tr_vec3 v, double heading_rad) {
    double s, c;
    tr_sincos(heading_rad, &s, &c);
    return (tr_vec3){c * v.x + s * v.y, c * v.y - s * v.x, v.z};
}

static inline tr_vec3 tr_vec3_from_heading(tr_vec3 v, double heading_rad) {
    return tr_vec3_to_heading(v, -heading_rad);
}

/* Adds a turn, a rotation vector in the rotated frame. */
static inline void tr_quat_turn(tr_quat *q, tr_vec3 turn) {
    *q = tr_quat_mul(*q, tr_quat_exp(turn));
}

/* Angle wrapped to (-pi, pi]. */
static inline double tr_angle_wrap(double a) {
    a = fmod(a, 2.0 * TR_PI);
    return a > TR_PI ? a - 2.0 * TR_PI : a <= -TR_PI ? a + 2.0 * TR_PI : a;
}

/* The angle by which a rotation turns about a unit axis. */
static inline double tr_quat_angle_about(tr_quat q, tr_vec3 axis) {
    return tr_angle_wrap(2 * tr_atan2(tr_vec3_dot((tr_vec3){q.x, q.y, q.z}, axis), q.w));
}

/* Mirror image of a rotation through the sagittal plane y = 0. */
static inline tr_quat tr_quat_mirror(tr_quat q) {
    return (tr_quat){q.w, -q.x, q.y, -q.z};
}

static inline int tr_quat_is_finite(tr_quat q) {
    return isfinite(q.w) && isfinite(q.x) && isfinite(q.y) && isfinite(q.z);
}
