#include "learn/gait/back_projection.h"

#include "math/elementary.h"
#include "math/linalg.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { NEAREST_MAX = 64 };
static const double REGULARISATION = 0.01, TINY = 1e-12, WIDTH_SHARE = 4;

static const double *at(const tr_points *points, int i) {
    return points->point + (ptrdiff_t)i * points->size;
}

/* --- locally linear --- */

/* Fills the Gram matrix of the neighbours seen from the place, regularised. */
static void fill_gram(const tr_points *places, const double *place, const int *nearest, int k,
                      double *gram) {
    double trace = 0;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            double sum = 0;
            for (int d = 0; d < places->size; d++)
                sum +=
                    (place[d] - at(places, nearest[a])[d]) * (place[d] - at(places, nearest[b])[d]);
            gram[a * k + b] = sum;
            trace += a == b ? sum : 0;
        }
    for (int a = 0; a < k; a++)
        gram[a * k + a] += REGULARISATION * trace / k + TINY;
}

tr_status tr_back_project_local(const tr_charted *charted, const double *place, int k, int skip,
                                double *out) {
    int nearest[NEAREST_MAX];
    double gram[NEAREST_MAX * NEAREST_MAX], weight[NEAREST_MAX], sum = 0;
    if (k < 1 || k > NEAREST_MAX || k >= charted->place.count)
        return TR_INVALID_ARGUMENT;
    tr_points_nearest(&charted->place, place, k, skip, nearest);
    fill_gram(&charted->place, place, nearest, k, gram);
    /* The weights solve gram w = 1; then they are scaled to the sum 1. */
    for (int i = 0; i < k; i++)
        weight[i] = 1;
    tr_status status = tr_linalg_solve_spd(k, gram, 1, weight);
    if (status)
        return status;
    for (int i = 0; i < k; i++)
        sum += weight[i];
    memset(out, 0, (size_t)charted->point.size * sizeof *out);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < charted->point.size; j++)
            out[j] += weight[i] / sum * at(&charted->point, nearest[i])[j];
    return TR_OK;
}

/* --- kernel ridge --- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static tr_status set_width(tr_kernel_map *map) {
    const tr_points centres = {map->centre_count, map->place_size, map->centre};
    double *length = calloc((size_t)map->centre_count, sizeof *length);
    if (!length)
        return TR_RESOURCE_EXHAUSTED;
    /* The width is a multiple of the median distance of a centre to its nearest neighbour. */
    for (int i = 0; i < map->centre_count; i++) {
        int nearest;
        tr_points_nearest(&centres, at(&centres, i), 1, i, &nearest);
        length[i] = tr_points_distance(&centres, i, nearest);
    }
    qsort(length, (size_t)map->centre_count, sizeof *length, by_size);
    map->width = fmax(TINY, WIDTH_SHARE * length[map->centre_count / 2]);
    free(length);
    return TR_OK;
}

static double kernel(const tr_kernel_map *map, int i, const double *place) {
    double squared = 0;
    for (int d = 0; d < map->place_size; d++) {
        double off = place[d] - map->centre[(ptrdiff_t)i * map->place_size + d];
        squared += off * off;
    }
    return tr_exp(-squared / (2 * map->width * map->width));
}

static bool is_left_out(tr_fold left_out, int i) {
    return left_out.folds > 0 && i % left_out.folds == left_out.fold;
}

static tr_status regress(const tr_charted *charted, double lambda, tr_fold left_out,
                         tr_kernel_map *map) {
    int learned = 0, row = 0;
    for (int i = 0; i < charted->place.count; i++)
        learned += !is_left_out(left_out, i);
    if (!learned)
        return TR_INVALID_ARGUMENT;
    size_t kernels = (size_t)map->centre_count, size = (size_t)map->point_size;
    double *feature = calloc((size_t)learned * kernels, sizeof *feature);
    double *point = calloc((size_t)learned * size, sizeof *point);
    double *residual = calloc(size, sizeof *residual);
    tr_status status = feature && point && residual ? TR_OK : TR_RESOURCE_EXHAUSTED;
    /* One row for each sample that is learned from: its kernels, and its point. */
    for (int i = 0; i < charted->place.count && !status; i++) {
        if (is_left_out(left_out, i))
            continue;
        for (int c = 0; c < map->centre_count; c++)
            feature[(ptrdiff_t)row * map->centre_count + c] =
                kernel(map, c, at(&charted->place, i));
        memcpy(point + (ptrdiff_t)row * map->point_size, at(&charted->point, i),
               size * sizeof *point);
        row++;
    }
    const tr_regression regression = {learned, map->centre_count, map->point_size, feature, point,
                                      lambda};
    if (!status)
        status = tr_linalg_regress(&regression, map->weight, map->offset, residual);
    free(feature);
    free(point);
    free(residual);
    return status;
}

