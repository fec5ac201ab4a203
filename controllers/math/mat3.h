/* 3x3 matrices, row-major: m[3 * row + column]. Rotation matrices map body axes to the outer frame.
 */
#pragma once

#include "math/vec3.h"

typedef struct tr_mat3 {
    double m[9];
} tr_mat3;

static inline tr_mat3 tr_mat3_diagonal(double x, double y, double z) {
    return (tr_mat3){{x, 0, 0, 0, y, 0, 0, 0, z}};
}

/* Matrix whose columns are x, y, z. */
static inline tr_mat3 tr_mat3_from_columns(tr_vec3 x, tr_vec3 y, tr_vec3 z) {
    return (tr_mat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

static inline tr_vec3 tr_mat3_column(const tr_mat3 *a, int column) {
    return (tr_vec3){a->m[column], a->m[3 + column], a->m[6 + column]};
}

static inline tr_vec3 tr_mat3_apply(const tr_mat3 *a, tr_vec3 v) {
    const double *m = a->m;
    return (tr_vec3){m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                     m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

/* a^T v */
static inline tr_vec3 tr_mat3_apply_transposed(const tr_mat3 *a, tr_vec3 v) {
    const double *m = a->m;
    return (tr_vec3){m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
                     m[2] * v.x + m[5] * v.y + m[8] * v.z};
}

static inline tr_mat3 tr_mat3_transpose(const tr_mat3 *a) {
    const double *m = a->m;
    return (tr_mat3){{m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}};
}

static inline tr_mat3 tr_mat3_multiply(const tr_mat3 *a, const tr_mat3 *b) {
    tr_mat3 out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.m[3 * i + j] = a->m[3 * i] * b->m[j] + a->m[3 * i + 1] * b->m[3 + j] +
                               a->m[3 * i + 2] * b->m[6 + j];
    return out;
}

/* r a r^T: a symmetric tensor (an inertia) carried from body axes to the outer frame. */
static inline tr_mat3 tr_mat3_rotate_tensor(const tr_mat3 *r, const tr_mat3 *a) {
    tr_mat3 ra = tr_mat3_multiply(r, a);
    tr_mat3 rt = tr_mat3_transpose(r);
    return tr_mat3_multiply(&ra, &rt);
}

static inline double tr_mat3_determinant(const tr_mat3 *a) {
    const double *m = a->m;
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
           m[2] * (m[3] * m[7] - m[4] * m[6]);
}
