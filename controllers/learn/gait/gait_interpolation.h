/* Ways from anchors to a curve: how the gaits between optimal ones are found. All bake into the same
 * kind of curve, so that they are compared at no cost and the run time knows none of them.
 *
 * With the anchors of a second training beside those of the first, at another speed, the curve lies
 * between the two: a gait has two task values, and is found between four anchors. */
#pragma once

#include "control/gait/gait_curve.h"
#include "learn/gait/gait_atlas.h"

/* nearest   the nearest anchor
 * linear    in the space of all parameters, bilinear between four anchors
 * pca       as linear, between the anchors' places on the plane of principal components
 * isomap    as linear, in the embedding, back by locally linear weights, plus the error of the way
 *           back at the anchors, so that these are exact */
const char *tr_gait_interpolation_name(int index); /* from 0; NULL past the last */

/* Anchors of an atlas: its optimal samples with task values from low to high, in ascending order:
 * those at multiples of `spacing`, and the first and the last, so that curves of every spacing span
 * the same forces. Only samples from index `first` on, before `past` (0: all). Returns how many. */
enum { TR_GAIT_STOP_MAX = 512 };
typedef struct tr_gait_stops {
    double spacing, low, high;
    int first, past;
} tr_gait_stops;
int tr_gait_atlas_anchors(const tr_gait_atlas *atlas, const tr_gait_stops *stops,
                          int out[TR_GAIT_STOP_MAX]);

/* The curve through anchors [count], rows at most `row_spacing` apart, by a way (index of its name),
 * in `dimension` dimensions. Parameters that are not searched are those of the anchors. beside:
 * [beside_count] anchors of the second training, to which the curve goes a share of the way; 0: none.
 * TR_FAILED_PRECONDITION: fewer than two anchors. */
typedef struct tr_gait_route {
    int way, dimension;
    const int *anchor;
    int count;
    double row_spacing;
    const int *beside;
    int beside_count;
    double share;
} tr_gait_route;
tr_status tr_gait_interpolate(const tr_gait_atlas *atlas, const tr_gait_route *route,
                              tr_gait_curve *out) TR_NODISCARD;
