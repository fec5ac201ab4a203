#include "control/latent/gaussian_map.h"

#include "control/latent/latent_kernel.h"
#include "math/cholesky.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING = 4 };

static int padded(int count) {
    return (count + PADDING - 1) / PADDING * PADDING;
}

double tr_gaussian_kernel_at(const tr_gaussian_kernel *kernel, int input_size, const double *u) {
    double dot = 0;
    for (int i = kernel->head_size; i < input_size; i++)
        dot += u[i] * u[i];
    return kernel->amplitude * (kernel->vanishes ? dot : 1);
}

double tr_gaussian_kernel_jitter(const tr_gaussian_kernel *kernel) {
    static const double SHARE = 1e-6; /* of the prior variance, which is about 1 where k vanishes */
    return SHARE * (kernel->vanishes ? 1 : kernel->amplitude);
}

/* --- making --- */

static bool sizes_fit(const tr_gaussian_map_def *def) {
    const int most = def->inducing_count ? TR_GAUSSIAN_INPUT_COUNT_MAX : TR_GAUSSIAN_CENTRE_MAX;
    return def->inducing_count >= 0 && def->inducing_count <= TR_GAUSSIAN_CENTRE_MAX &&
           def->count >= 1 && def->count <= most && def->input_size >= 1 &&
           def->input_size <= TR_GAUSSIAN_INPUT_MAX && def->output_size >= 1 &&
           def->output_size <= TR_GAUSSIAN_OUTPUT_MAX && def->kernel.head_size >= 0 &&
           def->kernel.head_size <= def->input_size;
}

static int centre_count(const tr_gaussian_map_def *def) {
    return def->inducing_count ? def->inducing_count : def->count;
}

/* Takes one block for all arrays, and chooses the kernel that evaluates, once. */
static tr_status allocate(tr_gaussian_map *map, const tr_gaussian_map_def *def) {
    const int count = centre_count(def);
    *map = (tr_gaussian_map){.kernel = def->kernel,
                             .input_size = def->input_size,
                             .output_size = def->output_size,
                             .count = count,
                             .stride = padded(count),
                             .output_stride = padded(def->output_size),
                             .loops = tr_latent_kernel_choose()};
    size_t stride = (size_t)map->stride, outputs = (size_t)map->output_stride;
    size_t centres = (size_t)map->input_size * stride, weights = stride * outputs;
    size_t factors = def->with_variance ? stride * stride : 0;
    map->centre = calloc(centres + weights + outputs + factors, sizeof *map->centre);
    if (!map->centre)
        return TR_RESOURCE_EXHAUSTED;
    map->weight = map->centre + centres;
    map->bias = map->weight + weights;
    map->factor = factors ? map->bias + outputs : NULL;
    return TR_OK;
}

static void place_centres(tr_gaussian_map *map, const tr_gaussian_map_def *def) {
    const double *centre = def->inducing_count ? def->inducing : def->centre;
    for (int i = 0; i < map->count; i++)
        for (int d = 0; d < def->input_size; d++)
            map->centre[(ptrdiff_t)d * map->stride + i] =
                centre[(ptrdiff_t)i * def->input_size + d];
    if (def->bias)
        memcpy(map->bias, def->bias, (size_t)def->output_size * sizeof *map->bias);
}

/* Makes the upper triangle of the centres' covariance, `raised` by a number on its diagonal:
 * [count][count]. */
static void make_covariance(const tr_gaussian_map *map, const double *centre, double raised,
                            double *k) {
    size_t count = (size_t)map->count;
    tr_gaussian_row row;
    for (size_t i = 0; i < count; i++) {
        tr_gaussian_map_covariances(map, centre + i * (size_t)map->input_size, &row);
        memcpy(k + i * count + i, row.k + i, (count - i) * sizeof *k);
        k[i * count + i] += raised;
    }
}

/* Makes target - bias: [count][output_size]. */
static void make_residual(const tr_gaussian_map *map, const tr_gaussian_map_def *def, double *out) {
    for (int i = 0; i < def->count; i++)
        for (int o = 0; o < def->output_size; o++, out++)
            *out = def->target[(ptrdiff_t)i * def->output_size + o] - map->bias[o];
}

/* Copies rows of `width` numbers to rows that are `stride` apart. */
static void spread_rows(int count, int width, const double *from, int stride, double *to) {
    for (int i = 0; i < count; i++)
        memcpy(to + (ptrdiff_t)i * stride, from + (ptrdiff_t)i * width, (size_t)width * sizeof *to);
}

