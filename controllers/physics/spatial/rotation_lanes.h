/* Four rotations side by side, one per lane. Internal to physics/.
 *
 * Each operation is that of math/quat.h and rotation.h, in the same order, so that a lane has the
 * bits of the scalar function. The joints of a body turn independently of each other, which makes
 * four of them one computation; lanes beyond the last joint repeat it. */
#pragma once

#include "physics/spatial/lanes.h"
#include "physics/spatial/rotation.h"

#include <string.h>

typedef struct tr_vec3_lanes {
    tr_v4 x, y, z;
} tr_vec3_lanes;

typedef struct tr_quat_lanes {
    tr_v4 w, x, y, z;
} tr_quat_lanes;

/* The bodies of the lanes, from `first` on; those beyond the last repeat it. */
typedef struct tr_lane_bodies {
    int body[4];
} tr_lane_bodies;

TR_INLINE tr_lane_bodies tr_lane_bodies_from(int first, int count) {
    tr_lane_bodies out;
    for (int k = 0; k < 4; k++)
        out.body[k] = first + k < count ? first + k : count - 1;
    return out;
}

/* --- reading and writing --- */

TR_INLINE tr_v4 tr_gather_double(const double *a, tr_lane_bodies at) {
    return (tr_v4){a[at.body[0]], a[at.body[1]], a[at.body[2]], a[at.body[3]]};
}

TR_INLINE tr_vec3_lanes tr_gather_vec3(const tr_vec3 *a, tr_lane_bodies at) {
    const tr_vec3 *p = &a[at.body[0]], *q = &a[at.body[1]], *r = &a[at.body[2]],
                  *s = &a[at.body[3]];
    return (tr_vec3_lanes){
        {p->x, q->x, r->x, s->x}, {p->y, q->y, r->y, s->y}, {p->z, q->z, r->z, s->z}};
}

/* Lane k from or to *q[k]. */
TR_INLINE tr_quat_lanes tr_quat_lanes_from(const tr_quat *const q[4]) {
    tr_v4 row[4] = {tr_v4_load(&q[0]->w), tr_v4_load(&q[1]->w), tr_v4_load(&q[2]->w),
                    tr_v4_load(&q[3]->w)};
    tr_v4_transpose(row);
    return (tr_quat_lanes){row[0], row[1], row[2], row[3]};
}

TR_INLINE void tr_quat_lanes_to(tr_quat_lanes from, tr_quat *const q[4]) {
    tr_v4 row[4] = {from.w, from.x, from.y, from.z};
    tr_v4_transpose(row);
    tr_v4_store(row[0], &q[0]->w);
    tr_v4_store(row[1], &q[1]->w);
    tr_v4_store(row[2], &q[2]->w);
    tr_v4_store(row[3], &q[3]->w);
}

TR_INLINE tr_quat_lanes tr_gather_quat(const tr_quat *a, tr_lane_bodies at) {
    const tr_quat *q[4] = {&a[at.body[0]], &a[at.body[1]], &a[at.body[2]], &a[at.body[3]]};
    return tr_quat_lanes_from(q);
}

TR_INLINE void tr_scatter_quat(tr_quat *a, tr_lane_bodies at, tr_quat_lanes from) {
    tr_quat *q[4] = {&a[at.body[0]], &a[at.body[1]], &a[at.body[2]], &a[at.body[3]]};
    tr_quat_lanes_to(from, q);
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
    return (tr_quat_lanes){tr_v4_select(good, q.w * s, tr_v4_all(1)),
                           tr_v4_select(good, q.x * s, zero), tr_v4_select(good, q.y * s, zero),
                           tr_v4_select(good, q.z * s, zero)};
}

/* --- rotation.h --- */

TR_INLINE tr_v4 tr_lanes_series_at(const double *term, int count, tr_v4 x) {
    tr_v4 sum = tr_v4_all(term[count - 1]);
    for (int i = count - 2; i >= 0; i--)
        sum = sum * x + term[i];
    return sum;
}

/* tr_rotation_advance */
TR_INLINE tr_quat_lanes tr_rotation_lanes_advance(tr_quat_lanes q, tr_vec3_lanes rate, double h) {
    tr_vec3_lanes v = {rate.x * h, rate.y * h, rate.z * h};
    tr_v4 x = 0.25 * (v.x * v.x + v.y * v.y + v.z * v.z);
    tr_v4 s = tr_lanes_series_at(tr_sinc_series, TR_SINC_TERMS, x);
    tr_v4 c = tr_lanes_series_at(tr_cos_series, TR_COS_TERMS, x);
    tr_quat_lanes turn = {c, 0.5 * s * v.x, 0.5 * s * v.y, 0.5 * s * v.z};
    int large = tr_v4_bits(~(x < TR_ROTATION_SMALL));
    for (int k = 0; large && k < 4; k++) {
        if (!(large >> k & 1))
            continue;
        tr_quat exact = tr_quat_exp(tr_vec3_lane(v, k));
        turn.w[k] = exact.w;
        turn.x[k] = exact.x;
        turn.y[k] = exact.y;
        turn.z[k] = exact.z;
    }
    return tr_quat_lanes_normalize(tr_quat_lanes_mul(turn, q));
}
