#include "control/gait/gait_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tr_status tr_gait_curve_init(tr_gait_curve *curve, double low, double high, int count) {
    bool is_interval = isfinite(low) && isfinite(high) && (count > 1 ? low < high : low == high);
    if (count < 1 || count > TR_GAIT_ROW_MAX || !is_interval)
        return TR_INVALID_ARGUMENT;
    double(*row)[TR_GAIT_SIZE] = calloc((size_t)count, sizeof *row);
    if (!row)
        return TR_RESOURCE_EXHAUSTED;
    *curve = (tr_gait_curve){low, high, count, row};
    return TR_OK;
}

tr_status tr_gait_curve_copy(const tr_gait_curve *from, tr_gait_curve *out) {
    tr_gait_curve copy;
    tr_status status = tr_gait_curve_init(&copy, from->low, from->high, from->count);
    if (status)
        return status;
    memcpy(copy.row, from->row, (size_t)from->count * sizeof *from->row);
    *out = copy;
    return TR_OK;
}

void tr_gait_curve_deinit(tr_gait_curve *curve) {
    free(curve->row);
    memset(curve, 0, sizeof *curve);
}

double tr_gait_curve_task(const tr_gait_curve *curve, int row) {
    if (curve->count == 1)
        return curve->low;
    return curve->low + (curve->high - curve->low) * row / (curve->count - 1);
}

void tr_gait_curve_at(const tr_gait_curve *curve, double task, double *out) {
    if (curve->count == 1) {
        memcpy(out, curve->row[0], sizeof curve->row[0]);
        return;
    }
    double spacing = (curve->high - curve->low) / (curve->count - 1);
    double at = fmin(fmax((task - curve->low) / spacing, 0), curve->count - 1);
    int below = (int)fmin(floor(at), curve->count - 2);
    const double *a = curve->row[below], *b = curve->row[below + 1];
    double t = at - below;
    for (int i = 0; i < TR_GAIT_SIZE; i++)
        out[i] = a[i] + t * (b[i] - a[i]);
}
