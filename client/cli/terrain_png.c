/* Grey PNG images of 8 or 16 bits as height maps: black is 0, white `height_m`. Gamma is
 * ignored. */
#include "cli/terrain_file.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum { SIDE_MAX = 65536 };

typedef struct reading {
    png_structp png;
    png_infop info;
    tr_error *error;
    const char *path;
} reading;

/* libpng expects that this does not return. */
static void on_error(png_structp png, png_const_charp message) {
    const reading *r = png_get_error_ptr(png);
    (void)tr_fail(r->error, TR_INVALID_ARGUMENT, "%s: %s", r->path, message);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png, (void)message;
}

static tr_status check_kind(const reading *r) {
    int color = png_get_color_type(r->png, r->info);
    if (color == PNG_COLOR_TYPE_GRAY || color == PNG_COLOR_TYPE_GRAY_ALPHA)
        return TR_OK;
    return tr_fail(r->error, TR_INVALID_ARGUMENT, "%s: a coloured image: expected a grey one",
                   r->path);
}

/* Pixels as libpng has them: rows of 8 or 16 bits, the high byte first. */
static void take_pixels(const reading *r, double height_m, tr_terrain_file *out) {
    png_bytepp row = png_get_rows(r->png, r->info);
    uint32_t columns = out->heights.columns, rows = out->heights.rows;
    int bytes = png_get_bit_depth(r->png, r->info) == 16 ? 2 : 1;
    double unit = height_m / (bytes == 2 ? 65535 : 255);
    for (uint32_t j = 0; j < rows; j++)
        for (uint32_t i = 0; i < columns; i++) {
            const png_byte *at = row[rows - 1 - j] + (size_t)bytes * i;
            out->number[(size_t)j * columns + i] =
                (float)(unit * (bytes == 2 ? at[0] * 256 + at[1] : at[0]));
        }
}

/* All between the first and the last call of libpng, which jumps out of here when it fails. */
static tr_status read_image(const reading *r, FILE *file, const tr_terrain_source *source,
                            tr_terrain_file *out) {
    if (setjmp(png_jmpbuf(r->png)))
        return TR_INVALID_ARGUMENT;
    png_set_user_limits(r->png, SIDE_MAX, SIDE_MAX);
    png_init_io(r->png, file);
    png_read_info(r->png, r->info);
    tr_status status = check_kind(r);
    if (!status)
        status = tr_terrain_make_heights(source, png_get_image_width(r->png, r->info),
                                         png_get_image_height(r->png, r->info), out, r->error);
    if (status)
        return status;
    png_set_expand_gray_1_2_4_to_8(r->png);
    png_set_strip_alpha(r->png);
    (void)png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    size_t row_bytes = png_get_rowbytes(r->png, r->info);
    png_bytepp row = png_malloc(r->png, out->heights.rows * sizeof *row);
    for (uint32_t i = 0; i < out->heights.rows; i++)
        row[i] = NULL;
    png_set_rows(r->png, r->info, row);
    png_data_freer(r->png, r->info, PNG_DESTROY_WILL_FREE_DATA, PNG_FREE_ROWS);
    for (uint32_t i = 0; i < out->heights.rows; i++)
        row[i] = png_malloc(r->png, row_bytes);
    png_read_image(r->png, row);
    take_pixels(r, source->scale.height_m, out);
    return TR_OK;
}

tr_status tr_terrain_read_png(const tr_terrain_source *source, tr_terrain_file *out,
                              tr_error *error) {
    reading r = {.error = error, .path = source->path};
    FILE *file = fopen(source->path, "rbe");
    if (!file)
        return tr_fail(error, TR_NOT_FOUND, "%s: %s", source->path, strerror(errno));
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning);
    r.info = r.png ? png_create_info_struct(r.png) : NULL;
    tr_status status =
        r.info ? read_image(&r, file, source, out)
               : tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory for it", source->path);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    fclose(file);
    return status;
}
