/* Static scenery: boxes and friction patches. */
#include "physics/scene.h"

#include <math.h>

static bool usable(const tr_scenery_def *def) {
    double n = tr_quat_dot(def->rot, def->rot);
    bool sized = def->size.x > 0 && def->size.y > 0 && (def->patch || def->size.z > 0);
    return sized && tr_vec3_is_finite(def->size) && tr_vec3_is_finite(def->pos) && n > 0.01 &&
           n < 100 && def->friction >= 0 && isfinite(def->friction);
}

static void place_box(tr_world *world, int i) {
    const tr_scenery_def *def = &world->scenery[i];
    tr_mat3 r = tr_quat_to_mat3(def->rot);
    dMatrix3 rotation = {0};
    double half[3] = {def->size.x, def->size.y, def->size.z};
    double pos[3] = {def->pos.x, def->pos.y, def->pos.z};
    for (int row = 0; row < 3; row++) {
        double extent = 0;
        for (int k = 0; k < 3; k++) {
            rotation[4 * row + k] = r.m[3 * row + k];
            extent += fabs(r.m[3 * row + k]) * half[k];
        }
        world->scenery_low[i][row] = pos[row] - extent;
        world->scenery_high[i][row] = pos[row] + extent;
    }
    dGeomSetPosition(world->scenery_geom[i], pos[0], pos[1], pos[2]);
    dGeomSetRotation(world->scenery_geom[i], rotation);
}

tr_status tr_world_add_scenery(tr_world *world, const tr_scenery_def *def) {
    if (!usable(def))
        return TR_INVALID_ARGUMENT;
    if (world->scenery_count == TR_SCENERY_MAX)
        return TR_RESOURCE_EXHAUSTED;
    int i = world->scenery_count;
    world->scenery_geom[i] =
        def->patch ? NULL : dCreateBox(0, 2 * def->size.x, 2 * def->size.y, 2 * def->size.z);
    if (!def->patch && !world->scenery_geom[i])
        return TR_RESOURCE_EXHAUSTED;
    world->scenery[i] = *def;
    tr_quat rot = tr_quat_normalize(def->rot);
    world->scenery[i].rot = def->patch ? tr_quat_from_heading(tr_quat_heading(rot)) : rot;
    world->scenery_count++;
    if (!def->patch)
        place_box(world, i);
    return TR_OK;
}

const tr_scenery_def *tr_world_scenery(const tr_world *world, int *out_count) {
    *out_count = world->scenery_count;
    return world->scenery;
}
