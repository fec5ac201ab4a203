#include "control/latent/gaussian_map.h"

#include "control/latent/latent_kernel.h"
#include "math/cholesky.h"
#include "math/instructions.h"

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

/* --- making --- */

static bool sizes_fit(const tr_gaussian_map_def *def) {
    return def->count >= 1 && def->count <= TR_GAUSSIAN_CENTRE_MAX && def->input_size >= 1 &&
           def->input_size <= TR_GAUSSIAN_INPUT_MAX && def->output_size >= 1 &&
           def->output_size <= TR_GAUSSIAN_OUTPUT_MAX && def->kernel.head_size >= 0 &&
           def->kernel.head_size <= def->input_size;
}

/* Takes one block for all arrays, and chooses the kernel that evaluates, once. */
static tr_status allocate(tr_gaussian_map *map, const tr_gaussian_map_def *def) {
    *map = (tr_gaussian_map){.kernel = def->kernel,
                             .input_size = def->input_size,
                             .output_size = def->output_size,
                             .count = def->count,
                             .stride = padded(def->count),
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
    for (int i = 0; i < map->count; i++)
        for (int d = 0; d < def->input_size; d++)
            map->centre[(ptrdiff_t)d * map->stride + i] =
                def->centre[(ptrdiff_t)i * def->input_size + d];
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

static tr_status take_room_and_solve(tr_gaussian_map *map, const tr_gaussian_map_def *def) {
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
    status = take_room_and_solve(&map, def);
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

const tr_latent_kernel *tr_latent_kernel_choose(void) {
#if defined(__x86_64__)
    if (strcmp(tr_instructions_choose(), "avx2") == 0)
        return &tr_latent_kernel_avx2;
#endif
    return &tr_latent_kernel_sse2;
}
