#include "physics/terrain/heights.h"
#include "physics/terrain/mesh.h"
#include "physics/terrain/triangles.h"

#include <stdatomic.h>
#include <stdlib.h>

struct tr_surface {
    atomic_int holders;
    uint64_t hash;
    tr_heights *heights; /* one of the two */
    tr_mesh *mesh;
};

static tr_status finish(tr_heights *heights, tr_mesh *mesh, uint64_t hash, tr_surface **out) {
    tr_surface *surface = malloc(sizeof *surface);
    if (!surface) {
        tr_heights_destroy(heights);
        tr_mesh_destroy(mesh);
        return TR_RESOURCE_EXHAUSTED;
    }
    atomic_init(&surface->holders, 1);
    surface->hash = hash;
    surface->heights = heights;
    surface->mesh = mesh;
    *out = surface;
    return TR_OK;
}

tr_status tr_surface_create_heights(const tr_heights_def *def, tr_surface **out) {
    tr_heights *heights = NULL;
    tr_status status = tr_heights_create(def, &heights);
    return status ? status : finish(heights, NULL, tr_heights_hash(heights), out);
}

tr_status tr_surface_create_mesh(const tr_mesh_def *def, tr_surface **out) {
    tr_mesh *mesh = NULL;
    tr_status status = tr_mesh_create(def, &mesh);
    return status ? status : finish(NULL, mesh, tr_mesh_hash(mesh), out);
}

/* The count of holders is the one thing about a surface that changes. */
static tr_surface *counted(const tr_surface *surface) {
    return (tr_surface *)(uintptr_t)surface; /* NOLINT(performance-no-int-to-ptr) */
}

const tr_surface *tr_surface_hold(const tr_surface *surface) {
    if (surface)
        atomic_fetch_add(&counted(surface)->holders, 1);
    return surface;
}

void tr_surface_release(const tr_surface *surface) {
    if (!surface || atomic_fetch_sub(&counted(surface)->holders, 1) > 1)
        return;
    tr_heights_destroy(surface->heights);
    tr_mesh_destroy(surface->mesh);
    free(counted(surface));
}

uint64_t tr_surface_hash(const tr_surface *surface) {
    return surface->hash;
}

tr_heights_def tr_surface_heights(const tr_surface *surface) {
    return surface->heights ? tr_heights_definition(surface->heights) : (tr_heights_def){0};
}

tr_mesh_def tr_surface_mesh(const tr_surface *surface) {
    return surface->mesh ? tr_mesh_definition(surface->mesh) : (tr_mesh_def){0};
}

void tr_surface_bounds(const tr_surface *surface, double low[3], double high[3]) {
    if (surface->heights)
        tr_heights_bounds(surface->heights, low, high);
    else
        tr_mesh_bounds(surface->mesh, low, high);
}

int tr_surface_gather(const tr_surface *surface, const double low[3], const double high[3],
                      bool triangles, tr_patch *out, int *looks) {
    out->surface = surface;
    out->triangle_count = out->ridge_count = 0;
    if (surface->heights)
        tr_heights_gather(surface->heights, low, high, triangles, out);
    else
        tr_mesh_gather(surface->mesh, low, high, out, looks);
    return out->triangle_count;
}

bool tr_surface_holds(const tr_patch *patch, tr_vec3 point, double reach, double *out_depth,
                      tr_vec3 *out_normal) {
    if (patch->surface->heights)
        return tr_heights_hold(patch->surface->heights, point, out_depth, out_normal);
    return tr_mesh_holds(patch, point, reach, out_depth, out_normal);
}

bool tr_surface_under(const tr_surface *surface, tr_vec3 point, tr_vec3 up, int *looks,
                      double *out_above, tr_vec3 *out_normal) {
    if (surface->heights)
        return tr_heights_under(surface->heights, point, out_above, out_normal);
    return tr_mesh_under(surface->mesh, point, up, looks, out_above, out_normal);
}
