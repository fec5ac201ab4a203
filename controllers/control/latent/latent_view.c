#include "control/latent/latent_view.h"

#include "math/elementary.h"

#include <math.h>
#include <string.h>

enum { SIZE = TR_LATENT_DIMENSION_MAX, SWEEPS = 16, PLANE = 2, SHIFTS = 4 };

/* Width of the Gaussian kernel that weighs the points, in the clips' steps. */
static const double BELL_STEPS = 2;

static void find_mean(const tr_latent_space_def *def, double *out) {
    for (int i = 0; i < def->frame_count; i++)
        for (int d = 0; d < def->dimension; d++)
            out[d] += def->point[i * def->dimension + d] / def->frame_count;
}

static void find_covariance(const tr_latent_space_def *def, const double *mean,
                            double out[SIZE][SIZE]) {
    const int q = def->dimension;
    for (int i = 0; i < def->frame_count; i++)
        for (int a = 0; a < q; a++)
            for (int b = 0; b < q; b++)
                out[a][b] += (def->point[i * q + a] - mean[a]) * (def->point[i * q + b] - mean[b]);
}

/* Turns coordinates k and l so that m[k][l] becomes 0 (Jacobi's rotation); the rows of `axis` turn
 * along. */
static void rotate(int q, int k, int l, double m[SIZE][SIZE], double axis[SIZE][SIZE]) {
    if (m[k][l] == 0)
        return;
    double half = (m[l][l] - m[k][k]) / (2 * m[k][l]);
    double t = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(half * half + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int i = 0; i < q; i++) {
        double a = m[i][k], b = m[i][l];
        m[i][k] = c * a - s * b;
        m[i][l] = s * a + c * b;
    }
    for (int i = 0; i < q; i++) {
        double a = m[k][i], b = m[l][i], u = axis[k][i], v = axis[l][i];
        m[k][i] = c * a - s * b;
        m[l][i] = s * a + c * b;
        axis[k][i] = c * u - s * v;
        axis[l][i] = s * u + c * v;
    }
}

/* Moves the row of the largest variance to place `first`, and turns it to the side of its largest
 * component. */
static void sort_row(int q, int first, double m[SIZE][SIZE], double axis[SIZE][SIZE]) {
    int widest = first, largest = 0;
    for (int i = first + 1; i < q; i++)
        if (m[i][i] > m[widest][widest])
            widest = i;
    double variance = m[first][first], row[SIZE];
    m[first][first] = m[widest][widest];
    m[widest][widest] = variance;
    memcpy(row, axis[widest], sizeof row);
    memcpy(axis[widest], axis[first], sizeof row);
    for (int d = 1; d < q; d++)
        if (fabs(row[d]) > fabs(row[largest]))
            largest = d;
    for (int d = 0; d < q; d++)
        axis[first][d] = row[largest] < 0 ? -row[d] : row[d];
}

tr_latent_view tr_latent_view_of(const tr_latent_space *space) {
    const tr_latent_space_def *def = &space->learned;
    const int q = def->dimension;
    tr_latent_view view = {.dimension = q};
    double covariance[SIZE][SIZE] = {{0}};
    find_mean(def, view.mean);
    find_covariance(def, view.mean, covariance);
    for (int d = 0; d < q; d++)
        view.axis[d][d] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int k = 0; k < q; k++)
            for (int l = k + 1; l < q; l++)
                rotate(q, k, l, covariance, view.axis);
    for (int d = 0; d < q; d++)
        sort_row(q, d, covariance, view.axis);
    return view;
}

void tr_latent_view_flatten(const tr_latent_view *view, const double *x, int count, double *out) {
    for (int a = 0; a < count; a++) {
        out[a] = 0;
        for (int d = 0; d < view->dimension; d++)
            out[a] += view->axis[a][d] * (x[d] - view->mean[d]);
    }
}

/* Makes one mean shift of the coordinates behind the plane. at: [dimension], along the axes. */
static void shift(const tr_latent_view *view, const tr_latent_space *space, double *at) {
    const tr_latent_space_def *def = &space->learned;
    const int q = def->dimension;
    const double bell = BELL_STEPS * space->step_length;
    double sum[SIZE] = {0}, total = 0, least = (double)INFINITY, flat[SIZE] = {0};
    for (int i = 0; i < def->frame_count; i++) {
        tr_latent_view_flatten(view, def->point + i * q, q, flat);
        least = fmin(least, tr_latent_square_distance(q, flat, at));
    }
    for (int i = 0; i < def->frame_count; i++) {
        tr_latent_view_flatten(view, def->point + i * q, q, flat);
        /* Relative to the nearest point: far from all of them every weight would be 0. */
        double weight =
            tr_exp((least - tr_latent_square_distance(q, flat, at)) / (2 * bell * bell));
        total += weight;
        for (int a = PLANE; a < q; a++)
            sum[a] += weight * flat[a];
    }
    for (int a = PLANE; a < q; a++)
        at[a] = sum[a] / total;
}

void tr_latent_view_lift(const tr_latent_view *view, const tr_latent_space *space,
                         const double place[static 2], double *x) {
    const int q = view->dimension;
    double at[SIZE] = {0};
    tr_latent_view_flatten(view, x, q, at);
    for (int a = 0; a < PLANE && a < q; a++)
        at[a] = place[a];
    for (int i = 0; i < SHIFTS; i++)
        shift(view, space, at);
    for (int d = 0; d < q; d++) {
        x[d] = view->mean[d];
        for (int a = 0; a < q; a++)
            x[d] += view->axis[a][d] * at[a];
    }
}
