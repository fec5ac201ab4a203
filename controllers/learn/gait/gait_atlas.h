/* The good gaits of a training as points, and their embedding in few dimensions (Shum et al., section
 * 3.5).
 *
 * A point is a gait's searched parameters in units of their scales, so that radians and logarithms
 * of gains may stand side by side. Landmarks are a random fifth of each task value's samples and all
 * optimal gaits, between which the character interpolates. */
#pragma once

#include "learn/gait/back_projection.h"
#include "learn/gait/gait_samples.h"
#include "learn/gait/gait_space.h"

enum { TR_GAIT_ATLAS_NEIGHBOURS = 10, TR_GAIT_ATLAS_DIMENSION = 10 };

/* point: [count][space.size], owned; sample: [count], borrowed */
typedef struct tr_gait_atlas {
    tr_gait_space space;
    int count;
    const tr_gait_sample *sample;
    double *point;
    tr_isomap isomap;
    tr_principal principal;
} tr_gait_atlas;

/* TR_FAILED_PRECONDITION: not more samples than neighbours of each. */
tr_status tr_gait_atlas_create(const tr_gait_samples *samples, tr_gait_atlas *out,
                               tr_error *error) TR_NODISCARD;
void tr_gait_atlas_destroy(tr_gait_atlas *atlas); /* of zeros is fine */

/* Points and their places in the first `dimension` dimensions, borrowed from the atlas. */
tr_charted tr_gait_atlas_chart(const tr_gait_atlas *atlas, int dimension);

/* Share of the points' variance that is not made again, by dimension.
 *   residual:  1 - R^2 of the distances
 *   local:     each point left out, from its nearest in the embedding
 *   plane:     principal components */
typedef struct tr_gait_atlas_row {
    double eigenvalue, residual, local, plane;
} tr_gait_atlas_row;
tr_status tr_gait_atlas_describe(const tr_gait_atlas *atlas, int dimension,
                                 tr_gait_atlas_row *out) TR_NODISCARD;