tr_status tr_kernel_map_fit(const tr_charted *charted, const int *centre, int centre_count,
                            double lambda, tr_fold left_out, tr_kernel_map *out) {
    size_t count = (size_t)centre_count, place = (size_t)charted->place.size;
    size_t point = (size_t)charted->point.size;
    if (centre_count < 2)
        return TR_INVALID_ARGUMENT;
    tr_kernel_map map = {.centre_count = centre_count,
                         .place_size = charted->place.size,
                         .point_size = charted->point.size,
                         .centre = calloc(count * place, sizeof(double)),
                         .weight = calloc(point * count, sizeof(double)),
                         .offset = calloc(point, sizeof(double))};
    tr_status status = map.centre && map.weight && map.offset ? TR_OK : TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < centre_count && !status; i++)
        memcpy(map.centre + (size_t)i * place, at(&charted->place, centre[i]),
               place * sizeof(double));
    if (!status)
        status = set_width(&map);
    if (!status)
        status = regress(charted, lambda, left_out, &map);
    if (status) {
        tr_kernel_map_deinit(&map);
        return status;
    }
    *out = map;
    return TR_OK;
}

void tr_kernel_map_deinit(tr_kernel_map *map) {
    free(map->centre);
    free(map->weight);
    free(map->offset);
    *map = (tr_kernel_map){0};
}

void tr_kernel_map_apply(const tr_kernel_map *map, const double *place, double *out) {
    memcpy(out, map->offset, (size_t)map->point_size * sizeof *out);
    for (int i = 0; i < map->centre_count; i++) {
        double value = kernel(map, i, place);
        for (int j = 0; j < map->point_size; j++)
            out[j] += map->weight[(ptrdiff_t)j * map->centre_count + i] * value;
    }
}

/* --- principal components --- */

/* Fills the covariance of the points; their mean goes to principal->mean. */
static void fill_covariance(const tr_points *points, tr_principal *principal, double *covariance) {
    int n = points->size;
    for (int i = 0; i < points->count; i++)
        for (int j = 0; j < n; j++)
            principal->mean[j] += at(points, i)[j] / points->count;
    for (int i = 0; i < points->count; i++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                covariance[a * n + b] += (at(points, i)[a] - principal->mean[a]) *
                                         (at(points, i)[b] - principal->mean[b]) / points->count;
}

tr_status tr_principal_create(const tr_points *points, tr_principal *out) {
    size_t n = (size_t)points->size;
    double *matrix = calloc(n * n, sizeof *matrix), *values = calloc(n, sizeof *values);
    tr_principal made = {.size = points->size,
                         .mean = calloc(n, sizeof(double)),
                         .component = calloc(n * n, sizeof(double)),
                         .variance = calloc(n, sizeof(double))};
    bool room = matrix && values && made.mean && made.component && made.variance;
    tr_status status = room ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        fill_covariance(points, &made, matrix);
        status = tr_linalg_eigen_symmetric(points->size, matrix, values);
    }
    /* Eigenvalues ascend, components descend by variance. */
    for (size_t d = 0; d < n && !status; d++) {
        made.variance[d] = values[n - 1 - d];
        memcpy(made.component + d * n, matrix + (n - 1 - d) * n, n * sizeof(double));
    }
    free(matrix);
    free(values);
    if (status) {
        tr_principal_deinit(&made);
        return status;
    }
    *out = made;
    return TR_OK;
}

void tr_principal_deinit(tr_principal *principal) {
    free(principal->mean);
    free(principal->component);
    free(principal->variance);
    *principal = (tr_principal){0};
}

void tr_principal_project(const tr_principal *principal, int dimension, const double *point,
                          double *out) {
    int n = principal->size;
    memcpy(out, principal->mean, (size_t)n * sizeof *out);
    for (int d = 0; d < dimension; d++) {
        const double *component = principal->component + (ptrdiff_t)d * n;
        double along = 0;
        for (int i = 0; i < n; i++)
            along += component[i] * (point[i] - principal->mean[i]);
        for (int i = 0; i < n; i++)
            out[i] += along * component[i];
    }
}
