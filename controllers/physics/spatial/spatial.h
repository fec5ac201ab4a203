/* Spatial algebra on vectors of four doubles, after Featherstone, "Rigid Body Dynamics Algorithms"
 * (2008).
 *
 * A spatial vector is two 4-vectors, angular and linear; lane 3 is zero and stays zero. Everything
 * is in world axes about one common origin, so that no coordinate transform is ever needed. Motion:
 * {omega, velocity of the body point at the origin}. Force: {moment about the origin, force}. The
 * dot product of the two is power.
 *
 * Four lanes are one register from AVX on, and two halves on SSE2 (kernel.h has figures). Sums have
 * one written order, so that the bits do not depend on the instruction set or the optimiser. */
#pragma once

#include "math/mat3.h"
#include "math/vec3.h"

typedef double tr_v4 __attribute__((vector_size(32)));

typedef struct tr_spatial {
    tr_v4 ang, lin;
} tr_spatial;

/* Three columns in lanes 0 to 2. */
typedef struct tr_m3 {
    tr_v4 column[3];
} tr_m3;

/* Six columns: 0-2 answer angular, 3-5 linear unit vectors. */
typedef struct tr_spatial_matrix {
    tr_spatial column[6];
} tr_spatial_matrix;

#define TR_INLINE static inline __attribute__((always_inline))

TR_INLINE tr_v4 tr_v4_make(double x, double y, double z) {
    return (tr_v4){x, y, z, 0};
}

TR_INLINE tr_v4 tr_v4_from(tr_vec3 a) {
    return (tr_v4){a.x, a.y, a.z, 0};
}

TR_INLINE tr_vec3 tr_v4_to(tr_v4 a) {
    return (tr_vec3){a[0], a[1], a[2]};
}

TR_INLINE tr_v4 tr_v4_zero(void) {
    return (tr_v4){0, 0, 0, 0};
}

TR_INLINE tr_v4 tr_v4_cross(tr_v4 a, tr_v4 b) {
    tr_v4 a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3);
    tr_v4 b1 = __builtin_shufflevector(b, b, 1, 2, 0, 3);
    tr_v4 c = a * b1 - a1 * b;
    return __builtin_shufflevector(c, c, 1, 2, 0, 3);
}

TR_INLINE double tr_v4_sum(tr_v4 a) {
    return a[0] + a[1] + a[2];
}

TR_INLINE double tr_v4_dot(tr_v4 a, tr_v4 b) {
    return tr_v4_sum(a * b);
}

/* The sums of three vectors side by side, each in the order of tr_v4_sum. */
TR_INLINE tr_v4 tr_v4_sums(tr_v4 a, tr_v4 b, tr_v4 c) {
    tr_v4 zero = tr_v4_zero();
    tr_v4 even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    tr_v4 odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    tr_v4 even_c = __builtin_shufflevector(c, zero, 0, 4, 2, 6);
    tr_v4 odd_c = __builtin_shufflevector(c, zero, 1, 5, 3, 7);
    return __builtin_shufflevector(even, even_c, 0, 1, 4, 5) +
           __builtin_shufflevector(odd, odd_c, 0, 1, 4, 5) +
           __builtin_shufflevector(even, even_c, 2, 3, 6, 7);
}

/* m a */
TR_INLINE tr_v4 tr_m3_apply(const tr_m3 *m, tr_v4 a) {
    return m->column[0] * a[0] + m->column[1] * a[1] + m->column[2] * a[2];
}

/* m^T a */
TR_INLINE tr_v4 tr_m3_apply_transposed(const tr_m3 *m, tr_v4 a) {
    return tr_v4_sums(m->column[0] * a, m->column[1] * a, m->column[2] * a);
}

TR_INLINE tr_m3 tr_m3_transpose(const tr_m3 *m) {
    const tr_v4 *c = m->column;
    return (tr_m3){{tr_v4_make(c[0][0], c[1][0], c[2][0]), tr_v4_make(c[0][1], c[1][1], c[2][1]),
                    tr_v4_make(c[0][2], c[1][2], c[2][2])}};
}

TR_INLINE tr_m3 tr_m3_multiply(const tr_m3 *a, const tr_m3 *b) {
    return (tr_m3){
        {tr_m3_apply(a, b->column[0]), tr_m3_apply(a, b->column[1]), tr_m3_apply(a, b->column[2])}};
}

/* r a r^T for a symmetric a: columns of (r a) summed against the columns of r. */
TR_INLINE tr_m3 tr_m3_rotate_tensor(const tr_m3 *r, const tr_m3 *a) {
    tr_m3 ra = tr_m3_multiply(r, a), out;
    for (int j = 0; j < 3; j++)
        out.column[j] = ra.column[0] * r->column[0][j] + ra.column[1] * r->column[1][j] +
                        ra.column[2] * r->column[2][j];
    return out;
}

TR_INLINE tr_m3 tr_m3_from(const tr_mat3 *a) {
    const double *m = a->m;
    return (tr_m3){
        {tr_v4_make(m[0], m[3], m[6]), tr_v4_make(m[1], m[4], m[7]), tr_v4_make(m[2], m[5], m[8])}};
}

/* Inverse of a symmetric matrix by cofactors: the columns of the adjugate are cross products of
 * columns. */
