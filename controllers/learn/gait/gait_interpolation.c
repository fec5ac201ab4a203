#include "learn/gait/gait_interpolation.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 1e-6, RIDGE = 1e-3;

/* --- anchors --- */

static bool is_multiple(double task, double spacing) {
    return spacing <= 0 || fabs(remainder(task, spacing)) < SAME * spacing;
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

static bool narrow(const tr_gait_atlas *atlas, double *low, double *high) {
    int anchor[TR_GAIT_STOP_MAX];
    const tr_gait_stops stops = {0, *low, *high};
    int count = tr_gait_atlas_anchors(atlas, &stops, anchor);
    if (count < 2)
        return false;
    *low = atlas->sample[anchor[0]].task;
    *high = atlas->sample[anchor[count - 1]].task;
    return true;
}

bool tr_gait_atlases_span(const tr_gait_atlas *const *atlases, int count, double *low,
                          double *high) {
    /* One atlas may narrow the span for another: repeat until it stays. */
    for (int same = 0; same < count;) {
        double first = *low, last = *high;
        for (int i = 0; i < count; i++)
            if (!narrow(atlases[i], low, high))
                return false;
        same = *low == first && *high == last ? count : 0;
    }
    return true;
}

/* --- ways --- */

/* A place between two anchors (points of the atlas), at a share of the way.
 *   chart, map: of the ways that need them
 *   out: [space.size], a point */
typedef struct travel {
    const tr_gait_atlas *atlas;
    int dimension;
    tr_charted chart;
    tr_kernel_map map;
    int from, to;
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

typedef tr_status (*way_back)(const travel *t, const double *place, double *out);

static tr_status back_local(const travel *t, const double *place, double *out) {
    return tr_back_project_local(&t->chart, place, t->atlas->def.k, -1, out);
}

static tr_status back_kernel(const travel *t, const double *place, double *out) {
    tr_kernel_map_apply(&t->map, place, out);
    return TR_OK;
}

static tr_status go_embedded(const travel *t, way_back back, double *out) {
    double place[TR_ISOMAP_DIMENSION_MAX];
    const double *a = t->atlas->isomap.place[t->from], *b = t->atlas->isomap.place[t->to];
    for (int d = 0; d < t->dimension; d++)
        place[d] = a[d] + t->share * (b[d] - a[d]);
    return back(t, place, out);
}

static tr_status add_residual(const travel *t, way_back back, double *out) {
    double a[TR_GAIT_SIZE], b[TR_GAIT_SIZE];
    tr_status status = back(t, t->atlas->isomap.place[t->from], a);
    if (!status)
        status = back(t, t->atlas->isomap.place[t->to], b);
    if (status)
        return status;
    /* What back-projection misses at the anchors is interpolated, so that they come back
     * exactly. */
    for (int i = 0; i < t->atlas->space.size; i++)
        out[i] += (1 - t->share) * (point_of(t, t->from)[i] - a[i]) +
                  t->share * (point_of(t, t->to)[i] - b[i]);
    return TR_OK;
}

static tr_status go_local(const travel *t, double *out) {
    return go_embedded(t, back_local, out);
}

static tr_status go_local_exact(const travel *t, double *out) {
    tr_status status = go_embedded(t, back_local, out);
    return status ? status : add_residual(t, back_local, out);
}

static tr_status go_kernel(const travel *t, double *out) {
    return go_embedded(t, back_kernel, out);
}

static tr_status go_kernel_exact(const travel *t, double *out) {
    tr_status status = go_embedded(t, back_kernel, out);
    return status ? status : add_residual(t, back_kernel, out);
}

static const struct {
    const char *name;
    tr_status (*go)(const travel *t, double *out);
    bool needs_map;
} ways[] = {
    {"nearest", go_nearest, false},
    {"linear", go_linear, false},
    {"pca", go_on_plane, false},
    {"isomap", go_local, false},
    {"isomap+residual", go_local_exact, false},
    {"isomap-kernel", go_kernel, true},
    {"isomap-kernel+residual", go_kernel_exact, true},
};
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

static tr_status fill(const tr_gait_route *route, int way, travel *t, tr_gait_curve *curve) {
    for (int r = 0; r < curve->count; r++) {
        double point[TR_GAIT_SIZE];
        find_stretch(route, tr_gait_curve_task(curve, r), t);
        tr_status status = ways[way].go(t, point);
        if (status)
            return status;
        unscale(t, point, curve->row[r]);
    }
    return TR_OK;
}

static int find_way(const char *name) {
    for (int i = 0; i < WAY_COUNT; i++)
        if (strcmp(ways[i].name, name) == 0)
            return i;
    return -1;
}

tr_status tr_gait_interpolate(const tr_gait_atlas *atlas, const tr_gait_route *route,
                              tr_gait_curve *out) {
    int way = find_way(route->way);
    if (way < 0)
        return TR_NOT_FOUND;
    if (route->count < 2)
        return TR_FAILED_PRECONDITION;
    double low = atlas->sample[route->anchor[0]].task;
    double high = atlas->sample[route->anchor[route->count - 1]].task;
    double *scratch = calloc((size_t)atlas->count * (size_t)route->dimension, sizeof *scratch);
    tr_gait_curve curve = {0};
    travel t = {.atlas = atlas, .dimension = route->dimension};
    tr_status status = scratch ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = tr_gait_curve_init(&curve, low, high,
                                    1 + (int)ceil((high - low) / route->row_spacing - SAME));
    if (!status)
        t.chart = tr_gait_atlas_chart(atlas, route->dimension, scratch);
    if (!status && ways[way].needs_map)
        status = tr_kernel_map_fit(&t.chart, atlas->isomap.landmark, atlas->isomap.landmark_count,
                                   RIDGE, (tr_fold){0, 0}, &t.map);
    if (!status)
        status = fill(route, way, &t, &curve);
    tr_kernel_map_deinit(&t.map);
    free(scratch);
    if (status) {
        tr_gait_curve_deinit(&curve);
        return status;
    }
    *out = curve;
    return TR_OK;
}
