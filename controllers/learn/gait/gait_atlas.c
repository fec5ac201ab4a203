#include "learn/gait/gait_atlas.h"

#include "math/random.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDS = 10 };
static const double RIDGE = 1e-3;

tr_gait_atlas_def tr_gait_atlas_def_default(void) {
    return (tr_gait_atlas_def){.k = 10, .dimension = 10, .landmark_share = 0.2, .seed = 1};
}

tr_points tr_gait_atlas_points(const tr_gait_atlas *atlas) {
    return (tr_points){atlas->count, atlas->space.size, atlas->point};
}

static void fill_points(tr_gait_atlas *atlas) {
    for (int i = 0; i < atlas->count; i++)
        for (int j = 0; j < atlas->space.size; j++) {
            int at = atlas->space.index[j];
            atlas->point[(ptrdiff_t)i * atlas->space.size + j] =
                atlas->sample[i].value[at] / tr_gait_parameter_row(at)->scale;
        }
}

static int choose_landmarks(const tr_gait_atlas *atlas, int *out) {
    int count = 0;
    /* A random share of the samples (Shum et al., section 3.5), and all optimal ones. */
    for (int i = 0; i < atlas->count; i++) {
        tr_random random = tr_random_split(atlas->def.seed, 8, (uint64_t)i);
        if (atlas->sample[i].optimal || tr_random_uniform(&random) < atlas->def.landmark_share)
            out[count++] = i;
    }
    return count;
}

static tr_status embed(tr_gait_atlas *atlas) {
    tr_points points = tr_gait_atlas_points(atlas);
    int *landmark = calloc((size_t)atlas->count, sizeof *landmark);
    if (!landmark)
        return TR_RESOURCE_EXHAUSTED;
    const tr_isomap_def def = {atlas->def.k, atlas->def.dimension,
                               choose_landmarks(atlas, landmark), landmark};
    tr_status status = tr_isomap_create(&points, &def, &atlas->isomap);
    if (!status)
        status = tr_principal_create(&points, &atlas->principal);
    free(landmark);
    return status;
}

tr_status tr_gait_atlas_create(const tr_gait_samples *samples, const tr_gait_atlas_def *def,
                               tr_gait_atlas *out, tr_error *error) {
    tr_gait_atlas atlas = {.def = *def,
                           .space = tr_gait_space_of(false),
                           .count = samples->count,
                           .sample = samples->sample};
    if (samples->count <= def->k)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "%d samples: expected more than the %d neighbours of each", samples->count,
                       def->k);
    atlas.point = calloc((size_t)atlas.count * (size_t)atlas.space.size, sizeof *atlas.point);
    if (!atlas.point)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for %d samples", atlas.count);
    fill_points(&atlas);
    tr_status status = embed(&atlas);
    if (status) {
        tr_gait_atlas_destroy(&atlas);
        return tr_fail(error, status, "embedding of %d samples: %s", samples->count,
                       tr_status_text(status));
    }
    *out = atlas;
    return TR_OK;
}

void tr_gait_atlas_destroy(tr_gait_atlas *atlas) {
    free(atlas->point);
    tr_isomap_destroy(&atlas->isomap);
    tr_principal_deinit(&atlas->principal);
    *atlas = (tr_gait_atlas){0};
}

tr_charted tr_gait_atlas_chart(const tr_gait_atlas *atlas, int dimension, double *scratch) {
    for (int i = 0; i < atlas->count; i++)
        for (int d = 0; d < dimension; d++)
            scratch[(ptrdiff_t)i * dimension + d] = atlas->isomap.place[i][d];
    return (tr_charted){.place = {atlas->count, dimension, scratch},
                        .point = tr_gait_atlas_points(atlas)};
}

/* --- how much is made again --- */

static double squared_error(const double *a, const double *b, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

static double total_variance(const tr_gait_atlas *atlas) {
    double sum = 0;
    for (int i = 0; i < atlas->count; i++)
        sum += squared_error(atlas->point + (ptrdiff_t)i * atlas->space.size, atlas->principal.mean,
                             atlas->space.size);
    return sum;
}

static tr_status leave_out_local(const tr_gait_atlas *atlas, const tr_charted *chart, double *out) {
    double made[TR_GAIT_SIZE];
    *out = 0;
    for (int i = 0; i < atlas->count; i++) {
        const double *place = chart->place.point + (ptrdiff_t)i * chart->place.size;
        /* A sample is made of its neighbours, without itself. */
        tr_status status = tr_back_project_local(chart, place, atlas->def.k, i, made);
        if (status)
            return status;
        *out +=
            squared_error(made, atlas->point + (ptrdiff_t)i * atlas->space.size, atlas->space.size);
    }
    return TR_OK;
}

static tr_status leave_out_kernel(const tr_gait_atlas *atlas, const tr_charted *chart,
                                  double *out) {
    *out = 0;
    for (int fold = 0; fold < FOLDS; fold++) {
        /* The map is learned without a fold, and judged on it. */
        tr_kernel_map map = {0};
        tr_status status =
            tr_kernel_map_fit(chart, atlas->isomap.landmark, atlas->isomap.landmark_count, RIDGE,
                              (tr_fold){fold, FOLDS}, &map);
        if (status)
            return status;
        for (int i = fold; i < atlas->count; i += FOLDS) {
            double made[TR_GAIT_SIZE];
            tr_kernel_map_apply(&map, chart->place.point + (ptrdiff_t)i * chart->place.size, made);
            *out += squared_error(made, atlas->point + (ptrdiff_t)i * atlas->space.size,
                                  atlas->space.size);
        }
        tr_kernel_map_deinit(&map);
    }
    return TR_OK;
}

static double off_the_plane(const tr_gait_atlas *atlas, int dimension) {
    double sum = 0, made[TR_GAIT_SIZE];
    for (int i = 0; i < atlas->count; i++) {
        const double *point = atlas->point + (ptrdiff_t)i * atlas->space.size;
        tr_principal_project(&atlas->principal, dimension, point, made);
        sum += squared_error(made, point, atlas->space.size);
    }
    return sum;
}

tr_status tr_gait_atlas_describe(const tr_gait_atlas *atlas, int dimension,
                                 tr_gait_atlas_row *out) {
    double *scratch = calloc((size_t)atlas->count * (size_t)dimension, sizeof *scratch);
    if (!scratch)
        return TR_RESOURCE_EXHAUSTED;
    double total = total_variance(atlas);
    tr_charted chart = tr_gait_atlas_chart(atlas, dimension, scratch);
    tr_gait_atlas_row row = {.eigenvalue = atlas->isomap.eigenvalue[dimension - 1],
                             .residual = tr_isomap_residual_variance(&atlas->isomap, dimension),
                             .plane = off_the_plane(atlas, dimension) / total};
    tr_status status = leave_out_local(atlas, &chart, &row.local);
    if (!status)
        status = leave_out_kernel(atlas, &chart, &row.kernel);
    /* Errors are shares of the samples' variance. */
    row.local /= total;
    row.kernel /= total;
    free(scratch);
    if (!status)
        *out = row;
    return status;
}
