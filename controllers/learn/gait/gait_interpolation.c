#include "learn/gait/gait_interpolation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double SAME = 1e-6;

/* --- anchors --- */

static bool is_multiple(double task, double spacing) {
    return fabs(remainder(task, spacing)) < SAME * spacing;
}

static int sort_optimal(const tr_gait_atlas *atlas, const tr_gait_stops *stops,
                        int out[TR_GAIT_STOP_MAX]) {
    int count = 0;
    for (int i = 0; i < atlas->count && count < TR_GAIT_STOP_MAX; i++) {
        double task = atlas->sample[i].task;
        if (!atlas->sample[i].optimal || task < stops->low - SAME || task > stops->high + SAME)
            continue;
        int at = count++;
        for (; at > 0 && atlas->sample[out[at - 1]].task > task; at--)
            out[at] = out[at - 1];
        out[at] = i;
    }
    return count;
}

int tr_gait_atlas_anchors(const tr_gait_atlas *atlas, const tr_gait_stops *stops,
                          int out[TR_GAIT_STOP_MAX]) {
    int all = sort_optimal(atlas, stops, out), count = 0;
    for (int i = 0; i < all; i++)
        if (i == 0 || i == all - 1 || is_multiple(atlas->sample[out[i]].task, stops->spacing))
            out[count++] = out[i];
    return count;
}

/* --- ways --- */

/* A place between two anchors (points of the atlas), at a share of the way.
 *   out: [space.size], a point */
typedef struct travel {
    const tr_gait_atlas *atlas;
    int dimension, from, to;
    double share;
} travel;

static const double *point_of(const travel *t, int i) {
    return t->atlas->point + (ptrdiff_t)i * t->atlas->space.size;
}

static tr_status go_nearest(const travel *t, double *out) {
    const double *nearest = point_of(t, t->share < 0.5 ? t->from : t->to);
    memcpy(out, nearest, (size_t)t->atlas->space.size * sizeof *out);
    return TR_OK;
}

static tr_status go_linear(const travel *t, double *out) {
    const double *a = point_of(t, t->from), *b = point_of(t, t->to);
    for (int i = 0; i < t->atlas->space.size; i++)
        out[i] = a[i] + t->share * (b[i] - a[i]);
    return TR_OK;
}

static tr_status go_on_plane(const travel *t, double *out) {
    double point[TR_GAIT_SIZE];
    tr_status status = go_linear(t, point);
    tr_principal_project(&t->atlas->principal, t->dimension, point, out);
    return status;
}

static tr_status back(const travel *t, const double *place, double *out) {
    const tr_charted chart = tr_gait_atlas_chart(t->atlas, t->dimension);
    return tr_back_project_local(&chart, place, TR_GAIT_ATLAS_NEIGHBOURS, -1, out);
}

static tr_status go_embedded(const travel *t, double *out) {
    double place[TR_ISOMAP_DIMENSION_MAX], from[TR_GAIT_SIZE], to[TR_GAIT_SIZE];
    const double *a = t->atlas->isomap.place[t->from], *b = t->atlas->isomap.place[t->to];
    for (int d = 0; d < t->dimension; d++)
        place[d] = a[d] + t->share * (b[d] - a[d]);
    tr_status status = back(t, place, out);
    if (!status)
        status = back(t, a, from);
    if (!status)
        status = back(t, b, to);
    /* What back-projection misses at the anchors is interpolated, so that they come back
     * exactly. */
    for (int i = 0; !status && i < t->atlas->space.size; i++)
        out[i] += (1 - t->share) * (point_of(t, t->from)[i] - from[i]) +
                  t->share * (point_of(t, t->to)[i] - to[i]);
    return status;
}

static const struct {
    const char *name;
    tr_status (*go)(const travel *t, double *out);
} ways[] = {
    {"nearest", go_nearest}, {"linear", go_linear}, {"pca", go_on_plane}, {"isomap", go_embedded}};
enum { WAY_COUNT = sizeof ways / sizeof ways[0] };

const char *tr_gait_interpolation_name(int index) {
    return index < WAY_COUNT ? ways[index].name : NULL;
}

/* --- baking --- */

/* Finds the two anchors around a task value; beyond the ends the place stays at the end. */
static void find_stretch(const tr_gait_route *route, double task, travel *t) {
    const tr_gait_sample *sample = t->atlas->sample;
    int i = 1;
    while (i < route->count - 1 && sample[route->anchor[i]].task < task)
        i++;
    t->from = route->anchor[i - 1];
    t->to = route->anchor[i];
    double a = sample[t->from].task, b = sample[t->to].task;
    t->share = fmin(fmax((task - a) / (b - a), 0), 1);
}

/* Returns a point as parameters; parameters outside the search are interpolated between the
 * anchors. */
static void unscale(const travel *t, const double *point, double *out) {
    const double *a = t->atlas->sample[t->from].value, *b = t->atlas->sample[t->to].value;
    const tr_gait_space *space = &t->atlas->space;
    for (int i = 0; i < TR_GAIT_SIZE; i++)
        out[i] = a[i] + t->share * (b[i] - a[i]);
    for (int i = 0; i < space->size; i++)
        out[space->index[i]] = point[i] * tr_gait_parameter_row(space->index[i])->scale;
    tr_gait_parameters_clamp(out);
}

tr_status tr_gait_interpolate(const tr_gait_atlas *atlas, const tr_gait_route *route,
                              tr_gait_curve *out) {
    if (route->count < 2)
        return TR_FAILED_PRECONDITION;
    const double low = atlas->sample[route->anchor[0]].task,
                 high = atlas->sample[route->anchor[route->count - 1]].task;
    const int rows = 1 + (int)ceil((high - low) / route->row_spacing - SAME);
    travel t = {.atlas = atlas, .dimension = route->dimension};
    tr_gait_curve curve = {0};
    tr_status status = tr_gait_curve_init(&curve, low, high, rows);
    for (int r = 0; !status && r < curve.count; r++) {
        double point[TR_GAIT_SIZE];
        find_stretch(route, tr_gait_curve_task(&curve, r), &t);
        status = ways[route->way].go(&t, point);
        if (!status)
            unscale(&t, point, curve.row[r]);
    }
    if (status)
        tr_gait_curve_deinit(&curve);
    else
        *out = curve;
    return status;
}
