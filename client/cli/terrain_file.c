#include "cli/terrain_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct format {
    const char *ending;
    tr_status (*read)(const tr_terrain_source *source, tr_terrain_file *out, tr_error *error);
} format;

static const format formats[] = {
    {".asc", tr_terrain_read_asc}, {".png", tr_terrain_read_png}, {".obj", tr_terrain_read_obj}};

static const format *find_format(const char *path) {
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(ending, formats[i].ending) == 0)
            return &formats[i];
    return NULL;
}

tr_status tr_terrain_make_heights(const tr_terrain_source *source, double columns, double rows,
                                  tr_terrain_file *out, tr_error *error) {
    if (!(columns >= 2 && rows >= 2 && columns * rows <= TR_TERRAIN_SAMPLES_MAX &&
          columns == floor(columns) && rows == floor(rows)))
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "%s: %g columns x %g rows: expected whole numbers, at least 2 x 2 and at most "
            "%d samples",
            source->path, columns, rows, TR_TERRAIN_SAMPLES_MAX);
    size_t count = (size_t)columns * (size_t)rows;
    out->number = malloc(count * sizeof *out->number);
    if (!out->number)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory for it", source->path);
    out->heights = (tr_client_heights){.columns = (uint32_t)columns,
                                       .rows = (uint32_t)rows,
                                       .spacing_m = source->scale.cell_m,
                                       .heights = out->number};
    return TR_OK;
}

tr_status tr_terrain_file_load(const char *path, const tr_terrain_scale *scale,
                               tr_terrain_file *out, tr_error *error) {
    const format *found = find_format(path);
    if (!found)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: expected a name that ends in .asc, .png or .obj", path);
    const tr_terrain_source source = {.path = path, .scale = *scale};
    tr_terrain_file file = {0};
    tr_status status = found->read(&source, &file, error);
    if (status) {
        tr_terrain_file_deinit(&file);
        return status;
    }
    *out = file;
    return TR_OK;
}

void tr_terrain_file_deinit(tr_terrain_file *file) {
    free(file->number);
    free(file->index);
    *file = (tr_terrain_file){0};
}

void tr_terrain_file_place(const tr_terrain_file *file, tr_client_scenery *scenery) {
    scenery->height_field = file->heights.columns > 0 ? &file->heights : NULL;
    scenery->mesh = file->mesh.vertex_count > 0 ? &file->mesh : NULL;
}
