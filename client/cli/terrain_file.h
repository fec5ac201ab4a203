/* Terrain from files, as scenery takes it: height fields from Esri ASCII grids (.asc) and from grey
 * PNG images (.png), meshes from Wavefront OBJ files (.obj). 'troupe-train terrain' writes the
 * first and the last.
 *
 * Rows of grids and images run from north, the largest y, to south. What is too large is refused
 * before memory is taken for it. */
#pragma once

#include "troupe/client.h"

enum {
    TR_TERRAIN_SAMPLES_MAX = 262144,
    TR_TERRAIN_VERTICES_MAX = 32768,
    TR_TERRAIN_TRIANGLES_MAX = 65536,
    TR_TERRAIN_TEXT_MAX = 64 * 1024 * 1024
};

/* What files do not say. */
typedef struct tr_terrain_scale {
    double cell_m;   /* of images: between pixels */
    double height_m; /* of images: of white; black is 0 */
    bool y_up;       /* of meshes: turned so that y becomes z */
} tr_terrain_scale;

typedef struct tr_terrain_file {
    tr_client_heights heights; /* columns 0: it is a mesh */
    tr_client_mesh mesh;
    float *number;   /* heights or vertices; owned */
    uint32_t *index; /* owned */
} tr_terrain_file;

/* Loads a file by its ending; the caller deinits it on success. TR_NOT_FOUND: it cannot be read;
 * TR_INVALID_ARGUMENT: another ending, or a mistake, with file and line; TR_RESOURCE_EXHAUSTED: no
 * memory. */
tr_status tr_terrain_file_load(const char *path, const tr_terrain_scale *scale,
                               tr_terrain_file *out, tr_error *error) TR_NODISCARD;
void tr_terrain_file_deinit(tr_terrain_file *file);

/* Makes scenery of it, which shares its numbers. */
void tr_terrain_file_place(const tr_terrain_file *file, tr_client_scenery *scenery);

/* --- the formats: *out is zero and is freed by the caller --- */

typedef struct tr_terrain_source {
    const char *path;
    tr_terrain_scale scale;
} tr_terrain_source;

tr_status tr_terrain_read_asc(const tr_terrain_source *source, tr_terrain_file *out,
                              tr_error *error) TR_NODISCARD;
tr_status tr_terrain_read_png(const tr_terrain_source *source, tr_terrain_file *out,
                              tr_error *error) TR_NODISCARD;
tr_status tr_terrain_read_obj(const tr_terrain_source *source, tr_terrain_file *out,
                              tr_error *error) TR_NODISCARD;

/* Takes memory for a height field of that many columns and rows. TR_INVALID_ARGUMENT: too few or
 * too many. */
tr_status tr_terrain_make_heights(const tr_terrain_source *source, double columns, double rows,
                                  tr_terrain_file *out, tr_error *error) TR_NODISCARD;
