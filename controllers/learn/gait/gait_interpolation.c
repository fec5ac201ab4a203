#include "learn/gait/gait_interpolation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double SAME = 1e-6;

/* --- anchors --- */

static int sort_optimal(const tr_gait_atlas *atlas, const tr_gait_stops *stops,
                        int out[TR_GAIT_STOP_MAX]) {
    const int past = stops->past > 0 ? stops->past : atlas->count;
    int count = 0;
    for (int i = stops->first; i < past && count < TR_GAIT_STOP_MAX; i++) {
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
        if (i == 0 || i == all - 1 ||
            fabs(remainder(atlas->sample[out[i]].task, stops->spacing)) < SAME * stops->spacing)
            out[count++] = out[i];
    return count;
}

/* --- ways --- */

/* A place between anchors (points of the atlas), as shares of them: two of one training, and two of
 * the training beside it. Shares add up to 1.
 *   out: [space.size], a point */
enum { CORNERS = 4 };
typedef struct travel {
    const tr_gait_atlas *atlas;
    int dimension, corner[CORNERS];
    double share[CORNERS];
} travel;

/* Sums the corners' rows of `size` numbers that are `stride` apart, by their shares. */
static void mix(const travel *t, const double *row, ptrdiff_t stride, int size, double *out) {
    for (int i = 0; i < size; i++) {
        out[i] = 0;
        for (int c = 0; c < CORNERS; c++)
            out[i] += t->share[c] * row[t->corner[c] * stride + i];
    }
}

static tr_status go_linear(const travel *t, double *out) {
    mix(t, t->atlas->point, t->atlas->space.size, t->atlas->space.size, out);
    return TR_OK;
}

static tr_status go_nearest(const travel *t, double *out) {
    travel whole = *t;
    int nearest = 0;
    for (int c = 1; c < CORNERS; c++)
        nearest = t->share[c] > t->share[nearest] ? c : nearest;
    for (int c = 0; c < CORNERS; c++)
        whole.share[c] = c == nearest;
    return go_linear(&whole, out);
}

static tr_status go_on_plane(const travel *t, double *out) {
    double point[TR_GAIT_SIZE];
    tr_status status = go_linear(t, point);
    tr_principal_project(&t->atlas->principal, t->dimension, point, out);
    return status;
}

static tr_status go_embedded(const travel *t, double *out) {
    double place[TR_ISOMAP_DIMENSION_MAX], made[TR_GAIT_SIZE];
    const tr_charted chart = tr_gait_atlas_chart(t->atlas, t->dimension);
    mix(t, t->atlas->isomap.place[0], TR_ISOMAP_DIMENSION_MAX, t->dimension, place);
    tr_status status = tr_back_project_local(&chart, place, TR_GAIT_ATLAS_NEIGHBOURS, -1, out);
    /* What back-projection misses at the anchors is interpolated, so that they come back
     * exactly. */
    for (int c = 0; !status && c < CORNERS; c++) {
        const double *point = tr_points_at(&chart.point, t->corner[c]);
        status = tr_back_project_local(&chart, t->atlas->isomap.place[t->corner[c]],
                                       TR_GAIT_ATLAS_NEIGHBOURS, -1, made);
        for (int i = 0; !status && i < t->atlas->space.size; i++)
            out[i] += t->share[c] * (point[i] - made[i]);
    }
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

/* Finds the two anchors around a task value, and shares that add up to `whole`; beyond the ends the
 * place stays at the end. */
static void find_stretch(const tr_gait_sample *sample, const int *anchor, int count, double task,
                         double whole, int *corner, double *share) {
    int i = 1;
    while (i < count - 1 && sample[anchor[i]].task < task)
        i++;
    corner[0] = anchor[i - 1];
    corner[1] = anchor[i];
    double a = sample[corner[0]].task, b = sample[corner[1]].task;
    share[1] = whole * fmin(fmax((task - a) / (b - a), 0), 1);
    share[0] = whole - share[1];
}

static void find_corners(const tr_gait_route *route, double task, travel *t) {
    const tr_gait_sample *sample = t->atlas->sample;
    const bool alone = route->beside_count < 2;
    find_stretch(sample, route->anchor, route->count, task, alone ? 1 : 1 - route->share, t->corner,
                 t->share);
    find_stretch(sample, alone ? route->anchor : route->beside,
                 alone ? route->count : route->beside_count, task, alone ? 0 : route->share,
                 t->corner + 2, t->share + 2);
}

/* Returns a point as parameters; parameters outside the search are interpolated between the
 * anchors. */
static void unscale(const travel *t, const double *point, double *out) {
    const tr_gait_space *space = &t->atlas->space;
    mix(t, t->atlas->sample[0].value, sizeof *t->atlas->sample / sizeof *out, TR_GAIT_SIZE, out);
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
        find_corners(route, tr_gait_curve_task(&curve, r), &t);
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
