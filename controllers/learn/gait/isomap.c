#include "learn/gait/isomap.h"

#include "math/linalg.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const double EIGENVALUE_LEAST = 1e-9; /* of the largest */

static tr_status allocate(const tr_points *points, const tr_isomap_def *def, tr_isomap *out) {
    size_t landmarks = (size_t)def->landmark_count, count = (size_t)points->count;
    out->count = points->count;
    out->dimension = def->dimension;
    out->landmark_count = def->landmark_count;
    out->landmark = calloc(landmarks, sizeof *out->landmark);
    out->distance = calloc(landmarks * count, sizeof *out->distance);
    out->place = calloc(count, sizeof *out->place);
    if (!out->landmark || !out->distance || !out->place)
        return TR_RESOURCE_EXHAUSTED;
    memcpy(out->landmark, def->landmark, landmarks * sizeof *def->landmark);
    return TR_OK;
}

static tr_status measure(const tr_points *points, int k, tr_isomap *map) {
    tr_neighbours graph = {0};
    tr_status status = tr_neighbours_create(points, k, &graph);
    map->components = graph.components;
    for (int l = 0; l < map->landmark_count && !status; l++)
        status = tr_neighbours_distances(&graph, map->landmark[l],
                                         map->distance + (ptrdiff_t)l * map->count);
    tr_neighbours_destroy(&graph);
    return status;
}

static double squared(const tr_isomap *map, int landmark, int point) {
    double d = map->distance[(ptrdiff_t)landmark * map->count + point];
    return d * d;
}

/* Fills b [landmarks][landmarks] with B; mean_squared: [landmarks], of the squared distances. */
static void centre(const tr_isomap *map, double *b, double *mean_squared) {
    int n = map->landmark_count;
    double mean = 0;
    for (int i = 0; i < n; i++) {
        mean_squared[i] = 0;
        for (int j = 0; j < n; j++)
            mean_squared[i] += squared(map, i, map->landmark[j]) / n;
        mean += mean_squared[i] / n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i * n + j] = -0.5 * (squared(map, i, map->landmark[j]) - mean_squared[i] -
                                   mean_squared[j] + mean);
}

static void fix_sign(double *vector, int size) {
    int largest = 0;
    for (int i = 1; i < size; i++)
        if (fabs(vector[i]) > fabs(vector[largest]))
            largest = i;
    double sign = vector[largest] < 0 ? -1 : 1;
    for (int i = 0; i < size; i++)
        vector[i] *= sign;
}

/* Places all points by distance-based triangulation. vectors: rows [landmarks], ascending by
 * eigenvalue. */
static void triangulate(tr_isomap *map, double *vectors, const double *mean_squared) {
    int n = map->landmark_count;
    for (int d = 0; d < map->dimension; d++) {
        /* The largest eigenvalue comes last. */
        double *vector = vectors + (ptrdiff_t)(n - 1 - d) * n;
        fix_sign(vector, n);
        double root = sqrt(map->eigenvalue[d]);
        for (int i = 0; i < map->count; i++) {
            double sum = 0;
            for (int l = 0; l < n; l++)
                sum += vector[l] * (squared(map, l, i) - mean_squared[l]);
            map->place[i][d] = -0.5 * sum / root;
        }
    }
}

static tr_status embed(tr_isomap *map) {
    size_t n = (size_t)map->landmark_count;
    double *b = calloc(n * n, sizeof *b), *values = calloc(n, sizeof *values);
    double *mean_squared = calloc(n, sizeof *mean_squared);
    tr_status status = b && values && mean_squared ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        centre(map, b, mean_squared);
        status = tr_linalg_eigen_symmetric((int)n, b, values);
    }
    for (int d = 0; d < map->dimension && !status; d++) {
        map->eigenvalue[d] = values[n - 1 - (size_t)d];
        /* An eigenvalue of zero or less spans no dimension. */
        if (!(map->eigenvalue[d] > EIGENVALUE_LEAST * values[n - 1]))
            status = TR_FAILED_PRECONDITION;
    }
    if (!status)
        triangulate(map, b, mean_squared);
    free(b);
    free(values);
    free(mean_squared);
    return status;
}

tr_status tr_isomap_create(const tr_points *points, const tr_isomap_def *def, tr_isomap *out) {
    if (def->dimension < 1 || def->dimension > TR_ISOMAP_DIMENSION_MAX ||
        def->landmark_count <= def->dimension || def->landmark_count > points->count)
        return TR_INVALID_ARGUMENT;
    tr_isomap map = {0};
    tr_status status = allocate(points, def, &map);
    if (!status)
        status = measure(points, def->k, &map);
    if (!status)
        status = embed(&map);
    if (status) {
        tr_isomap_destroy(&map);
        return status;
    }
    *out = map;
    return TR_OK;
}

void tr_isomap_destroy(tr_isomap *isomap) {
    free(isomap->landmark);
    free(isomap->distance);
    free(isomap->place);
    *isomap = (tr_isomap){0};
}

double tr_isomap_residual_variance(const tr_isomap *map, int dimension) {
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (int l = 0; l < map->landmark_count; l++)
        for (int i = 0; i < map->count; i++) {
            const double *a = map->place[map->landmark[l]], *b = map->place[i];
            double geodesic = map->distance[(ptrdiff_t)l * map->count + i], sum = 0;
            for (int d = 0; d < dimension; d++)
                sum += (a[d] - b[d]) * (a[d] - b[d]);
            double flat = sqrt(sum);
            n++;
            x += geodesic;
            y += flat;
            xx += geodesic * geodesic;
            yy += flat * flat;
            xy += geodesic * flat;
        }
    /* 1 - R^2 of the geodesic and the flat distances. */
    double covariance = n * xy - x * y;
    return 1 - covariance * covariance / ((n * xx - x * x) * (n * yy - y * y));
}
