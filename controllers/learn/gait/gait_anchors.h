/* Anchors: the gaits that a continuation found optimal, each at its task value, and the curve
 * through them (Shum et al., section 3.2). */
#pragma once

#include "control/gait/gait_curve.h"

enum { TR_GAIT_ANCHOR_MAX = 512 };

typedef struct tr_gait_anchor {
    double task;
    double value[TR_GAIT_SIZE];
} tr_gait_anchor;

/* Anchors by ascending task value, no value twice. Plain data. */
typedef struct tr_gait_anchors {
    int count;
    tr_gait_anchor anchor[TR_GAIT_ANCHOR_MAX];
} tr_gait_anchors;

/* Stores an anchor; it replaces one at the same task value. TR_RESOURCE_EXHAUSTED past the cap. */
tr_status tr_gait_anchors_put(tr_gait_anchors *anchors, double task,
                              const double *value) TR_NODISCARD;

/* Cuts the curve to the range from low to high: at the ends it gets anchors where it passes.
 * TR_RESOURCE_EXHAUSTED past the cap. */
tr_status tr_gait_anchors_cut(tr_gait_anchors *anchors, double low, double high) TR_NODISCARD;

/* Returns the anchor at a task value, or NULL. */
const tr_gait_anchor *tr_gait_anchors_find(const tr_gait_anchors *anchors, double task);

/* Interpolates linearly between the two anchors around a task value; beyond the ends the last
 * anchor. out: [TR_GAIT_SIZE]. There must be an anchor. */
void tr_gait_anchors_at(const tr_gait_anchors *anchors, double task, double *out);

/* Makes the curve through the anchors, rows at most `spacing` apart; the caller deinitialises
 * it. */
tr_status tr_gait_anchors_bake(const tr_gait_anchors *anchors, double spacing,
                               tr_gait_curve *out) TR_NODISCARD;
