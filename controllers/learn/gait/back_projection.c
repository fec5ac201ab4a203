#include "learn/gait/back_projection.h"

#include "math/linalg.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { NEAREST_MAX = 64 };
static const double REGULARISATION = 0.01, TINY = 1e-12;

/* --- locally linear --- */

/* Fills the Gram matrix of the neighbours seen from the place, regularised. */
static void fill_gram(const tr_points *places, const double *place, const int *nearest, int k,
                      double *gram) {
    double trace = 0;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            double sum = 0;
            for (int d = 0; d < places->size; d++)
                sum += (place[d] - tr_points_at(places, nearest[a])[d]) *
                       (place[d] - tr_points_at(places, nearest[b])[d]);
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
            out[j] += weight[i] / sum * tr_points_at(&charted->point, nearest[i])[j];
    return TR_OK;
}

/* --- principal components --- */

/* Fills the covariance of the points; their mean goes to principal->mean. */
static void fill_covariance(const tr_points *points, tr_principal *principal, double *covariance) {
    int n = points->size;
    for (int i = 0; i < points->count; i++)
        for (int j = 0; j < n; j++)
            principal->mean[j] += tr_points_at(points, i)[j] / points->count;
    for (int i = 0; i < points->count; i++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                covariance[a * n + b] += (tr_points_at(points, i)[a] - principal->mean[a]) *
                                         (tr_points_at(points, i)[b] - principal->mean[b]) /
                                         points->count;
}

tr_status tr_principal_create(const tr_points *points, tr_principal *out) {
    const size_t n = (size_t)points->size;
    double *block = calloc(n + n * n, sizeof *block), *values = calloc(n, sizeof *values);
    tr_principal made = {points->size, block, block + n};
    tr_status status = block && values ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        fill_covariance(points, &made, made.component);
        status = tr_linalg_eigen_symmetric(points->size, made.component, values);
    }
    free(values);
    if (status) {
        free(block);
        return status;
    }
    /* Eigenvalues ascend, components descend by variance. */
    for (double *a = made.component, *b = a + (n - 1) * n; a < b; a += n, b -= n)
        for (size_t i = 0; i < n; i++) {
            const double kept = a[i];
            a[i] = b[i];
            b[i] = kept;
        }
    *out = made;
    return TR_OK;
}

void tr_principal_deinit(tr_principal *principal) {
    free(principal->mean);
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
