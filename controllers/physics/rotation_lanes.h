/* Four rotations side by side, one per lane. Internal to physics/.
 *
 * Each operation is that of math/quat.h and rotation.h, in the same order, so that a lane has the
 * bits of the scalar function. The joints of a body turn independently of each other, which makes
 * four of them one computation; lanes beyond the last joint repeat it. */
#ifndef TROUPE_PHYSICS_ROTATION_LANES_H
#define TROUPE_PHYSICS_ROTATION_LANES_H

#include "physics/rotation.h"
#include "physics/spatial.h"

#include <string.h>

typedef long long tr_v4_mask __attribute__((vector_size(32))); /* a lane is all ones or zero */

typedef struct tr_vec3_lanes {
    tr_v4 x, y, z;
} tr_vec3_lanes;

typedef struct tr_quat_lanes {
    tr_v4 w, x, y, z;
} tr_quat_lanes;

TR_INLINE tr_v4 tr_v4_all(double x) {
    return (tr_v4){x, x, x, x};
}

TR_INLINE tr_v4 tr_v4_select(tr_v4_mask mask, tr_v4 yes, tr_v4 no) {
    return (tr_v4)((mask & (tr_v4_mask)yes) | (~mask & (tr_v4_mask)no));
}

TR_INLINE bool tr_v4_any(tr_v4_mask mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

TR_INLINE tr_v4 tr_v4_sqrt(tr_v4 a) {
    return (tr_v4){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
}

TR_INLINE void tr_v4_transpose(tr_v4 row[4]) {
    tr_v4 a = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
    tr_v4 b = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
    tr_v4 c = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
    tr_v4 d = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
    row[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    row[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    row[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/* The bodies of the lanes, from `first` on; those beyond the last repeat it. */
typedef struct tr_lanes {
    int body[4];
} tr_lanes;

TR_INLINE tr_lanes tr_lanes_from(int first, int count) {
    tr_lanes out;
    for (int k = 0; k < 4; k++)
        out.body[k] = first + k < count ? first + k : count - 1;
    return out;
}

/* --- reading and writing --- */

TR_INLINE tr_v4 tr_lanes_double(const double *a, tr_lanes at) {
    return (tr_v4){a[at.body[0]], a[at.body[1]], a[at.body[2]], a[at.body[3]]};
}

TR_INLINE tr_vec3_lanes tr_lanes_vec3(const tr_vec3 *a, tr_lanes at) {
    const tr_vec3 *p = &a[at.body[0]], *q = &a[at.body[1]], *r = &a[at.body[2]],
                  *s = &a[at.body[3]];
    return (tr_vec3_lanes){
        {p->x, q->x, r->x, s->x}, {p->y, q->y, r->y, s->y}, {p->z, q->z, r->z, s->z}};
}

TR_INLINE tr_quat_lanes tr_lanes_quat(const tr_quat *a, tr_lanes at) {
    tr_v4 row[4];
    for (int k = 0; k < 4; k++)
        memcpy(&row[k], &a[at.body[k]], sizeof row[k]);
    tr_v4_transpose(row);
    return (tr_quat_lanes){row[0], row[1], row[2], row[3]};
}

TR_INLINE void tr_lanes_set_quat(tr_quat *a, tr_lanes at, tr_quat_lanes q) {
    tr_v4 row[4] = {q.w, q.x, q.y, q.z};
    tr_v4_transpose(row);
    for (int k = 0; k < 4; k++)
        memcpy(&a[at.body[k]], &row[k], sizeof row[k]);
}

TR_INLINE tr_quat tr_quat_lane(tr_quat_lanes q, int k) {
    return (tr_quat){q.w[k], q.x[k], q.y[k], q.z[k]};
}

TR_INLINE tr_vec3 tr_vec3_lane(tr_vec3_lanes v, int k) {
    return (tr_vec3){v.x[k], v.y[k], v.z[k]};
}

/* --- quat.h --- */

TR_INLINE tr_quat_lanes tr_quat_lanes_mul(tr_quat_lanes a, tr_quat_lanes b) {
    return (tr_quat_lanes){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                           a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                           a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                           a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

TR_INLINE tr_quat_lanes tr_quat_lanes_conj(tr_quat_lanes q) {
    return (tr_quat_lanes){q.w, -q.x, -q.y, -q.z};
}

TR_INLINE tr_quat_lanes tr_quat_lanes_normalize(tr_quat_lanes q) {
    tr_v4 length = tr_v4_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    tr_v4_mask good = length > 1e-12;
    tr_v4 s = 1.0 / length, zero = tr_v4_zero();
    return (tr_quat_lanes){
        tr_v4_select(good, q.w * s, tr_v4_all(1)), tr_v4_select(good, q.x * s, zero),
        tr_v4_select(good, q.y * s, zero), tr_v4_select(good, q.z * s, zero)};
}

/* --- rotation.h --- */

/* tr_rotation_advance */
TR_INLINE tr_quat_lanes tr_rotation_lanes_advance(tr_quat_lanes q, tr_vec3_lanes rate, double h) {
    tr_vec3_lanes v = {rate.x * h, rate.y * h, rate.z * h};
    tr_v4 x = 0.25 * (v.x * v.x + v.y * v.y + v.z * v.z);
    tr_v4 s = TR_ROTATION_SINC(x), c = TR_ROTATION_COS(x);
    tr_quat_lanes turn = {c, 0.5 * s * v.x, 0.5 * s * v.y, 0.5 * s * v.z};
    tr_v4_mask small = x < TR_ROTATION_SMALL;
    for (int k = 0; tr_v4_any(~small) && k < 4; k++) {
        if (small[k])
            continue;
        tr_quat exact = tr_quat_exp(tr_vec3_lane(v, k));
        turn.w[k] = exact.w;
        turn.x[k] = exact.x;
        turn.y[k] = exact.y;
        turn.z[k] = exact.z;
    }
    return tr_quat_lanes_normalize(tr_quat_lanes_mul(turn, q));
}

#endif
