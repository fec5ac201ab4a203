/* Spatial algebra of four characters side by side: lane k is that of character k. Internal to
 * physics/.
 *
 * Each operation is that of spatial.h, in the same order, so that a lane has the bits of the scalar
 * function. This form has no shuffles and no idle fourth number, unlike a spatial vector of four
 * numbers: a cross product takes nine operations for four characters.
 *
 *     tr_l3   three numbers a lane       tr_v4 (lanes 0 to 2)
 *     tr_l33  three columns of them      tr_m3
 *     tr_l6   angular and linear         tr_spatial
 *     tr_l66  six columns of them        tr_spatial_matrix */
#pragma once

#include "physics/spatial/rotation_lanes.h"

typedef tr_vec3_lanes tr_l3;

typedef struct tr_l33 {
    tr_l3 column[3];
} tr_l33;

typedef struct tr_l6 {
    tr_l3 ang, lin;
} tr_l6;

typedef struct tr_l66 {
    tr_l6 column[6];
} tr_l66;

/* --- three numbers --- */

TR_INLINE tr_l3 tr_l3_zero(void) {
    return (tr_l3){tr_v4_zero(), tr_v4_zero(), tr_v4_zero()};
}

/* The same in each lane; `from` has three numbers. */
TR_INLINE tr_l3 tr_l3_all(const double *from) {
    return (tr_l3){tr_v4_all(from[0]), tr_v4_all(from[1]), tr_v4_all(from[2])};
}

TR_INLINE tr_l3 tr_l3_add(tr_l3 a, tr_l3 b) {
    return (tr_l3){a.x + b.x, a.y + b.y, a.z + b.z};
}

TR_INLINE tr_l3 tr_l3_sub(tr_l3 a, tr_l3 b) {
    return (tr_l3){a.x - b.x, a.y - b.y, a.z - b.z};
}

TR_INLINE tr_l3 tr_l3_negate(tr_l3 a) {
    return (tr_l3){-a.x, -a.y, -a.z};
}

TR_INLINE tr_l3 tr_l3_scale(tr_l3 a, tr_v4 s) {
    return (tr_l3){a.x * s, a.y * s, a.z * s};
}

