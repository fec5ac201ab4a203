#include "learn/gait/gait_atlas.h"

#include "math/random.h"

#include <stddef.h>
#include <stdlib.h>

static const double LANDMARK_SHARE = 0.2;

static tr_points points_of(const tr_gait_atlas *atlas) {
    return (tr_points){atlas->count, atlas->space.size, atlas->space.size, atlas->point};
}

static int choose_landmarks(const tr_gait_atlas *atlas, int *out) {
    int count = 0;
    for (int i = 0; i < atlas->count; i++) {
        tr_random random = tr_random_split(1, 8, (uint64_t)i);
        if (atlas->sample[i].optimal || tr_random_uniform(&random) < LANDMARK_SHARE)
            out[count++] = i;
    }
    return count;
}

static tr_status embed(tr_gait_atlas *atlas) {
    const tr_points points = points_of(atlas);
    int *landmark = calloc((size_t)atlas->count, sizeof *landmark);
    if (!landmark)
        return TR_RESOURCE_EXHAUSTED;
    const tr_isomap_def def = {TR_GAIT_ATLAS_NEIGHBOURS, TR_GAIT_ATLAS_DIMENSION,
                               choose_landmarks(atlas, landmark), landmark};
    tr_status status = tr_isomap_create(&points, &def, &atlas->isomap);
    if (!status)
        status = tr_principal_create(&points, &atlas->principal);
    free(landmark);
    return status;
}

tr_status tr_gait_atlas_create(const tr_gait_samples *samples, tr_gait_atlas *out,
                               tr_error *error) {
    tr_gait_atlas atlas = {
        .space = tr_gait_space_of(false), .count = samples->count, .sample = samples->sample};
    if (samples->count <= TR_GAIT_ATLAS_NEIGHBOURS)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "%d samples: expected more than the %d neighbours of each", samples->count,
                       TR_GAIT_ATLAS_NEIGHBOURS);
    atlas.point = calloc((size_t)atlas.count * (size_t)atlas.space.size, sizeof *atlas.point);
    if (!atlas.point)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for %d samples", atlas.count);
    for (int i = 0; i < atlas.count; i++)
        for (int j = 0; j < atlas.space.size; j++) {
            int at = atlas.space.index[j];
            atlas.point[(ptrdiff_t)i * atlas.space.size + j] =
                atlas.sample[i].value[at] / tr_gait_parameter_row(at)->scale;
        }
    tr_status status = embed(&atlas);
    if (status) {
        tr_gait_atlas_destroy(&atlas);
        return tr_fail_if(error, status, "embedding of %d samples", samples->count);
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

tr_charted tr_gait_atlas_chart(const tr_gait_atlas *atlas, int dimension) {
    return (tr_charted){{atlas->count, dimension, TR_ISOMAP_DIMENSION_MAX, atlas->isomap.place[0]},
                        points_of(atlas)};
}

/* --- how much is made again --- */

tr_status tr_gait_atlas_describe(const tr_gait_atlas *atlas, int dimension,
                                 tr_gait_atlas_row *out) {
    const tr_charted chart = tr_gait_atlas_chart(atlas, dimension);
    const int size = atlas->space.size;
    tr_gait_atlas_row row = {.eigenvalue = atlas->isomap.eigenvalue[dimension - 1],
                             .residual = tr_isomap_residual_variance(&atlas->isomap, dimension)};
    double made[TR_GAIT_SIZE], total = 0;
    for (int i = 0; i < atlas->count; i++) {
        const double *point = tr_points_at(&chart.point, i);
        total += tr_points_square(point, atlas->principal.mean, size);
        tr_principal_project(&atlas->principal, dimension, point, made);
        row.plane += tr_points_square(made, point, size);
        /* A sample is made of its neighbours, without itself. */
        tr_status status = tr_back_project_local(&chart, tr_points_at(&chart.place, i),
                                                 TR_GAIT_ATLAS_NEIGHBOURS, i, made);
        if (status)
            return status;
        row.local += tr_points_square(made, point, size);
    }
    row.plane /= total;
    row.local /= total;
    *out = row;
    return TR_OK;
}
