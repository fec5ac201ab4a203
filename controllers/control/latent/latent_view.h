/* A latent space as people see it: its points in the principal axes, the widest first.
 *
 * The axes come from cyclic Jacobi rotations of the covariance; each points to the side of its
 * largest component, so that the picture of a space is always the same. Deterministic. */
#pragma once

#include "control/latent/latent_space.h"

/* axis: [dimension][dimension], unit rows */
typedef struct tr_latent_view {
    int dimension;
    double mean[TR_LATENT_DIMENSION_MAX];
    double axis[TR_LATENT_DIMENSION_MAX][TR_LATENT_DIMENSION_MAX];
} tr_latent_view;

tr_latent_view tr_latent_view_of(const tr_latent_space *space);

/* The coordinates of point x along the first `count` axes; zeros past the dimension. */
void tr_latent_view_flatten(const tr_latent_view *view, const double *x, int count, double *out);

/* Moves x to a place of the two widest axes. Its other coordinates become a weighted mean of the
 * clips' points near the place, in which those near x weigh most: a mean shift with a Gaussian
 * kernel as wide as two of the clips' steps. */
void tr_latent_view_lift(const tr_latent_view *view, const tr_latent_space *space,
                         const double at[static 2], double *x);
