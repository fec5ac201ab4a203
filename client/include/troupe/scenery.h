/* Scenery: what stands still in a world. It is part of a world's definition (world.h) or is added
 * and removed while the world runs. */
#ifndef TROUPE_SCENERY_H
#define TROUPE_SCENERY_H

#include "troupe/request.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Heights over a grid whose middle is the origin; what lies below is solid. Sample (i, j) stands at
 * x = (i - (columns - 1) / 2) spacing_m, and at y likewise with j and rows. */
typedef struct tr_client_heights {
    uint32_t columns, rows; /* 2 or more; at most 262144 samples */
    double spacing_m;
    const float *heights; /* [rows][columns], m */
} tr_client_heights;

/* Triangles, solid behind. */
typedef struct tr_client_mesh {
    uint32_t vertex_count, triangle_count; /* at most 32768, 65536 */
    const float *vertices;                 /* [vertex_count][3], m */
    const uint32_t *indices; /* [triangle_count][3], counter-clockwise as seen from outside */
} tr_client_mesh;

/* What stands still in a world: a box, or a patch, a height field or a mesh. */
typedef struct tr_client_scenery {
    bool patch;     /* no shape: the ground's friction inside a rectangle */
    double size[3]; /* of boxes and patches: half extents, m */
    double pos[3];  /* centre, of height fields and meshes their origin, m */
    double rot[4];  /* all zero: none */
    double friction;
    uint32_t id;                           /* in states; ignored in requests */
    const tr_client_heights *height_field; /* NULL for other kinds */
    const tr_client_mesh *mesh;            /* NULL for other kinds */
} tr_client_scenery;

/* Adds a piece of scenery while the world runs. The reply has its id (`scenery`).
 * TR_RESOURCE_EXHAUSTED: a world has at most 256 pieces, and 2 MiB of height fields and meshes. */
TR_API uint64_t tr_client_add_scenery(tr_client *client, tr_client_at at,
                                      const tr_client_scenery *scenery);

/* Removes a piece of scenery by its id. TR_NOT_FOUND: no such piece. */
TR_API uint64_t tr_client_remove_scenery(tr_client *client, tr_client_at at, uint32_t scenery);

#if defined(__cplusplus)
}
#endif

#endif
