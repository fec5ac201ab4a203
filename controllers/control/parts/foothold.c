#include "control/parts/foothold.h"

#include "math/elementary.h"
#include "model/inertia.h"

#include <math.h>

static const double CLOSE_M = 0.015, FAR_M = 1000;

/* --- soles --- */

/* Widens the sole by a geom that is `offset` from the foot's frame. */
static void include(tr_foot_sole *sole, const tr_geom *geom, tr_vec3 offset) {
    const tr_vec3 at = tr_vec3_add(geom->pos, offset);
    const double x = tr_geom_half_extent(geom, (tr_vec3){1, 0, 0});
    const double y = tr_geom_half_extent(geom, (tr_vec3){0, 1, 0});
    const double z = tr_geom_half_extent(geom, (tr_vec3){0, 0, 1});
    sole->low.x = fmin(sole->low.x, at.x - x);
    sole->low.y = fmin(sole->low.y, at.y - y);
    sole->low.z = fmin(sole->low.z, at.z - z);
    sole->high.x = fmax(sole->high.x, at.x + x);
    sole->high.y = fmax(sole->high.y, at.y + y);
}

tr_foot_sole tr_foot_sole_of(const tr_model *model, int side) {
    const int foot = model->foot[side], toe = model->toe[side];
    tr_foot_sole sole = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, 0}};
    for (int g = 0; g < model->geom_count; g++) {
        const tr_geom *geom = &model->geom[g];
        if (geom->body == foot)
            include(&sole, geom, (tr_vec3){0, 0, 0});
        else if (toe >= 0 && geom->body == toe && model->body[toe].parent == foot)
            include(&sole, geom, model->body[toe].pos);
    }
    sole.high.z = sole.low.z;
    return sole;
}

/* --- the polygon: the convex hull, by Jarvis's march --- */

