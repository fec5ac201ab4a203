/* A triangle mesh: one of the two kinds of surface (surface.h). Internal to physics/.
 *
 * Triangles are found through a tree of boxes, halved along the longest side at the middle triangle.
 * Triangles without area are left out. */
#pragma once

#include "physics/terrain/triangles.h"

typedef struct tr_mesh tr_mesh;

tr_status tr_mesh_create(const tr_mesh_def *def, tr_mesh **out) TR_NODISCARD;
void tr_mesh_destroy(tr_mesh *mesh); /* NULL is fine */
uint64_t tr_mesh_hash(const tr_mesh *mesh);
tr_mesh_def tr_mesh_definition(const tr_mesh *mesh);

/* As the functions of triangles.h. */
void tr_mesh_bounds(const tr_mesh *mesh, double low[3], double high[3]);
void tr_mesh_gather(const tr_mesh *mesh, const double low[3], const double high[3], tr_patch *out,
                    int *looks);
bool tr_mesh_holds(const tr_patch *patch, tr_vec3 point, double reach, double *out_depth,
                   tr_vec3 *out_normal);
bool tr_mesh_under(const tr_mesh *mesh, tr_vec3 point, tr_vec3 up, int *looks, double *out_above,
                   tr_vec3 *out_normal);
