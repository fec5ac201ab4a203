#include "learn/latent/sparse_likelihood.h"

#include "math/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tr_status tr_sparse_room_create(int count, int inducing, int inputs, int outputs,
                                tr_sparse_room **out) {
    const size_t n = (size_t)count, m = (size_t)inducing, d = (size_t)outputs, wide = m > d ? m : d;
    tr_sparse_room *room = calloc(1, sizeof *room);
    double *block = calloc(4 * n * m + 4 * m * m + 2 * n + m * wide + d, sizeof *block);
    if (!room || !block) {
        free(room);
        free(block);
        return TR_RESOURCE_EXHAUSTED;
    }
    double *squares = block + 4 * n * m, *rest = squares + 4 * m * m;
    *room = (tr_sparse_room){.count = count,
                             .inducing = inducing,
                             .inputs = inputs,
                             .outputs = outputs,
                             .uz = block,
                             .b = block + n * m,
                             .d = block + 2 * n * m,
                             .h = block + 3 * n * m,
                             .zz = squares,
                             .inverse = squares + m * m,
                             .sum = squares + 2 * m * m,
                             .work = squares + 3 * m * m,
                             .load = rest,
                             .gain = rest + n,
                             .right = rest + 2 * n,
                             .form = rest + 2 * n + m * wide};
    *out = room;
    return TR_OK;
}

void tr_sparse_room_destroy(tr_sparse_room *room) {
    if (room)
        free(room->uz);
    free(room);
}

/* --- kernels --- */

typedef struct pair {
    double bell, dot, head, tail; /* exp(...), t . t', |h - h'|^2, |t - t'|^2 */
} pair;

static pair compare(const tr_gaussian_kernel *k, int size, const double *a, const double *b) {
    pair p = {0};
    for (int i = 0; i < k->head_size; i++)
        p.head += (a[i] - b[i]) * (a[i] - b[i]);
    for (int i = k->head_size; i < size; i++) {
        p.tail += (a[i] - b[i]) * (a[i] - b[i]);
        p.dot += a[i] * b[i];
    }
    if (!k->vanishes)
        p.dot = 1;
    p.bell = exp(-0.5 * (k->head_scale * p.head + k->tail_scale * p.tail));
    return p;
}

static void fill(const tr_gaussian_kernel *k, int size, int rows, const double *u, int columns,
                 const double *z, double *out) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            pair p = compare(k, size, u + i * size, z + j * size);
            *out++ = k->amplitude * p.dot * p.bell;
        }
}

/* Adds to the derivatives by a, b and the scales what follows from one by k(a, b). */
static void pull(const tr_gaussian_kernel *k, int size, double by_k, const double *a,
                 const double *b, double *by_a, double *by_b, tr_sparse_slope *slope) {
    pair p = compare(k, size, a, b);
    double value = by_k * k->amplitude * p.dot * p.bell, product = by_k * k->amplitude * p.bell;
    slope->head_scale -= 0.5 * value * p.head;
    slope->tail_scale -= 0.5 * value * p.tail;
    for (int i = 0; i < size; i++) {
        double scale = i < k->head_size ? k->head_scale : k->tail_scale;
        double way = value * scale * (a[i] - b[i]);
        bool linear = k->vanishes && i >= k->head_size;
        by_a[i] += (linear ? product * b[i] : 0) - way;
        by_b[i] += (linear ? product * a[i] : 0) + way;
    }
}

/* --- products --- */

static tr_product product_of(int rows, int inner, int columns, const double *a, const double *b) {
    return (tr_product){.rows = rows,
                        .inner = inner,
                        .columns = columns,
                        .a = a,
                        .b = b,
                        .a_stride = inner,
                        .b_stride = columns,
                        .out_stride = columns,
                        .scale = 1};
}

/* out = a^T b; a: [inner][rows]. */
static void multiply_transposed(int rows, int inner, int columns, const double *a, const double *b,
                                double scale, double keep, double *out) {
    tr_product p = product_of(rows, inner, columns, a, b);
    p.a_transposed = true;
    p.a_stride = rows;
    p.scale = scale;
    p.keep = keep;
    tr_linalg_multiply(&p, out);
}

static void multiply(int rows, int inner, int columns, const double *a, const double *b,
                     double scale, double keep, double *out) {
    tr_product p = product_of(rows, inner, columns, a, b);
    p.scale = scale;
    p.keep = keep;
    tr_linalg_multiply(&p, out);
}

/* --- value --- */

static void divide_rows(int rows, int columns, const double *by, const double *from, double *out) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++, from++, out++)
            *out = *from / by[i];
}

static double row_dot(int size, const double *a, const double *b) {
    double sum = 0;
    for (int j = 0; j < size; j++)
        sum += a[j] * b[j];
    return sum;
}

