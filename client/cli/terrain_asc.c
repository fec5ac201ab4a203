/* Esri ASCII grids: a head of "ncols 3", "nrows 2", "cellsize 0.5" and others, then rows of heights
 * in metres. Where the grid lies on earth (xllcorner, yllcorner) is not used: scenery has its own
 * place. */
#include "cli/terrain_file.h"

#include "proto/option.h"
#include "proto/text_file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double HEIGHT_MAX_M = 10000;

typedef struct head {
    double columns, rows, cell_m, dx, dy, missing;
    unsigned seen; /* a bit for each key */
    bool has_missing;
} head;

/* The text and the place in it. */
typedef struct reading {
    const tr_terrain_source *source;
    tr_error *error;
    const char *at;
    unsigned line;
} reading;

static tr_status fail(const reading *r, const char *what) {
    return tr_fail(r->error, TR_INVALID_ARGUMENT, "%s:%u: %s", r->source->path, r->line, what);
}

/* The next word, cut to its buffer; "" at the end. */
static void next_word(reading *r, char out[64]) {
    size_t length = 0;
    for (; isspace((unsigned char)*r->at); r->at++)
        r->line += *r->at == '\n';
    for (; *r->at && !isspace((unsigned char)*r->at); r->at++)
        if (length < 63)
            out[length++] = *r->at;
    out[length] = '\0';
}

/* "nan" is a number here: GDAL writes it where there is no data. */
static bool read_number(const char *word, double *out) {
    if (strcasecmp(word + (*word == '-'), "nan") != 0)
        return tr_option_real(word, out);
    *out = NAN;
    return true;
}

static tr_status read_key(reading *r, const char *key, head *out) {
    double unused;
    const struct {
        const char *name;
        double *target;
    } keys[] = {{"ncols", &out->columns}, {"nrows", &out->rows},  {"cellsize", &out->cell_m},
                {"dx", &out->dx},         {"dy", &out->dy},       {"nodata_value", &out->missing},
                {"xllcorner", &unused},   {"yllcorner", &unused}, {"xllcenter", &unused},
                {"yllcenter", &unused}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char word[64];
        if (strcasecmp(key, keys[i].name) != 0)
            continue;
        if (out->seen & 1u << i)
            return tr_fail(r->error, TR_INVALID_ARGUMENT, "%s:%u: '%s' stands twice",
                           r->source->path, r->line, key);
        out->seen |= 1u << i;
        next_word(r, word);
        if (!read_number(word, keys[i].target))
            return tr_fail(r->error, TR_INVALID_ARGUMENT,
                           "%s:%u: %s: expected a number, found '%s'", r->source->path, r->line,
                           keys[i].name, word);
        out->has_missing |= keys[i].target == &out->missing;
        return TR_OK;
    }
    return tr_fail(r->error, TR_INVALID_ARGUMENT,
                   "%s:%u: '%s': expected ncols, nrows, cellsize (or dx and dy), nodata_value, "
                   "xllcorner, yllcorner or heights",
                   r->source->path, r->line, key);
}

/* Reads "key value" lines as long as a key comes; the grid begins at *r then. */
static tr_status read_head(reading *r, head *out) {
    char word[64];
    double height;
    for (;;) {
        reading before = *r;
        next_word(r, word);
        if (!word[0] || read_number(word, &height)) {
            *r = before;
            break;
        }
        tr_status status = read_key(r, word, out);
        if (status)
            return status;
    }
    if (out->dx != out->dy)
        return fail(r, "dx and dy differ: expected square cells; resample the grid");
    if (out->cell_m > 0 && out->dx > 0 && out->dx != out->cell_m)
        return fail(r, "cellsize and dx differ: expected one of them");
    out->cell_m = out->cell_m > 0 ? out->cell_m : out->dx;
    if (!(out->cell_m > 0 && isfinite(out->cell_m)))
        return fail(r, "expected ncols, nrows and a positive cellsize at its beginning");
    return TR_OK;
}

static tr_status read_height(reading *r, const head *h, float *out, tr_error *error) {
    char word[64];
    double value;
    next_word(r, word);
    if (!read_number(word, &value))
        return tr_fail(error, TR_INVALID_ARGUMENT, "expected a height in metres, found '%s'",
                       word[0] ? word : "the end of the file");
    /* Writers round the value of the head, or that of the cells, to a few digits. */
    if (isnan(value) || (h->has_missing && fabs(value - h->missing) <= 1e-5 * fabs(h->missing)))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "no data: a height field has no holes; fill them");
    if (!(fabs(value) <= HEIGHT_MAX_M))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%g: expected a height of -10000 to 10000 m",
                       value);
    *out = (float)value;
    return TR_OK;
}

static tr_status read_grid(reading *r, const head *h, tr_terrain_file *out) {
    uint32_t columns = out->heights.columns, rows = out->heights.rows;
    tr_error inner = {0};
    char word[64];
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            float *height = &out->number[(size_t)(rows - 1 - row) * columns + column];
            tr_status status = read_height(r, h, height, &inner);
            if (status)
                return tr_fail(r->error, status, "%s:%u: row %u, column %u: %s", r->source->path,
                               r->line, row + 1, column + 1, inner.message);
        }
    next_word(r, word);
    if (!word[0])
        return TR_OK;
    return tr_fail(r->error, TR_INVALID_ARGUMENT,
                   "%s:%u: '%s' after the grid: expected %u x %u heights, as ncols and nrows say",
                   r->source->path, r->line, word, columns, rows);
}

tr_status tr_terrain_read_asc(const tr_terrain_source *source, tr_terrain_file *out,
                              tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    head h = {0};
    tr_status status = tr_text_file_read(source->path, TR_TERRAIN_TEXT_MAX, &text, &size, error);
    if (status)
        return status;
    reading r = {source, error, text, 1};
    status = read_head(&r, &h);
    if (!status)
        status = tr_terrain_make_heights(source, h.columns, h.rows, out, error);
    if (!status) {
        out->heights.spacing_m = h.cell_m;
        status = read_grid(&r, &h, out);
    }
    free(text);
    return status;
}
