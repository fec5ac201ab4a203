#include "physics/world/ground.h"
#include "physics/collide/collider.h"
#include "physics/terrain/triangles.h"
#include "physics/world/world.h"

#include <math.h>

static const double SAMPLE_RADIUS_M = 0.25, STEP_M = 0.3;
static const double AHEAD_M = 0.25, ASIDE_M = 0.2, AHEAD_MOST_M = 1; /* tr_world_ground_ahead */
/* At boxes and triangles of meshes in one search. A mesh of 100,000 triangles side by side takes
 * about 100; without a bound, a mesh of as many in one place takes all of them. */
enum { SAMPLES = 9, LOOKS = 2048 };

static const tr_ground flat = {0, {0, 0, 1}};

/* --- the ground under a point --- */

/* A shape where its frame is, or scenery that is a surface. */
typedef struct solid {
    const tr_scenery *surface; /* NULL: a shape */
    const tr_collider *collider;
    const tr_frame *frame;
} solid;

/* What a vertical column may cross. */
typedef struct solids {
    int count;
    solid solid[TR_SCENERY_MAX + TR_OBJECT_MAX * TR_OBJECT_GEOM_MAX];
} solids;

static bool column_meets(const double *low, const double *high, tr_vec3 top, double radius) {
    return low[0] <= top.x + radius && high[0] >= top.x - radius && low[1] <= top.y + radius &&
           high[1] >= top.y - radius && low[2] <= top.z;
}

/* Solids that begin below `top` within `radius` of the vertical through it. */
static void find_solids(const tr_world *world, tr_vec3 top, double radius, solids *out) {
    out->count = 0;
    for (int i = 0; i < world->scenery_count; i++) {
        const tr_scenery *s = world->scenery[i];
        bool surface = s->def.kind == TR_SCENERY_SURFACE;
        if (s->def.kind != TR_SCENERY_PATCH && column_meets(s->low, s->high, top, radius))
            out->solid[out->count++] = (solid){surface ? s : NULL, &s->collider, &tr_scenery_frame};
    }
    for (int i = 0; i < world->object_count; i++) {
        tr_object *o = world->object[i];
        for (int g = 0; o->kinematic && !o->faulted && g < o->def.geom_count; g++) {
            tr_collider *c = &o->collider[g];
            tr_collider_bound(c, &o->frame);
            if (column_meets(c->low, c->high, top, radius))
                out->solid[out->count++] = (solid){NULL, c, &o->frame};
        }
    }
}

/* The ground that one solid gives under the point; of a surface without normal where only its
 * height is wanted. False: none. */
static bool ground_of(const solid *s, tr_vec3 point, bool height_only, int *looks, tr_ground *out) {
    if (!s->surface) {
        tr_column column;
        if (!tr_collider_column(s->collider, s->frame, point.x, point.y, &column) ||
            column.low > point.z)
            return false;
        *out = (tr_ground){column.high, column.normal};
        return true;
    }
    const tr_mat3 *rot = &s->surface->rot;
    tr_vec3 local = tr_mat3_apply_transposed(rot, tr_vec3_sub(point, s->surface->def.pos));
    tr_vec3 up = {rot->m[6], rot->m[7], rot->m[8]}, normal;
    tr_vec3 *wanted = height_only ? NULL : &normal;
    double above;
    if (!tr_surface_under(s->surface->def.surface, local, up, looks, &above, wanted))
        return false;
    *out = (tr_ground){point.z + above, wanted ? tr_mat3_apply(rot, normal) : flat.normal};
    return true;
}

/* The highest top of what begins at or below the point. False: there is nothing. */
static bool ground_among(const tr_world *world, const solids *near, tr_vec3 point, bool height_only,
                         tr_ground *out) {
    bool found = world->ground;
    tr_ground best = flat;
    int looks = LOOKS;
    for (int i = 0; i < near->count; i++) {
        tr_ground one;
        if (!ground_of(&near->solid[i], point, height_only, &looks, &one) ||
            (found && one.height <= best.height))
            continue;
        best = one;
        found = true;
    }
    if (found)
        *out = best;
    return found;
}

bool tr_world_ground(const tr_world *world, tr_vec3 point, tr_ground *out) {
    solids near;
    if (!tr_vec3_is_finite(point))
        return false;
    find_solids(world, point, 0, &near);
    return ground_among(world, &near, point, false, out);
}

/* --- the local ground of a character --- */

typedef struct sample {
    double x, y, height; /* from the centre, m */
} sample;

