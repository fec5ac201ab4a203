#include "learn/gait/gait_anchors.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-9;

/* Returns the index of the first anchor at `task` or above. */
static int place_of(const tr_gait_anchors *anchors, double task) {
    int i = 0;
    while (i < anchors->count && anchors->anchor[i].task < task - SAME)
        i++;
    return i;
}

tr_status tr_gait_anchors_put(tr_gait_anchors *anchors, double task, const double *value) {
    int at = place_of(anchors, task);
    tr_gait_anchor *anchor = &anchors->anchor[at];
    bool there = at < anchors->count && fabs(anchor->task - task) <= SAME;
    if (!there) {
        if (anchors->count == TR_GAIT_ANCHOR_MAX)
            return TR_RESOURCE_EXHAUSTED;
        memmove(anchor + 1, anchor, (size_t)(anchors->count - at) * sizeof *anchor);
        anchors->count++;
    }
    anchor->task = task;
    memcpy(anchor->value, value, sizeof anchor->value);
    return TR_OK;
}

/* Puts an anchor where the curve is cut, so that what remains keeps its shape. */
static tr_status end_at(tr_gait_anchors *anchors, double task) {
    double value[TR_GAIT_SIZE];
    bool within = anchors->count > 0 && task > anchors->anchor[0].task &&
                  task < anchors->anchor[anchors->count - 1].task;
    if (!within || tr_gait_anchors_find(anchors, task))
        return TR_OK;
    tr_gait_anchors_at(anchors, task, value);
    return tr_gait_anchors_put(anchors, task, value);
}

tr_status tr_gait_anchors_cut(tr_gait_anchors *anchors, double low, double high) {
    int kept = 0;
    tr_status status = end_at(anchors, low);
    if (!status)
        status = end_at(anchors, high);
    if (status)
        return status;
    for (int i = 0; i < anchors->count; i++)
        if (anchors->anchor[i].task >= low - SAME && anchors->anchor[i].task <= high + SAME)
            anchors->anchor[kept++] = anchors->anchor[i];
    anchors->count = kept;
    return TR_OK;
}

const tr_gait_anchor *tr_gait_anchors_find(const tr_gait_anchors *anchors, double task) {
    int at = place_of(anchors, task);
    bool there = at < anchors->count && fabs(anchors->anchor[at].task - task) <= SAME;
    return there ? &anchors->anchor[at] : NULL;
}

/* Finds the two anchors around a task value, and where it lies between them, 0 to 1. */
static void tr_gait_anchors_around(const tr_gait_anchors *anchors, double task, int *out_below,
                                   int *out_above, double *out_share) {
    int above = place_of(anchors, task);
    *out_share = 0;
    if (above == 0 || above == anchors->count) {
        *out_below = *out_above = above == 0 ? 0 : above - 1;
        return;
    }
    double a = anchors->anchor[above - 1].task, b = anchors->anchor[above].task;
    *out_below = above - 1;
    *out_above = above;
    *out_share = fmin(fmax((task - a) / (b - a), 0), 1);
}

void tr_gait_anchors_at(const tr_gait_anchors *anchors, double task, double *out) {
    int below, above;
    double share;
    tr_gait_anchors_around(anchors, task, &below, &above, &share);
    const double *a = anchors->anchor[below].value, *b = anchors->anchor[above].value;
    for (int i = 0; i < TR_GAIT_SIZE; i++)
        out[i] = a[i] + share * (b[i] - a[i]);
}

/* Makes an empty curve over the anchors' range, rows at most `spacing` apart. */
static tr_status tr_gait_anchors_prepare(const tr_gait_anchors *anchors, double spacing,
                                         tr_gait_curve *out) {
    if (anchors->count == 0)
        return TR_FAILED_PRECONDITION;
    double low = anchors->anchor[0].task, high = anchors->anchor[anchors->count - 1].task;
    int count = high > low ? 1 + (int)ceil((high - low) / spacing - SAME) : 1;
    return tr_gait_curve_init(out, low, high, count);
}

tr_status tr_gait_anchors_bake(const tr_gait_anchors *anchors, double spacing, tr_gait_curve *out) {
    tr_gait_curve curve;
    tr_status status = tr_gait_anchors_prepare(anchors, spacing, &curve);
    if (status)
        return status;
    for (int r = 0; r < curve.count; r++) {
        tr_gait_anchors_at(anchors, tr_gait_curve_task(&curve, r), curve.row[r]);
        tr_gait_parameters_clamp(curve.row[r]);
    }
    *out = curve;
    return TR_OK;
}
