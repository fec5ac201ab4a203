/* Static scenery: solids, and patches of ground with their own friction. */
#include "physics/world/scenery.h"
#include "physics/collide/collider.h"
#include "physics/terrain/triangles.h"
#include "physics/world/world.h"

#include <math.h>
#include <stdlib.h>

const tr_frame tr_scenery_frame = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {0, 0, 0, 0}};

static bool is_field(const tr_scenery_def *def) {
    return def->kind == TR_SCENERY_SURFACE && tr_surface_heights(def->surface).columns > 0;
}

static bool usable(const tr_scenery_def *def) {
    double n = tr_quat_dot(def->rot, def->rot);
    bool sized = def->size.x > 0 && def->size.y > 0 && tr_vec3_is_finite(def->size);
    bool shaped = false;
    if (def->kind == TR_SCENERY_BOX)
        shaped = sized && def->size.z > 0;
    else if (def->kind == TR_SCENERY_PATCH)
        shaped = sized;
    else if (def->kind == TR_SCENERY_SURFACE)
        shaped = def->surface;
    return shaped && tr_vec3_is_finite(def->pos) && n > 0.01 && n < 100 && def->friction >= 0 &&
           isfinite(def->friction);
}

static tr_status place_box(tr_scenery *s) {
    const tr_scenery_def *def = &s->def;
    tr_geom box = {.kind = TR_GEOM_BOX,
                   .size = def->size,
                   .pos = def->pos,
                   .rot = def->rot,
                   .friction = def->friction};
    tr_status status = tr_collider_init(&s->collider, &box, -1, (tr_vec3){0, 0, 0});
    if (status)
        return status;
    tr_collider_bound(&s->collider, &tr_scenery_frame);
    for (int k = 0; k < 3; k++) {
        s->low[k] = s->collider.low[k];
        s->high[k] = s->collider.high[k];
    }
    return TR_OK;
}

/* The world box around the corners of the surface's own one; a height field is solid all the way
 * down. */
static void place_surface(tr_scenery *s) {
    double low[3], high[3];
    tr_surface_bounds(s->def.surface, low, high);
    s->rot = tr_quat_to_mat3(s->def.rot);
    double pos[3] = {s->def.pos.x, s->def.pos.y, s->def.pos.z};
    for (int row = 0; row < 3; row++) {
        s->low[row] = s->high[row] = pos[row];
        for (int k = 0; k < 3; k++) {
            double a = s->rot.m[3 * row + k] * low[k], b = s->rot.m[3 * row + k] * high[k];
            s->low[row] += fmin(a, b);
            s->high[row] += fmax(a, b);
        }
    }
    if (is_field(&s->def))
        s->low[2] = -INFINITY;
}

static tr_status create(const tr_scenery_def *def, tr_scenery **out) {
    tr_scenery *s = aligned_alloc(64, (sizeof *s + 63) & ~(size_t)63);
    if (!s)
        return TR_RESOURCE_EXHAUSTED;
    *s = (tr_scenery){.def = *def};
    tr_status status = def->kind == TR_SCENERY_BOX ? place_box(s) : TR_OK;
    if (status) {
        free(s);
        return status;
    }
    if (def->kind == TR_SCENERY_SURFACE) {
        tr_surface_hold(def->surface);
        place_surface(s);
    }
    *out = s;
    return TR_OK;
}

void tr_scenery_destroy(tr_scenery *s) {
    tr_collider_deinit(&s->collider);
    if (s->def.kind == TR_SCENERY_SURFACE)
        tr_surface_release(s->def.surface);
    free(s);
}

tr_status tr_scenery_add(tr_world *world, const tr_scenery_def *def, uint32_t *out_id) {
    tr_scenery *s = NULL;
    if (world->scenery_count == TR_SCENERY_MAX || world->scenery_made == UINT32_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status = usable(def) ? create(def, &s) : TR_INVALID_ARGUMENT;
    if (status)
        return status;
    s->id = ++world->scenery_made;
    world->scenery[world->scenery_count++] = s;
    if (out_id)
        *out_id = s->id;
    return TR_OK;
}

tr_status tr_world_add_scenery(tr_world *world, const tr_scenery_def *def, uint32_t *out_id) {
    if (!usable(def))
        return TR_INVALID_ARGUMENT;
    tr_scenery_def settled = *def;
    bool upright = def->kind == TR_SCENERY_PATCH || is_field(def);
    settled.rot = tr_quat_normalize(def->rot);
    if (upright)
        settled.rot = tr_quat_from_heading(tr_quat_heading(settled.rot));
    return tr_scenery_add(world, &settled, out_id);
}

tr_status tr_world_remove_scenery(tr_world *world, uint32_t id) {
    for (int i = 0; i < world->scenery_count; i++) {
        if (world->scenery[i]->id != id)
            continue;
        tr_scenery_destroy(world->scenery[i]);
        world->scenery_count--;
        for (int k = i; k < world->scenery_count; k++)
            world->scenery[k] = world->scenery[k + 1];
        return TR_OK;
    }
    return TR_NOT_FOUND;
}

int tr_world_scenery(const tr_world *world, uint32_t *out_ids, int capacity) {
    for (int i = 0; i < world->scenery_count && i < capacity; i++)
        out_ids[i] = world->scenery[i]->id;
    return world->scenery_count;
}

const tr_scenery_def *tr_world_scenery_def(const tr_world *world, uint32_t id) {
    for (int i = 0; i < world->scenery_count; i++)
        if (world->scenery[i]->id == id)
            return &world->scenery[i]->def;
    return NULL;
}

/* In the order in which they were made. */
void tr_scenery_must_hold(tr_world *world, int index) {
    const tr_scenery *s = world->scenery[index];
    uint32_t after = index + 1 < world->scenery_count ? world->scenery[index + 1]->id : UINT32_MAX;
    TR_MUST_BE(&world->invariant, s->id, <, after);
    TR_MUST_BE(&world->invariant, s->id, <=, world->scenery_made);
    for (int k = 0; k < 3 && s->def.kind != TR_SCENERY_PATCH; k++)
        TR_MUST_BE(&world->invariant, s->low[k], <=, s->high[k]);
}