static int take_samples(const tr_world *world, const solids *near, tr_vec3 centre,
                        sample out[SAMPLES]) {
    static const double s = 0.70710678118654752440;
    static const double ring[SAMPLES][2] = {{0, 0},  {1, 0},   {s, s},  {0, 1}, {-s, s},
                                            {-1, 0}, {-s, -s}, {0, -1}, {s, -s}};
    int count = 0;
    for (int i = 0; i < SAMPLES; i++) {
        sample at = {SAMPLE_RADIUS_M * ring[i][0], SAMPLE_RADIUS_M * ring[i][1], 0};
        tr_vec3 point = {centre.x + at.x, centre.y + at.y, centre.z};
        tr_ground under;
        if (!ground_among(world, near, point, true, &under))
            continue;
        at.height = under.height;
        out[count++] = at;
    }
    return count;
}

static int keep_near(sample *samples, int count, double level) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (fabs(samples[i].height - level) <= STEP_M)
            samples[kept++] = samples[i];
    return kept;
}

/* The plane z = a + b x + c y through the samples by least squares, heights taken from the first,
 * so that a level is met exactly; their mean where they do not span a plane. */
static tr_ground fit_plane(const sample *samples, int count) {
    double level = samples[0].height, x = 0, y = 0, z = 0;
    for (int i = 0; i < count; i++) {
        x += samples[i].x / count;
        y += samples[i].y / count;
        z += (samples[i].height - level) / count;
    }
    double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
    for (int i = 0; i < count; i++) {
        double dx = samples[i].x - x, dy = samples[i].y - y, dz = samples[i].height - level - z;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
        xz += dx * dz;
        yz += dy * dz;
    }
    double det = xx * yy - xy * xy, spread = xx + yy;
    if (!(det > 1e-3 * spread * spread))
        return (tr_ground){level + z, {0, 0, 1}};
    double b = (xz * yy - yz * xy) / det, c = (yz * xx - xz * xy) / det;
    tr_vec3 normal = {-b, -c, 1};
    return (tr_ground){level + (z - b * x - c * y), tr_vec3_normalize_or(normal, normal)};
}

/* The local ground where the last one was `last`, or without one when it is NULL. */
static tr_ground local_ground(const tr_world *world, const tr_character *c, const tr_ground *last) {
    tr_vec3 top = c->state.pose.root_pos;
    if (last && top.z < last->height + STEP_M)
        top.z = last->height + STEP_M;
    solids near;
    find_solids(world, top, SAMPLE_RADIUS_M, &near);
    if (near.count == 0)
        return world->ground ? flat : last ? *last : flat;
    sample samples[SAMPLES], kept[SAMPLES];
    int count = take_samples(world, &near, top, samples), left = 0;
    for (int i = 0; i < count; i++)
        kept[i] = samples[i];
    if (last)
        left = keep_near(kept, count, last->height);
    if (left > 0)
        return fit_plane(kept, left);
    tr_ground under;
    if (!ground_among(world, &near, c->state.pose.root_pos, true, &under))
        return last ? *last : flat;
    return fit_plane(samples, keep_near(samples, count, under.height));
}

void tr_ground_find(const tr_world *world, tr_character *c) {
    c->ground = local_ground(world, c, NULL);
}

void tr_ground_follow(tr_world *world) {
    for (int i = 0; i < world->character_count; i++) {
        tr_character *c = world->character[i];
        if (!c->faulted)
            c->ground = local_ground(world, c, &c->ground);
    }
}

tr_ground tr_world_local_ground(const tr_world *world, tr_entity_id id) {
    const tr_character *c = tr_scene_character(world, id);
    return c ? c->ground : flat;
}

void tr_world_ground_ahead(const tr_world *world, tr_entity_id id, double out[TR_GROUND_AHEAD]) {
    const tr_character *c = tr_scene_character(world, id);
    for (int i = 0; i < TR_GROUND_AHEAD; i++)
        out[i] = 0;
    if (!c)
        return;
    const tr_vec3 facing = tr_quat_facing(c->state.pose.root_rot);
    tr_vec3 top = c->state.pose.root_pos;
    top.z = c->ground.height + AHEAD_MOST_M;
    solids near;
    find_solids(world, top, AHEAD_MOST_M + AHEAD_M, &near); /* beyond the farthest point */
    for (int i = 0; i < TR_GROUND_AHEAD; i++) {
        const int row = i / 3, side = i % 3 - 1;
        const double ahead = row * AHEAD_M, aside = side * ASIDE_M;
        const tr_vec3 point = {top.x + ahead * facing.x - aside * facing.y,
                               top.y + ahead * facing.y + aside * facing.x, top.z};
        tr_ground under;
        out[i] = -AHEAD_MOST_M;
        if (ground_among(world, &near, point, true, &under))
            out[i] = fmin(fmax(under.height - c->ground.height, -AHEAD_MOST_M), AHEAD_MOST_M);
    }
}
