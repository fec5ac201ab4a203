/* From a place of few dimensions back to the space that was embedded. The paper does not say how
 * (Shum et al., section 3.5); two ways are compared.
 *
 * Deterministic: the solvers are those of math/linalg.h. */
#pragma once

#include "learn/gait/isomap.h"

/* Points with their places: the i-th of each belong together. */
typedef struct tr_charted {
    tr_points place, point;
} tr_charted;

/* Locally linear: the weights that make the place out of its k nearest ones (Roweis and Saul 2000;
 * sum 1, regularised by 1 % of the trace), applied to their points. skip: left out, or -1.
 * out: [point.size]. */
tr_status tr_back_project_local(const tr_charted *charted, const double *place, int k, int skip,
                                double *out) TR_NODISCARD;

/* Principal components: point = mean + sum_d y_d component_d. */
typedef struct tr_principal {
    int size;
    double *mean;      /* [size], owned, and behind it: */
    double *component; /* [size][size], rows by falling variance */
} tr_principal;
tr_status tr_principal_create(const tr_points *points, tr_principal *out) TR_NODISCARD;
void tr_principal_deinit(tr_principal *principal); /* of zeros is fine */

/* Finds the nearest point of the plane of the first `dimension` components. */
void tr_principal_project(const tr_principal *principal, int dimension, const double *point,
                          double *out);
