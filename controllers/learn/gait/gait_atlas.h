/* The good gaits of a training as points, and their embedding in few dimensions (Shum et al., section
 * 3.5).
 *
 * A point is a gait's searched parameters in units of their scales, so that radians and logarithms
 * of gains may stand side by side. Landmarks are a random fifth of each task value's samples and all
 * optimal gaits, between which the character interpolates. */
#ifndef TROUPE_LEARN_GAIT_ATLAS_H
#define TROUPE_LEARN_GAIT_ATLAS_H

#include "learn/gait/back_projection.h"
#include "learn/gait/gait_samples.h"
#include "learn/gait/gait_space.h"
#include "learn/gait/isomap.h"

typedef struct tr_gait_atlas_def {
    int k, dimension;
    double landmark_share;
    uint64_t seed;
} tr_gait_atlas_def;
tr_gait_atlas_def tr_gait_atlas_def_default(void); /* 10, 10, 0.2, 1 */

/* point: [count][space.size], owned; sample: [count], borrowed */
typedef struct tr_gait_atlas {
    tr_gait_atlas_def def;
    tr_gait_space space;
    int count;
    const tr_gait_sample *sample;
    double *point;
    tr_isomap isomap;
    tr_principal principal;
} tr_gait_atlas;

tr_status tr_gait_atlas_create(const tr_gait_samples *samples, const tr_gait_atlas_def *def,
                               tr_gait_atlas *out, tr_error *error) TR_NODISCARD;
void tr_gait_atlas_destroy(tr_gait_atlas *atlas); /* of zeros is fine */

tr_points tr_gait_atlas_points(const tr_gait_atlas *atlas);

/* Points and their places in the first `dimension` dimensions; scratch: [count][dimension], filled,
 * which the result borrows. */
tr_charted tr_gait_atlas_chart(const tr_gait_atlas *atlas, int dimension, double *scratch);

/* Share of the points' variance that is not made again, by dimension.
 *   residual:  1 - R^2 of the distances
 *   local:     each point left out, from its nearest in the embedding
 *   kernel:    tenths left out in turn
 *   plane:     principal components */
typedef struct tr_gait_atlas_row {
    double eigenvalue, residual, local, kernel, plane;
} tr_gait_atlas_row;
tr_status tr_gait_atlas_describe(const tr_gait_atlas *atlas, int dimension,
                                 tr_gait_atlas_row *out) TR_NODISCARD;

#endif