/* Returns twice the area of the triangle a b c, positive if counter-clockwise. */
static double turn(tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double square_between(tr_vec3 a, tr_vec3 b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

static int leftmost(const tr_vec3 *point, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (point[i].x < point[best].x ||
            (point[i].x == point[best].x && point[i].y < point[best].y))
            best = i;
    return best;
}

/* Returns the corner after `from`: all other points lie to the left of the edge. Of points on a
 * line, the furthest. */
static int next_corner(const tr_vec3 *point, int count, int from) {
    int next = from == 0 ? 1 : 0;
    for (int i = 0; i < count; i++) {
        const double side = turn(point[from], point[next], point[i]);
        if (i != from && (side < 0 || (side == 0 && square_between(point[from], point[i]) >
                                                        square_between(point[from], point[next]))))
            next = i;
    }
    return next;
}

void tr_foothold_span(const tr_vec3 *point, int count, tr_foothold *out) {
    const int first = leftmost(point, count);
    int at = first;
    out->corner_count = 0;
    do {
        out->corner[out->corner_count++] = point[at];
        at = next_corner(point, count, at);
    } while (at != first && out->corner_count < TR_FOOTHOLD_CORNERS);
}

/* Returns corner 0 to 3 of a sole that is smaller by `margin_m`, world. */
static tr_vec3 corner_of(const tr_foothold_def *def, int side, int index, double margin_m) {
    const int foot = def->model->foot[side];
    const tr_vec3 low = def->sole[side].low, high = def->sole[side].high;
    const tr_vec3 corner = {index & 1 ? high.x - margin_m : low.x + margin_m,
                            index & 2 ? high.y - margin_m : low.y + margin_m, low.z};
    return tr_body_point(def->model, foot, corner, &def->bodies[foot]);
}

static tr_vec3 centre_of(const tr_foothold_def *def, int side) {
    return tr_vec3_lerp(corner_of(def, side, 0, 0), corner_of(def, side, 3, 0), 0.5);
}

/* Returns the gap of the lowest corner above the plane of the ground through the point below the
 * centre. */
static double gap_of(const tr_foothold_def *def, int side) {
    const tr_vec3 centre = centre_of(def, side);
    const tr_vec3 below = {centre.x, centre.y, def->ground[side].height};
    double gap = INFINITY;
    for (int k = 0; k < 4; k++) {
        const tr_vec3 from = tr_vec3_sub(corner_of(def, side, k, 0), below);
        gap = fmin(gap, tr_vec3_dot(from, def->ground[side].normal));
    }
    return gap;
}

tr_ground tr_foothold_ground(const tr_world *world, const tr_model *model,
                             const tr_foot_sole sole[2], const tr_body_state *bodies, int side) {
    const tr_foothold_def def = {.model = model, .sole = sole, .bodies = bodies};
    tr_ground ground = {-INFINITY, {0, 0, 1}};
    tr_vec3 above = centre_of(&def, side);
    above.z += CLOSE_M; /* a sole may have sunk in */
    if (!tr_world_ground(world, above, &ground))
        ground = (tr_ground){above.z - FAR_M, {0, 0, 1}};
    return ground;
}

bool tr_foothold_place(const tr_foothold_def *def, tr_foothold *out) {
    tr_vec3 point[TR_FOOTHOLD_CORNERS], ahead = {0, 0, 0}, sum = {0, 0, 0};
    int count = 0;
    for (int side = 0; side < 2; side++) {
        out->sole[side] = centre_of(def, side);
        out->gap_m[side] = gap_of(def, side);
        out->stands[side] = out->gap_m[side] < CLOSE_M;
        if (!out->stands[side])
            continue;
        for (int k = 0; k < 4; k++)
            point[count++] = corner_of(def, side, k, def->margin_m);
        const tr_quat rot = def->bodies[def->model->foot[side]].rot;
        ahead = tr_vec3_add(ahead, tr_quat_rotate(rot, (tr_vec3){1, 0, 0}));
        sum = tr_vec3_add(sum, out->sole[side]);
    }
    if (count == 0)
        return false;
    /* There are four corners for each sole that stands. */
    out->middle = tr_vec3_scale(sum, 4.0 / count);
    out->heading_rad = tr_atan2(ahead.y, ahead.x);
    tr_foothold_span(point, count, out);
    return true;
}

/* Returns the nearest point of an edge. */
static tr_vec3 nearest_on(tr_vec3 a, tr_vec3 b, tr_vec3 point) {
    const tr_vec3 along = tr_vec3_sub(b, a), from = tr_vec3_sub(point, a);
    const double length = along.x * along.x + along.y * along.y;
    const double t = length > 0 ? (along.x * from.x + along.y * from.y) / length : 0;
    return tr_vec3_add_scaled(a, fmax(0, fmin(1, t)), along);
}

tr_vec3 tr_foothold_nearest(const tr_foothold *foothold, tr_vec3 point) {
    tr_vec3 best = point;
    double least = INFINITY;
    bool inside = true;
    for (int i = 0; i < foothold->corner_count; i++) {
        const tr_vec3 a = foothold->corner[i];
        const tr_vec3 b = foothold->corner[(i + 1) % foothold->corner_count];
        const tr_vec3 on_edge = nearest_on(a, b, point);
        const double distance = square_between(on_edge, point);
        inside = inside && turn(a, b, point) >= 0;
        if (distance < least) {
            least = distance;
            best = on_edge;
        }
    }
    return inside ? point : best;
}

int tr_bearer_of(const tr_model *model, const tr_body_state *bodies, int side, tr_vec3 pressure) {
    const int foot = model->foot[side], toe = model->toe[side];
    if (toe < 0 || model->body[toe].parent != foot)
        return foot;
    const tr_vec3 joint = tr_body_point(model, toe, model->body[toe].anchor, &bodies[toe]);
    const tr_vec3 ahead = tr_quat_rotate(bodies[foot].rot, (tr_vec3){1, 0, 0});
    return tr_vec3_dot(tr_vec3_sub(pressure, joint), ahead) > 0 ? toe : foot;
}
