/* From a place of few dimensions back to the space that was embedded. The paper does not say how
 * (Shum et al., section 3.5); three ways are compared.
 *
 * Deterministic: the solvers are those of math/linalg.h. */
#ifndef TROUPE_LEARN_BACK_PROJECTION_H
#define TROUPE_LEARN_BACK_PROJECTION_H

#include "learn/gait/neighbours.h"

/* Points with their places: the i-th of each belong together. */
typedef struct tr_charted {
    tr_points place, point;
} tr_charted;

/* Locally linear: the weights that make the place out of its k nearest ones (Roweis and Saul 2000;
 * sum 1, regularised by 1 % of the trace), applied to their points. skip: left out, or -1.
 * out: [point.size]. */
tr_status tr_back_project_local(const tr_charted *charted, const double *place, int k, int skip,
                                double *out) TR_NODISCARD;

/* Points i with i mod folds == fold are left out; folds 0: none. */
typedef struct tr_fold {
    int fold, folds;
} tr_fold;

/* Kernel ridge regression: point = mean + sum_i w_i exp(-|place - centre_i|^2 / (2 width^2)). */
typedef struct tr_kernel_map {
    int centre_count, place_size, point_size;
    double width;
    double *centre; /* [centre_count][place_size], owned */
    double *weight; /* [point_size][centre_count], owned */
    double *offset; /* [point_size], owned */
} tr_kernel_map;

/* centre: [centre_count] indices of points. The width is four times the median distance of a centre to its nearest one; lambda is the ridge. */
tr_status tr_kernel_map_fit(const tr_charted *charted, const int *centre, int centre_count,
                            double lambda, tr_fold left_out, tr_kernel_map *out) TR_NODISCARD;
void tr_kernel_map_deinit(tr_kernel_map *map); /* of zeros is fine */
void tr_kernel_map_apply(const tr_kernel_map *map, const double *place, double *out);

/* Principal components: point = mean + sum_d y_d component_d. */
typedef struct tr_principal {
    int size;
    double *mean;      /* [size], owned */
    double *component; /* [size][size], rows by falling variance; owned */
    double *variance;  /* [size], owned */
} tr_principal;
tr_status tr_principal_create(const tr_points *points, tr_principal *out) TR_NODISCARD;
void tr_principal_deinit(tr_principal *principal); /* of zeros is fine */

/* Finds the nearest point of the plane of the first `dimension` components. */
void tr_principal_project(const tr_principal *principal, int dimension, const double *point,
                          double *out);

#endif
