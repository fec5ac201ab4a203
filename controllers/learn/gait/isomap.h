/* Landmark Isomap (Tenenbaum, de Silva, Langford 2000; de Silva and Tenenbaum 2003): points of a
 * curved sheet in few dimensions.
 *
 * Each point is joined to its k nearest by edges as long as their distance, passable in both
 * directions. If this leaves several components, the shortest edge from that of point 0 to another
 * joins these, until one is left. Geodesic distances are the shortest ways over the edges.
 *
 *   B = -1/2 H D2 H             of the landmarks; D2: squared distances, H: centring
 *   B = sum l_i v_i v_i'        its largest eigenvalues (LAPACK)
 *   z = -1/2 L# (d2 - mean d2)  of any point, from its squared distances to the landmarks;
 *                               rows of L#: v_i / sqrt(l_i)
 *
 * Signs of eigenvectors are fixed by making the largest component positive, so that two runs can be
 * compared. Deterministic: of equal distances the lower index counts. */
#pragma once

#include "proto/status.h"

enum { TR_ISOMAP_DIMENSION_MAX = 16 };

/* The first `size` numbers of rows that are `stride` apart. point: [count][stride], borrowed. */
typedef struct tr_points {
    int count, size, stride;
    const double *point;
} tr_points;

const double *tr_points_at(const tr_points *points, int i);

/* Returns the squared distance of two places. */
double tr_points_square(const double *a, const double *b, int size);

/* Finds the k points nearest to a place [size], the nearest first; `skip` (or -1) is left out. k is
 * at most the number of points left. out_index: [k]. */
void tr_points_nearest(const tr_points *points, const double *place, int k, int skip,
                       int *out_index);

/* place: [count][TR_ISOMAP_DIMENSION_MAX], of which the first `dimension` count; owned.
 * landmark: [landmark_count], indices; distance: [landmark_count][count], geodesic; owned.
 * components: of the neighbours, before they were joined */
typedef struct tr_isomap {
    int count, dimension, landmark_count, components;
    int *landmark;
    double *distance;
    double (*place)[TR_ISOMAP_DIMENSION_MAX];
    double eigenvalue[TR_ISOMAP_DIMENSION_MAX];
} tr_isomap;

/* landmark: [landmark_count] indices, ascending. dimension: 1 to TR_ISOMAP_DIMENSION_MAX and below
 * landmark_count. TR_INVALID_ARGUMENT, also for k below 1 or not below the number of points;
 * TR_RESOURCE_EXHAUSTED; TR_ABORTED: no eigenvalues; TR_FAILED_PRECONDITION: fewer positive
 * eigenvalues than dimensions. */
typedef struct tr_isomap_def {
    int k, dimension, landmark_count;
    const int *landmark;
} tr_isomap_def;
tr_status tr_isomap_create(const tr_points *points, const tr_isomap_def *def,
                           tr_isomap *out) TR_NODISCARD;
void tr_isomap_destroy(tr_isomap *isomap); /* of zeros is fine */

/* 1 - R^2 between geodesic distances and those of the places in the first `dimension` dimensions,
 * over all pairs of a landmark and a point. */
double tr_isomap_residual_variance(const tr_isomap *isomap, int dimension);
