/* The triangles of a surface: what collision and ground queries ask of it. Internal to physics/.
 * All in the surface's own frame. */
#pragma once

#include "math/vec3.h"
#include "physics/terrain/surface.h"

#include <stdbool.h>

/* A corner of a triangle to the next one: a ridge when both of its triangles fall away from it, or
 * it has one alone. `out` is the sum of their normals. */
typedef struct tr_ridge {
    tr_vec3 from, to, out;
} tr_ridge;

typedef struct tr_triangle {
    tr_vec3 corner[3], normal;
} tr_triangle;

enum { TR_PATCH_TRIANGLES = 256, TR_PATCH_RIDGES = 3 * TR_PATCH_TRIANGLES };

/* The part of a surface near a shape. */
typedef struct tr_patch {
    const tr_surface *surface;
    int triangle_count, ridge_count;
    tr_triangle triangle[TR_PATCH_TRIANGLES];
    tr_ridge ridge[TR_PATCH_RIDGES]; /* each once */
} tr_patch;

/* The box around the surface. */
void tr_surface_bounds(const tr_surface *surface, double low[3], double high[3]);

/* Triangles and ridges that meet a box, the middle of it where there are too many. Returns how many
 * triangles. Without `triangles` those of a height field are counted only: boxes and cylinders
 * touch its ridges alone. looks: how many boxes and triangles of the surface may be examined, less
 * those that were; below 0: there would have been more. */
int tr_surface_gather(const tr_surface *surface, const double low[3], const double high[3],
                      bool triangles, tr_patch *out, int *looks);

/* Whether a point lies behind the surface, no deeper than `reach`; its depth and the normal
 * there. */
bool tr_surface_holds(const tr_patch *patch, tr_vec3 point, double reach, double *out_depth,
                      tr_vec3 *out_normal);

/* The surface under a point, along a unit vector `up`: how far above the point (mostly below: less
 * than 0) and, unless NULL, the normal there. Above it where the point lies inside. False:
 * nothing is there. looks: as for tr_surface_gather. */
bool tr_surface_under(const tr_surface *surface, tr_vec3 point, tr_vec3 up, int *looks,
                      double *out_above, tr_vec3 *out_normal);