/* a + s b, a - s b */
TR_INLINE tr_l3 tr_l3_add_scaled(tr_l3 a, tr_v4 s, tr_l3 b) {
    return (tr_l3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

TR_INLINE tr_l3 tr_l3_sub_scaled(tr_l3 a, tr_v4 s, tr_l3 b) {
    return (tr_l3){a.x - b.x * s, a.y - b.y * s, a.z - b.z * s};
}

TR_INLINE tr_l3 tr_l3_cross(tr_l3 a, tr_l3 b) {
    return (tr_l3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TR_INLINE tr_v4 tr_l3_dot(tr_l3 a, tr_l3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

TR_INLINE tr_l3 tr_l3_select(tr_v4_mask mask, tr_l3 yes, tr_l3 no) {
    return (tr_l3){tr_v4_select(mask, yes.x, no.x), tr_v4_select(mask, yes.y, no.y),
                   tr_v4_select(mask, yes.z, no.z)};
}

/* Lane k of each number. */
/* By address: indexing a copy would make one in memory first, and wait for it. */
TR_INLINE tr_v4 tr_l3_lane(const tr_l3 *a, int k) {
    const double *x = (const double *)&a->x, *y = (const double *)&a->y;
    return (tr_v4){x[k], y[k], ((const double *)&a->z)[k], 0};
}

TR_INLINE void tr_l3_set_lane(tr_l3 *a, int k, tr_v4 b) {
    a->x[k] = b[0];
    a->y[k] = b[1];
    a->z[k] = b[2];
}

/* From and to a vector of each character. */
TR_INLINE tr_l3 tr_l3_from(tr_v4 a, tr_v4 b, tr_v4 c, tr_v4 d) {
    tr_v4 row[4] = {a, b, c, d};
    tr_v4_transpose(row);
    return (tr_l3){row[0], row[1], row[2]};
}

typedef struct tr_l3_rows {
    tr_v4 lane[4];
} tr_l3_rows;

TR_INLINE tr_l3_rows tr_l3_to(tr_l3 a) {
    tr_l3_rows out = {{a.x, a.y, a.z, tr_v4_zero()}};
    tr_v4_transpose(out.lane);
    return out;
}

/* --- three columns --- */

TR_INLINE tr_l3 tr_l33_apply(const tr_l33 *m, tr_l3 a) {
    const tr_l3 *c = m->column;
    return (tr_l3){c[0].x * a.x + c[1].x * a.y + c[2].x * a.z,
                   c[0].y * a.x + c[1].y * a.y + c[2].y * a.z,
                   c[0].z * a.x + c[1].z * a.y + c[2].z * a.z};
}

TR_INLINE tr_l3 tr_l33_apply_transposed(const tr_l33 *m, tr_l3 a) {
    const tr_l3 *c = m->column;
    return (tr_l3){tr_l3_dot(c[0], a), tr_l3_dot(c[1], a), tr_l3_dot(c[2], a)};
}

/* The same matrix in each lane. */
TR_INLINE tr_l33 tr_l33_all(const tr_m3 *m) {
    return (tr_l33){{tr_l3_all((const double *)&m->column[0]),
                     tr_l3_all((const double *)&m->column[1]),
                     tr_l3_all((const double *)&m->column[2])}};
}

TR_INLINE tr_l33 tr_l33_transpose(const tr_l33 *m) {
    const tr_l3 *c = m->column;
    return (tr_l33){{{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}}};
}

TR_INLINE tr_l33 tr_l33_multiply(const tr_l33 *a, const tr_l33 *b) {
    return (tr_l33){{tr_l33_apply(a, b->column[0]), tr_l33_apply(a, b->column[1]),
                     tr_l33_apply(a, b->column[2])}};
}

TR_INLINE tr_l33 tr_l33_rotate_tensor(const tr_l33 *r, const tr_l33 *a) {
    tr_l33 ra = tr_l33_multiply(r, a);
    const tr_l3 *c = r->column;
    return (tr_l33){{tr_l33_apply(&ra, (tr_l3){c[0].x, c[1].x, c[2].x}),
                     tr_l33_apply(&ra, (tr_l3){c[0].y, c[1].y, c[2].y}),
                     tr_l33_apply(&ra, (tr_l3){c[0].z, c[1].z, c[2].z})}};
}

TR_INLINE tr_l33 tr_l33_inverse_symmetric(const tr_l33 *m) {
    const tr_l3 *column = m->column;
    tr_l3 a = tr_l3_cross(column[1], column[2]), b = tr_l3_cross(column[2], column[0]),
          c = tr_l3_cross(column[0], column[1]);
    tr_v4 s = 1.0 / tr_l3_dot(column[0], a);
    return (tr_l33){{tr_l3_scale(a, s), tr_l3_scale(b, s), tr_l3_scale(c, s)}};
}

/* --- spatial --- */

TR_INLINE tr_l6 tr_l6_zero(void) {
    return (tr_l6){tr_l3_zero(), tr_l3_zero()};
}

TR_INLINE tr_l6 tr_l6_add(tr_l6 a, tr_l6 b) {
    return (tr_l6){tr_l3_add(a.ang, b.ang), tr_l3_add(a.lin, b.lin)};
}

TR_INLINE tr_l6 tr_l6_sub(tr_l6 a, tr_l6 b) {
    return (tr_l6){tr_l3_sub(a.ang, b.ang), tr_l3_sub(a.lin, b.lin)};
}

TR_INLINE tr_l6 tr_l6_scale(tr_l6 a, tr_v4 s) {
    return (tr_l6){tr_l3_scale(a.ang, s), tr_l3_scale(a.lin, s)};
}

TR_INLINE tr_l6 tr_l6_add_scaled(tr_l6 a, tr_v4 s, tr_l6 b) {
    return (tr_l6){tr_l3_add_scaled(a.ang, s, b.ang), tr_l3_add_scaled(a.lin, s, b.lin)};
}

TR_INLINE tr_l6 tr_l6_sub_scaled(tr_l6 a, tr_v4 s, tr_l6 b) {
    return (tr_l6){tr_l3_sub_scaled(a.ang, s, b.ang), tr_l3_sub_scaled(a.lin, s, b.lin)};
}

TR_INLINE tr_v4 tr_l6_dot(tr_l6 a, tr_l6 b) {
    return (a.ang.x * b.ang.x + a.lin.x * b.lin.x) + (a.ang.y * b.ang.y + a.lin.y * b.lin.y) +
           (a.ang.z * b.ang.z + a.lin.z * b.lin.z);
}

TR_INLINE tr_l6 tr_l6_select(tr_v4_mask mask, tr_l6 yes, tr_l6 no) {
    return (tr_l6){tr_l3_select(mask, yes.ang, no.ang), tr_l3_select(mask, yes.lin, no.lin)};
}

TR_INLINE tr_l6 tr_l66_apply(const tr_l66 *m, tr_l6 a) {
    const tr_l6 *c = m->column;
#define ROW(part, n)                                                                               \
    c[0].part.n *a.ang.x + c[1].part.n *a.ang.y + c[2].part.n *a.ang.z +                           \
        (c[3].part.n * a.lin.x + c[4].part.n * a.lin.y + c[5].part.n * a.lin.z)
    return (tr_l6){{ROW(ang, x), ROW(ang, y), ROW(ang, z)},
                   {ROW(lin, x), ROW(lin, y), ROW(lin, z)}};
#undef ROW
}

TR_INLINE void tr_l66_invert(const tr_l66 *m, tr_l66 *out) {
    tr_l33 a, b, c;
    for (int j = 0; j < 3; j++) {
        a.column[j] = m->column[j].ang;
        b.column[j] = m->column[3 + j].ang;
        c.column[j] = m->column[3 + j].lin;
    }
    tr_l33 ci = tr_l33_inverse_symmetric(&c), bc = tr_l33_multiply(&b, &ci);
    tr_l33 bt = tr_l33_transpose(&b), bcb = tr_l33_multiply(&bc, &bt);
    for (int j = 0; j < 3; j++)
        a.column[j] = tr_l3_sub(a.column[j], bcb.column[j]);
    tr_l33 x = tr_l33_inverse_symmetric(&a), y = tr_l33_multiply(&x, &bc);
    tr_l33 bct = tr_l33_transpose(&bc), yt = tr_l33_transpose(&y), z = tr_l33_multiply(&bct, &y);
    for (int j = 0; j < 3; j++) {
        out->column[j] = (tr_l6){x.column[j], tr_l3_negate(yt.column[j])};
        out->column[3 + j] =
            (tr_l6){tr_l3_negate(y.column[j]), tr_l3_add(ci.column[j], z.column[j])};
    }
}
