/* Esri ASCII grids: a head of "ncols 3", "nrows 2", "cellsize 0.5" and others, then rows of heights
 * in metres. Where the grid lies on earth (xllcorner, yllcorner) is not read: scenery has its own
 * place. */
#include "cli/terrain_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct head {
    double columns, rows, cell_m, missing;
    bool has_missing;
} head;

static tr_status fail(const tr_terrain_source *source, tr_error *error, const char *what) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %s", source->path, what);
}

/* Reads "key value" lines as long as a key comes; the first number of the grid stays in the file. */
static tr_status read_head(const tr_terrain_source *source, head *out, tr_error *error) {
    char key[32];
    double value;
    for (;;) {
        long at = ftell(source->file);
        if (fscanf(source->file, " %31[A-Za-z_]", key) != 1) {
            if (fseek(source->file, at, SEEK_SET) != 0)
                return fail(source, error, "it cannot be read twice: expected a file");
            break;
        }
        if (fscanf(source->file, "%lf", &value) != 1)
            return fail(source, error, "expected a number after each word of the head");
        if (strcasecmp(key, "ncols") == 0)
            out->columns = value;
        else if (strcasecmp(key, "nrows") == 0)
            out->rows = value;
        else if (strcasecmp(key, "cellsize") == 0)
            out->cell_m = value;
        else if (strcasecmp(key, "nodata_value") == 0) {
            out->missing = value;
            out->has_missing = true;
        }
    }
    if (!(out->cell_m > 0))
        return fail(source, error,
                    "expected ncols, nrows and a positive cellsize at its beginning");
    return TR_OK;
}

tr_status tr_terrain_read_asc(const tr_terrain_source *source, tr_terrain_file *out,
                              tr_error *error) {
    head h = {0};
    tr_status status = read_head(source, &h, error);
    if (!status)
        status = tr_terrain_make_heights(source, h.columns, h.rows, out, error);
    if (status)
        return status;
    out->heights.spacing_m = h.cell_m;
    uint32_t columns = out->heights.columns, rows = out->heights.rows;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            double value;
            if (fscanf(source->file, "%lf", &value) != 1)
                return tr_fail(error, TR_INVALID_ARGUMENT,
                               "%s: row %u, column %u: expected a height in metres", source->path,
                               row + 1, column + 1);
            if (h.has_missing && value == h.missing)
                return tr_fail(
                    error, TR_INVALID_ARGUMENT,
                    "%s: row %u, column %u: no data: a height field has no holes; fill them",
                    source->path, row + 1, column + 1);
            out->number[(size_t)(rows - 1 - row) * columns + column] = (float)value;
        }
    return TR_OK;
}
