#include "learn/gait/isomap.h"

#include "math/elementary.h"
#include "math/linalg.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const double EIGENVALUE_LEAST = 1e-9; /* of the largest */

/* --- points --- */

double tr_points_square(const double *a, const double *b, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

const double *tr_points_at(const tr_points *points, int i) {
    return points->point + (ptrdiff_t)i * points->stride;
}

/* Inserts each point into a list of k that is kept in order: k is small. */
void tr_points_nearest(const tr_points *points, const double *place, int k, int skip,
                       int *out_index) {
    int found = 0;
    for (int i = 0; i < points->count; i++) {
        const double far = tr_points_square(tr_points_at(points, i), place, points->size);
        int at = found < k ? found : k;
        while (at > 0 &&
               far < tr_points_square(tr_points_at(points, out_index[at - 1]), place, points->size))
            at--;
        if (i == skip || at == k)
            continue;
        found += found < k;
        memmove(out_index + at + 1, out_index + at, (size_t)(found - at - 1) * sizeof *out_index);
        out_index[at] = i;
    }
}

/* --- the graph of neighbours --- */

/* Passable in both directions. */
typedef struct edge {
    int a, b;
    double length;
} edge;

/* Shortens the way to `to` by an edge from `from`. */
static bool relax(double *length, int from, int to, double way) {
    if (!(length[from] + way < length[to]))
        return false;
    length[to] = length[from] + way;
    return true;
}

/* Measures the shortest ways from one point to all (Bellman and Ford): out [count]. */
static void measure_ways(const edge *e, int edges, int from, int count, double *out) {
    for (int i = 0; i < count; i++)
        out[i] = (double)INFINITY;
    out[from] = 0;
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (int i = 0; i < edges; i++) {
            shorter |= relax(out, e[i].a, e[i].b, e[i].length);
            shorter |= relax(out, e[i].b, e[i].a, e[i].length);
        }
    }
}

static edge edge_between(const tr_points *points, int a, int b) {
    const double *from = tr_points_at(points, a), *to = tr_points_at(points, b);
    return (edge){a, b, sqrt(tr_points_square(from, to, points->size))};
}

/* Returns the shortest edge from a point that is reached to one that is not. */
static edge find_bridge(const tr_points *points, const double *way) {
    edge best = {.length = (double)INFINITY};
    for (int i = 0; i < points->count; i++)
        for (int j = 0; isfinite(way[i]) && j < points->count; j++) {
            const edge next = edge_between(points, i, j);
            if (!isfinite(way[j]) && next.length < best.length)
                best = next;
        }
    return best;
}

/* Joins each point to its k nearest, and the components. out: room for [count][k + 1]. Returns the
 * number of edges. */
static int join(const tr_points *points, int k, int *nearest, double *way, edge *out,
                int *out_components) {
    int edges = 0;
    for (int i = 0; i < points->count; i++) {
        tr_points_nearest(points, tr_points_at(points, i), k, i, nearest);
        for (int j = 0; j < k; j++)
            out[edges++] = edge_between(points, i, nearest[j]);
    }
    for (*out_components = 1;; ++*out_components) {
        measure_ways(out, edges, 0, points->count, way);
        if (tr_all_finite(way, points->count))
            return edges;
        out[edges++] = find_bridge(points, way);
    }
}

static tr_status measure(const tr_points *points, int k, tr_isomap *map) {
    const size_t count = (size_t)points->count;
    if (k < 1 || k >= points->count)
        return TR_INVALID_ARGUMENT;
    edge *edges = calloc(count * ((size_t)k + 1), sizeof *edges);
    int *nearest = calloc((size_t)k, sizeof *nearest);
    tr_status status = edges && nearest ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        const int found = join(points, k, nearest, map->distance, edges, &map->components);
        for (int l = 0; l < map->landmark_count; l++)
            measure_ways(edges, found, map->landmark[l], map->count,
                         map->distance + (ptrdiff_t)l * map->count);
    }
    free(edges);
    free(nearest);
    return status;
}

/* --- the embedding --- */

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
            double geodesic = map->distance[(ptrdiff_t)l * map->count + i];
            double flat = sqrt(tr_points_square(a, b, dimension));
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