TR_INLINE tr_m3 tr_m3_inverse_symmetric(const tr_m3 *m) {
    tr_v4 next[3], last[3]; /* the columns turned, so that a cross product needs no turn after it */
    for (int k = 0; k < 3; k++) {
        next[k] = __builtin_shufflevector(m->column[k], m->column[k], 1, 2, 0, 3);
        last[k] = __builtin_shufflevector(m->column[k], m->column[k], 2, 0, 1, 3);
    }
    tr_v4 a = next[1] * last[2] - last[1] * next[2];
    tr_v4 b = next[2] * last[0] - last[2] * next[0];
    tr_v4 c = next[0] * last[1] - last[0] * next[1];
    double s = 1.0 / tr_v4_dot(m->column[0], a);
    return (tr_m3){{a * s, b * s, c * s}};
}

TR_INLINE tr_spatial tr_spatial_zero(void) {
    return (tr_spatial){tr_v4_zero(), tr_v4_zero()};
}

TR_INLINE tr_spatial tr_spatial_add(tr_spatial a, tr_spatial b) {
    return (tr_spatial){a.ang + b.ang, a.lin + b.lin};
}

TR_INLINE tr_spatial tr_spatial_sub(tr_spatial a, tr_spatial b) {
    return (tr_spatial){a.ang - b.ang, a.lin - b.lin};
}

TR_INLINE tr_spatial tr_spatial_scale(tr_spatial a, double s) {
    return (tr_spatial){a.ang * s, a.lin * s};
}

/* a + s b */
TR_INLINE tr_spatial tr_spatial_add_scaled(tr_spatial a, double s, tr_spatial b) {
    return (tr_spatial){a.ang + b.ang * s, a.lin + b.lin * s};
}

/* a - s b */
TR_INLINE tr_spatial tr_spatial_sub_scaled(tr_spatial a, double s, tr_spatial b) {
    return (tr_spatial){a.ang - b.ang * s, a.lin - b.lin * s};
}

TR_INLINE double tr_spatial_dot(tr_spatial a, tr_spatial b) {
    return tr_v4_sum(a.ang * b.ang + a.lin * b.lin);
}

/* Component 0-5 of a spatial vector. */
TR_INLINE double tr_spatial_get(tr_spatial a, int i) {
    return i < 3 ? a.ang[i] : a.lin[i - 3];
}

TR_INLINE tr_spatial tr_spatial_matrix_apply(const tr_spatial_matrix *m, tr_spatial a) {
    const tr_spatial *c = m->column;
    return (tr_spatial){c[0].ang * a.ang[0] + c[1].ang * a.ang[1] + c[2].ang * a.ang[2] +
                            (c[3].ang * a.lin[0] + c[4].ang * a.lin[1] + c[5].ang * a.lin[2]),
                        c[0].lin * a.ang[0] + c[1].lin * a.ang[1] + c[2].lin * a.ang[2] +
                            (c[3].lin * a.lin[0] + c[4].lin * a.lin[1] + c[5].lin * a.lin[2])};
}

TR_INLINE tr_spatial_matrix tr_spatial_matrix_transpose(const tr_spatial_matrix *m) {
    tr_spatial_matrix out;
    for (int half = 0; half < 2; half++) {
        tr_m3 ang = {
            {m->column[3 * half].ang, m->column[3 * half + 1].ang, m->column[3 * half + 2].ang}};
        tr_m3 lin = {
            {m->column[3 * half].lin, m->column[3 * half + 1].lin, m->column[3 * half + 2].lin}};
        tr_m3 a = tr_m3_transpose(&ang), b = tr_m3_transpose(&lin);
        for (int k = 0; k < 3; k++) {
            if (half == 0) {
                out.column[k].ang = a.column[k];
                out.column[3 + k].ang = b.column[k];
            } else {
                out.column[k].lin = a.column[k];
                out.column[3 + k].lin = b.column[k];
            }
        }
    }
    return out;
}

/* Inverse of a symmetric positive definite [A B; B^T C] through the Schur complement of C:
 * X = (A - B C^-1 B^T)^-1, then [X, -X B C^-1; ., C^-1 + C^-1 B^T X B C^-1]. */
TR_INLINE tr_spatial_matrix tr_spatial_matrix_inverse(const tr_spatial_matrix *m) {
    tr_m3 a, b, c;
    for (int j = 0; j < 3; j++) {
        a.column[j] = m->column[j].ang;
        b.column[j] = m->column[3 + j].ang;
        c.column[j] = m->column[3 + j].lin;
    }
    tr_m3 ci = tr_m3_inverse_symmetric(&c), bc = tr_m3_multiply(&b, &ci);
    tr_m3 bt = tr_m3_transpose(&b), bcb = tr_m3_multiply(&bc, &bt);
    for (int j = 0; j < 3; j++)
        a.column[j] -= bcb.column[j];
    tr_m3 x = tr_m3_inverse_symmetric(&a), y = tr_m3_multiply(&x, &bc);
    tr_m3 bct = tr_m3_transpose(&bc), yt = tr_m3_transpose(&y), z = tr_m3_multiply(&bct, &y);
    tr_spatial_matrix out;
    for (int j = 0; j < 3; j++) {
        out.column[j] = (tr_spatial){x.column[j], -yt.column[j]};
        out.column[3 + j] = (tr_spatial){-y.column[j], ci.column[j] + z.column[j]};
    }
    return out;
}