/* Makes A and F from all inputs. work: [2][count][count] and [count][output_size]. */
static tr_status solve(tr_gaussian_map *map, const tr_gaussian_map_def *def, double *work) {
    size_t square = (size_t)def->count * (size_t)def->count;
    double *k = work, *inverse = work + square, *residual = inverse + square;
    make_covariance(map, def->centre, def->kernel.noise, k);
    tr_status status = tr_cholesky_factor(def->count, k);
    if (status)
        return status;
    make_residual(map, def, residual);
    /* A = K^-1 (Y - bias) */
    tr_cholesky_solve(def->count, k, def->output_size, residual);
    spread_rows(def->count, def->output_size, residual, map->output_stride, map->weight);
    if (map->factor) {
        /* F = R^-T of K = R^T R */
        tr_cholesky_invert_lower(def->count, k, inverse);
        spread_rows(def->count, def->count, inverse, map->stride, map->factor);
    }
    return TR_OK;
}

/* --- making with inducing points --- */

/* Rooms of the sum over the inputs.
 *   whiten  [m][m]: R^-T;  load  [m][m]: M's upper triangle;  right  [m][output_size] */
typedef struct sparse {
    int m;
    double *whiten, *load, *right, *work;
} sparse;

/* Multiplies: out = lower k; out: [m]. */
static void apply_lower(int m, const double *lower, const double *k, double *out) {
    for (int i = 0; i < m; i++, lower += m) {
        out[i] = 0;
        for (int j = 0; j <= i; j++)
            out[i] += lower[j] * k[j];
    }
}

/* Adds input i to M and to the sum at its right. */
static void add_input(const tr_gaussian_map *map, const tr_gaussian_map_def *def, int i,
                      sparse *s) {
    const double *u = def->centre + (ptrdiff_t)i * def->input_size;
    const double *y = def->target + (ptrdiff_t)i * def->output_size;
    double v[TR_GAUSSIAN_CENTRE_MAX], square = 0;
    tr_gaussian_row row;
    tr_gaussian_map_covariances(map, u, &row);
    apply_lower(s->m, s->whiten, row.k, v);
    for (int a = 0; a < s->m; a++)
        square += v[a] * v[a];
    /* l_i = k(u_i, u_i) - |v_i|^2 + noise; rounding must not make it less than the noise. */
    double rest = tr_gaussian_kernel_at(&map->kernel, map->input_size, u) - square;
    double share = 1 / ((rest > 0 ? rest : 0) + map->kernel.noise);
    for (int a = 0; a < s->m; a++) {
        for (int b = a; b < s->m; b++)
            s->load[a * s->m + b] += share * v[a] * v[b];
        for (int o = 0; o < def->output_size; o++)
            s->right[a * def->output_size + o] += share * v[a] * (y[o] - map->bias[o]);
    }
}

/* Multiplies: out = lower^T from; out: [m][columns]. */
static void apply_upper(int m, const double *lower, int columns, const double *from, double *out) {
    memset(out, 0, (size_t)m * (size_t)columns * sizeof *out);
    for (int j = 0; j < m; j++)
        for (int i = 0; i <= j; i++)
            for (int c = 0; c < columns; c++)
                out[i * columns + c] += lower[j * m + i] * from[j * columns + c];
}

/* Makes the lower triangular G with G^T G = I - M^-1, from M's factor: of the reversed matrix,
 * whose factor is upper, read backwards. Rounding can take the least eigenvalues below 0. out:
 * [m][m]. */
static tr_status factor_gain(int m, const double *factor, double *inverse, double *out) {
    static const double ROUNDING = 1e-10;
    double *reversed = out;
    tr_cholesky_invert_lower(m, factor, inverse);
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            double sum = i == j ? 1 + ROUNDING : 0;
            for (int k = j; k < m; k++)
                sum -= inverse[k * m + i] * inverse[k * m + j];
            reversed[(m - 1 - j) * m + m - 1 - i] = sum;
        }
    tr_status status = tr_cholesky_factor(m, reversed);
    if (status)
        return status;
    for (int a = 0, b = m * m - 1; a < b; a++, b--) {
        double kept = out[a];
        out[a] = out[b];
        out[b] = kept;
    }
    return TR_OK;
}

/* Makes F = G R^-T, a product of lower triangles. */
static void make_factor(tr_gaussian_map *map, const double *gain, const double *whiten) {
    const int m = map->count;
    for (int i = 0; i < m; i++) {
        double *row = map->factor + (ptrdiff_t)i * map->stride;
        for (int k = 0; k <= i; k++)
            for (int j = 0; j <= k; j++)
                row[j] += gain[i * m + k] * whiten[k * m + j];
    }
}

