/* The loops of latent_kernel.h. CMake compiles this file once per instruction set with
 * TR_LATENT_KERNEL and TR_LATENT_KERNEL_NAME defined. */
#include "control/latent/latent_kernel.h"
#include "control/latent/vector_math.h"

#include <stddef.h>

/* Returns four covariances, of the centres from `first` on. */
TR_LANES_INLINE tr_lanes covariance(const tr_gaussian_map *map, const double *u, int first) {
    const tr_gaussian_kernel *k = &map->kernel;
    tr_lanes head = tr_lanes_all(0), tail = tr_lanes_all(0), dot = tr_lanes_all(0);
    const double *centre = map->centre + first;
    for (int i = 0; i < k->head_size; i++, centre += map->stride) {
        tr_lanes d = tr_lanes_load(centre) - u[i];
        head += d * d;
    }
    for (int i = k->head_size; i < map->input_size; i++, centre += map->stride) {
        tr_lanes c = tr_lanes_load(centre), d = c - u[i];
        tail += d * d;
        dot += c * u[i];
    }
    tr_lanes row =
        k->amplitude * tr_lanes_exp(-0.5 * k->head_scale * head - 0.5 * k->tail_scale * tail);
    return k->vanishes ? dot * row : row;
}

static void covariances(const tr_gaussian_map *map, const double *u, double *out_row) {
    for (int i = 0; i < map->stride; i += TR_LANES)
        tr_lanes_store(covariance(map, u, i), out_row + i);
    for (int i = map->count; i < map->stride; i++)
        out_row[i] = 0;
}

/* Outputs that are summed side by side, in lanes: they lie in the same lines of the cache. */
enum { SIDE_BY_SIDE = 4 };

/* Computes the outputs from `first` on, `groups` times four. */
TR_LANES_INLINE void mean_of(const tr_gaussian_map *map, const double *row, int first, int groups,
                             double *out) {
    tr_lanes sum[SIDE_BY_SIDE];
    const double *weight = map->weight + first;
    for (int g = 0; g < groups; g++)
        sum[g] = tr_lanes_load(map->bias + first + (ptrdiff_t)g * TR_LANES);
    for (int i = 0; i < map->count; i++, weight += map->output_stride)
        for (int g = 0; g < groups; g++)
            sum[g] += tr_lanes_load(weight + (ptrdiff_t)g * TR_LANES) * row[i];
    for (int g = 0; g < groups; g++)
        tr_lanes_store(sum[g], out + first + (ptrdiff_t)g * TR_LANES);
}

static void mean(const tr_gaussian_map *map, const double *row, double *out) {
    int o = 0;
    for (; o + SIDE_BY_SIDE * TR_LANES <= map->output_stride; o += SIDE_BY_SIDE * TR_LANES)
        mean_of(map, row, o, SIDE_BY_SIDE, out);
    for (; o < map->output_stride; o += TR_LANES)
        mean_of(map, row, o, 1, out);
}

/* Multiplies four rows of F with one vector: rows first to first + 3, whose columns end at
 * first + 3. */
TR_LANES_INLINE double square_of_four(const double *factor, int stride, int first,
                                      const double *row) {
    tr_lanes sum[TR_LANES] = {{0}};
    for (int j = 0; j <= first; j += TR_LANES) {
        tr_lanes k = tr_lanes_load(row + j);
        for (int i = 0; i < TR_LANES; i++)
            sum[i] += tr_lanes_load(factor + (ptrdiff_t)(first + i) * stride + j) * k;
    }
    double square = 0;
    for (int i = 0; i < TR_LANES; i++) {
        double z = tr_lanes_sum(sum[i]);
        square += z * z;
    }
    return square;
}

static double square(const tr_gaussian_map *map, const double *row) {
    double sum = 0;
    for (int i = 0; i < map->stride; i += TR_LANES)
        sum += square_of_four(map->factor, map->stride, i, row);
    return sum;
}

enum { GROUPS = TR_GAUSSIAN_BATCH / TR_LANES };

/* Multiplies two rows of F at a time, so that a column is loaded once for both, with a lane for
 * each column. */
static void squares(const tr_gaussian_map *map, const double *columns, double *out) {
    tr_lanes total[GROUPS] = {{0}};
    for (int i = 0; i < map->stride; i += 2) {
        const double *factor = map->factor + (ptrdiff_t)i * map->stride,
                     *next = factor + map->stride, *column = columns;
        tr_lanes z[GROUPS] = {{0}}, w[GROUPS] = {{0}};
        for (int j = 0; j <= i; j++, column += TR_GAUSSIAN_BATCH)
            for (int g = 0; g < GROUPS; g++) {
                const tr_lanes c = tr_lanes_load(column + (ptrdiff_t)g * TR_LANES);
                z[g] += c * factor[j];
                w[g] += c * next[j];
            }
        for (int g = 0; g < GROUPS; g++) {
            /* The second row is longer by one column. */
            w[g] += tr_lanes_load(column + (ptrdiff_t)g * TR_LANES) * next[i + 1];
            total[g] += z[g] * z[g];
            total[g] += w[g] * w[g];
        }
    }
    for (int g = 0; g < GROUPS; g++)
        tr_lanes_store(total[g], out + (ptrdiff_t)g * TR_LANES);
}

static void distances(int size, int stride, const double *points, const double *at, double *out) {
    for (int i = 0; i < stride; i += TR_LANES) {
        tr_lanes sum = tr_lanes_all(0);
        for (int d = 0; d < size; d++) {
            tr_lanes e = tr_lanes_load(points + (ptrdiff_t)d * stride + i) - at[d];
            sum += e * e;
        }
        tr_lanes_store(sum, out + i);
    }
}

const tr_latent_kernel TR_LATENT_KERNEL = {
    TR_LATENT_KERNEL_NAME, covariances, mean, square, squares, distances};
