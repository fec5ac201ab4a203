/* A height field: one of the two kinds of surface (surface.h). Internal to physics/.
 *
 * Each cell of the grid is two triangles, split along the diagonal from its low to its high corner.
 * The field is turned about z alone, so that its up is the world's. */
#pragma once

#include "physics/terrain/triangles.h"

typedef struct tr_heights tr_heights;

tr_status tr_heights_create(const tr_heights_def *def, tr_heights **out) TR_NODISCARD;
void tr_heights_destroy(tr_heights *heights); /* NULL is fine */
uint64_t tr_heights_hash(const tr_heights *heights);
tr_heights_def tr_heights_definition(const tr_heights *heights);

/* As the functions of triangles.h. */
void tr_heights_bounds(const tr_heights *heights, double low[3], double high[3]);
void tr_heights_gather(const tr_heights *heights, const double low[3], const double high[3],
                       bool triangles, tr_patch *out);
bool tr_heights_hold(const tr_heights *heights, tr_vec3 point, double *out_depth,
                     tr_vec3 *out_normal);
bool tr_heights_under(const tr_heights *heights, tr_vec3 point, double *out_above,
                      tr_vec3 *out_normal);