/* Computes K_zz, its inverse, B, L and S = (K_zz + K_zu L^-1 K_uz)^-1; returns ln |K~|, or NAN. */
static double factor(int n, const tr_gaussian_kernel *k, const double *inducing, tr_gp_room *room) {
    tr_sparse_room *s = room->sparse;
    const int m = s->inducing, size = s->inputs;
    const size_t square = (size_t)m * (size_t)m;
    double log_zz, log_sum, log_load = 0;
    fill(k, size, n, room->input, m, inducing, s->uz);
    fill(k, size, m, inducing, m, inducing, s->zz);
    for (int j = 0; j < m; j++)
        s->zz[j * (m + 1)] += tr_gaussian_kernel_jitter(k);
    memcpy(s->inverse, s->zz, square * sizeof *s->zz);
    if (tr_linalg_invert_spd(m, s->inverse, &log_zz))
        return (double)NAN;
    multiply(n, m, m, s->uz, s->inverse, 1, 0, s->b);
    /* L = diag(k(u_i, u_i) - Q_ii + noise). */
    for (int i = 0; i < n; i++) {
        double prior = tr_gaussian_kernel_at(k, size, room->input + i * size);
        double told = row_dot(m, s->b + i * m, s->uz + i * m);
        s->load[i] = prior - told + k->noise;
        if (!(s->load[i] > 0))
            return (double)NAN;
        log_load += log(s->load[i]);
    }
    /* S, and D = K_uz S for solving. */
    divide_rows(n, m, s->load, s->uz, s->h);
    memcpy(s->sum, s->zz, square * sizeof *s->zz);
    multiply_transposed(m, n, m, s->h, s->uz, 1, 1, s->sum);
    if (tr_linalg_invert_spd(m, s->sum, &log_sum))
        return (double)NAN;
    multiply(n, m, m, s->uz, s->sum, 1, 0, s->d);
    return log_load + log_sum - log_zz;
}

/* out = K~^-1 x = L^-1 (x - D K_zu L^-1 x). x, out: [n][columns], columns at most the width of
 * `right`; h holds L^-1 K_uz. */
static void solve(int n, int columns, const double *x, tr_sparse_room *s, double *out) {
    const int m = s->inducing;
    multiply_transposed(m, n, columns, s->h, x, 1, 0, s->right);
    memmove(out, x, (size_t)n * (size_t)columns * sizeof *out);
    multiply(n, m, columns, s->d, s->right, -1, 1, out);
    divide_rows(n, columns, s->load, out, out);
}

/* --- derivatives --- */

/* Computes G_ii and H B; h, which held L^-1 K_uz, becomes H B. */
static void differentiate(const tr_gp_likelihood *l, tr_gp_room *room) {
    tr_sparse_room *s = room->sparse;
    const int n = l->count, m = s->inducing, d = l->outputs;
    for (int i = 0; i < n; i++) {
        double told = row_dot(m, s->d + i * m, s->uz + i * m) / (s->load[i] * s->load[i]);
        double data = row_dot(d, room->solved + i * d, room->scaled + i * d);
        s->gain[i] = 0.5 * (data - d * (1 / s->load[i] - told));
    }
    multiply_transposed(m, n, m, s->h, s->b, 1, 0, s->right);
    memcpy(s->h, s->b, (size_t)n * (size_t)m * sizeof *s->h);
    multiply(n, m, m, s->d, s->right, -1, 1, s->h);
    divide_rows(n, m, s->load, s->h, s->h); /* K~^-1 B */
    /* G B = (A W^2 A^T B - d K~^-1 B) / 2; H B lacks the diagonal of G. */
    multiply_transposed(d, n, m, room->solved, s->b, 1, 0, s->right);
    multiply(n, d, m, room->scaled, s->right, 0.5, -0.5 * d, s->h);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s->h[i * m + j] -= s->gain[i] * s->b[i * m + j];
    /* dL/dK_zz = -B^T H B. */
    multiply_transposed(m, n, m, s->b, s->h, -1, 0, s->work);
}

static void gather(int n, const tr_gaussian_kernel *k, const double *inducing,
                   const tr_gp_room *room, tr_sparse_slope *slope) {
    const tr_sparse_room *s = room->sparse;
    const int m = s->inducing, size = s->inputs;
    for (int i = 0; i < n; i++) {
        const double *u = room->input + i * size;
        double *by_u = slope->inputs + i * size;
        for (int j = 0; j < m; j++)
            pull(k, size, 2 * s->h[i * m + j], u, inducing + j * size, by_u,
                 slope->inducing + j * size, slope);
        for (int c = k->head_size; k->vanishes && c < size; c++)
            by_u[c] += 2 * s->gain[i] * k->amplitude * u[c];
        slope->noise += s->gain[i];
    }
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++)
            pull(k, size, s->work[a * m + b], inducing + a * size, inducing + b * size,
                 slope->inducing + a * size, slope->inducing + b * size, slope);
}

double tr_sparse_likelihood(const tr_gp_likelihood *l, const tr_gaussian_kernel *kernel,
                            const double *inducing, tr_gp_room *room, tr_sparse_slope *slope) {
    tr_sparse_room *s = room->sparse;
    const int n = l->count, d = l->outputs;
    double log_det = factor(n, kernel, inducing, room);
    if (isnan(log_det))
        return log_det;
    solve(n, d, l->target, s, room->solved);
    tr_gp_forms(l, room->solved, s->form);
    double value = tr_gp_weigh(l, s->form, room->weight) - 0.5 * d * log_det;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
            room->scaled[i * d + c] = room->weight[c] * room->solved[i * d + c];
    differentiate(l, room);
    gather(n, kernel, inducing, room, slope);
    return value;
}