static tr_status solve_inducing(tr_gaussian_map *map, const tr_gaussian_map_def *def, sparse *s) {
    const int m = s->m;
    make_covariance(map, def->inducing, tr_gaussian_kernel_jitter(&def->kernel), s->work);
    tr_status status = tr_cholesky_factor(m, s->work);
    if (status)
        return status;
    /* R^-T of K_zz, then M = I + sum v_i v_i^T / l_i. */
    tr_cholesky_invert_lower(m, s->work, s->whiten);
    for (int a = 0; a < m; a++)
        s->load[a * (m + 1)] = 1;
    for (int i = 0; i < def->count; i++)
        add_input(map, def, i, s);
    status = tr_cholesky_factor(m, s->load);
    if (status)
        return status;
    /* A = R^-1 M^-1 sum v_i (y_i - bias)^T / l_i */
    tr_cholesky_solve(m, s->load, def->output_size, s->right);
    apply_upper(m, s->whiten, def->output_size, s->right, s->work);
    spread_rows(m, def->output_size, s->work, map->output_stride, map->weight);
    if (!map->factor)
        return TR_OK;
    /* F = G R^-T with G^T G = I - M^-1. */
    double *gain = s->work + (ptrdiff_t)m * m;
    status = factor_gain(m, s->load, s->work, gain);
    if (!status)
        make_factor(map, gain, s->whiten);
    return status;
}

static tr_status solve_sparse(tr_gaussian_map *map, const tr_gaussian_map_def *def) {
    const size_t m = (size_t)def->inducing_count, square = m * m,
                 outputs = m * (size_t)def->output_size,
                 work = 2 * (square > outputs ? square : outputs);
    double *block = calloc(2 * square + outputs + work, sizeof *block);
    if (!block)
        return TR_RESOURCE_EXHAUSTED;
    sparse s = {.m = def->inducing_count,
                .whiten = block,
                .load = block + square,
                .right = block + 2 * square,
                .work = block + 2 * square + outputs};
    tr_status status = solve_inducing(map, def, &s);
    free(block);
    return status;
}

static tr_status solve_exact(tr_gaussian_map *map, const tr_gaussian_map_def *def) {
    size_t count = (size_t)def->count;
    double *work = malloc((2 * count * count + count * (size_t)def->output_size) * sizeof *work);
    tr_status status = work ? solve(map, def, work) : TR_RESOURCE_EXHAUSTED;
    free(work);
    return status;
}

tr_status tr_gaussian_map_init(tr_gaussian_map *out, const tr_gaussian_map_def *def) {
    if (!sizes_fit(def))
        return TR_INVALID_ARGUMENT;
    tr_gaussian_map map;
    tr_status status = allocate(&map, def);
    if (status)
        return status;
    place_centres(&map, def);
    status = (def->inducing_count ? solve_sparse : solve_exact)(&map, def);
    if (status)
        tr_gaussian_map_deinit(&map);
    else
        *out = map;
    return status;
}

void tr_gaussian_map_deinit(tr_gaussian_map *map) {
    free(map->centre);
    *map = (tr_gaussian_map){0};
}

/* --- evaluation --- */

void tr_gaussian_map_covariances(const tr_gaussian_map *map, const double *u,
                                 tr_gaussian_row *out_row) {
    map->loops->covariances(map, u, out_row->k);
}

void tr_gaussian_map_mean(const tr_gaussian_map *map, const tr_gaussian_row *row, double *out) {
    map->loops->mean(map, row->k, out);
}

/* Rounding can leave a variance below the noise, which it never is. */
static double variance_of(const tr_gaussian_map *map, const double *u, double square) {
    double rest = tr_gaussian_kernel_at(&map->kernel, map->input_size, u) - square;
    return (rest > 0 ? rest : 0) + map->kernel.noise;
}

double tr_gaussian_map_variance(const tr_gaussian_map *map, const double *u,
                                const tr_gaussian_row *row) {
    return variance_of(map, u, map->loops->square(map, row->k));
}

void tr_gaussian_map_variances(const tr_gaussian_map *map, int count, const double *u,
                               double *out) {
    double columns[TR_GAUSSIAN_CENTRE_MAX * TR_GAUSSIAN_BATCH], square[TR_GAUSSIAN_BATCH];
    tr_gaussian_row row;
    memset(columns, 0, (size_t)map->stride * TR_GAUSSIAN_BATCH * sizeof *columns);
    for (int c = 0; c < count; c++) {
        tr_gaussian_map_covariances(map, u + (ptrdiff_t)c * map->input_size, &row);
        for (int j = 0; j < map->stride; j++)
            columns[j * TR_GAUSSIAN_BATCH + c] = row.k[j];
    }
    map->loops->squares(map, columns, square);
    for (int c = 0; c < count; c++)
        out[c] = variance_of(map, u + (ptrdiff_t)c * map->input_size, square[c]);
}
