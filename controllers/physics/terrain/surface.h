/* Ground of any form: a height field or a triangle mesh.
 *
 * A surface never changes after it was made and may be shared by any number of worlds and threads;
 * it lives until its last holder releases it. Its own frame is that of the scenery it is used in: z
 * up, metres. What lies behind it, below a height field or at the back of a mesh's triangles, is
 * solid.
 *
 * Contacts with the triangles are computed here, and not by ODE: ODE's height field finds contacts
 * with the plane of each triangle but none with the ridges between them, its meshes keep state per
 * thread, and both are slower. */
#pragma once

#include "proto/status.h"

#include <stddef.h>
#include <stdint.h>

enum {
    TR_SURFACE_SAMPLES_MAX = 1 << 19, /* of a height field */
    TR_SURFACE_VERTICES_MAX = 1 << 16,
    TR_SURFACE_TRIANGLES_MAX = 1 << 17
};

typedef struct tr_surface tr_surface;

/* Heights over a grid whose middle is the origin. Sample (i, j) stands at
 * x = (i - (columns - 1) / 2) spacing, y likewise with j and rows. */
typedef struct tr_heights_def {
    int columns, rows;   /* along x and y; at least 2 */
    double spacing_m;    /* 1 mm to 100 m */
    const float *height; /* [rows][columns], m */
} tr_heights_def;

/* Triangles, their corners counter-clockwise as seen from outside. */
typedef struct tr_mesh_def {
    int vertex_count, triangle_count;
    const float *vertex;   /* [vertex_count][3], m */
    const uint32_t *index; /* [triangle_count][3] */
} tr_mesh_def;

/* Copies the definition; the caller is the first holder. TR_INVALID_ARGUMENT: too few or too many
 * samples, vertices or triangles, an index that names no vertex, a coordinate that is not finite or
 * beyond 100 km, or a mesh without a triangle that has an area; TR_RESOURCE_EXHAUSTED: no
 * memory. */
tr_status tr_surface_create_heights(const tr_heights_def *def, tr_surface **out) TR_NODISCARD;
tr_status tr_surface_create_mesh(const tr_mesh_def *def, tr_surface **out) TR_NODISCARD;

/* Adds a holder; releases one. NULL is allowed. Safe on any thread. */
const tr_surface *tr_surface_hold(const tr_surface *surface);
void tr_surface_release(const tr_surface *surface);

/* Of its kind and data: equal surfaces have equal hashes. */
uint64_t tr_surface_hash(const tr_surface *surface);

/* What it was made from; pointers live as long as the surface. The one that it is not has counts of
 * zero. */
tr_heights_def tr_surface_heights(const tr_surface *surface);
tr_mesh_def tr_surface_mesh(const tr_surface *surface);
