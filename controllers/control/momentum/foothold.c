#include "control/momentum/foothold.h"

#include "math/elementary.h"
#include "model/inertia.h"

#include <math.h>

/* --- soles --- */

/* Widens the sole by a geom that is `offset` from the foot's frame. */
static void include(tr_sole *sole, const tr_geom *geom, tr_vec3 offset) {
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

tr_sole tr_sole_of(const tr_model *model, int side) {
    const int foot = model->foot[side], toe = model->toe[side];
    tr_sole sole = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, 0}};
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

void tr_foothold_touch(const tr_model *model, tr_entity_id character, const tr_contact *contact,
                       int count, bool out_stands[2]) {
    out_stands[0] = out_stands[1] = false;
    for (int i = 0; i < count; i++)
        for (int end = 0; end < 2; end++) {
            if (contact[i].entity[end] != character || contact[i].entity[1 - end] == character)
                continue;
            for (int side = 0; side < 2; side++)
                if (tr_model_is_of_foot(model, contact[i].body[end], side))
                    out_stands[side] = true;
        }
}

/* --- the polygon: the convex hull, by Jarvis's march --- */

/* Twice the area of the triangle a b c, positive if counter-clockwise. */
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

/* The corner after `from`: all other points lie to the left of the edge. Of points on a line, the
 * furthest. */
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

static void set_polygon(const tr_vec3 *point, int count, tr_foothold *out) {
    const int first = leftmost(point, count);
    int at = first;
    out->corner_count = 0;
    do {
        out->corner[out->corner_count++] = point[at];
        at = next_corner(point, count, at);
    } while (at != first && out->corner_count < TR_FOOTHOLD_CORNERS);
}

void tr_foothold_place(const tr_model *model, const tr_sole sole[2], const bool stands[2],
                       const tr_body_state *bodies, double margin_m, tr_foothold *out) {
    tr_vec3 point[TR_FOOTHOLD_CORNERS], ahead = {0, 0, 0}, sum = {0, 0, 0};
    int count = 0, standing = 0;
    for (int side = 0; side < 2; side++) {
        const int foot = model->foot[side];
        const tr_vec3 low = sole[side].low, high = sole[side].high;
        out->stands[side] = stands[side];
        out->sole[side] = tr_body_point(model, foot, tr_vec3_lerp(low, high, 0.5), &bodies[foot]);
        if (!stands[side])
            continue;
        for (int k = 0; k < 4; k++) {
            const tr_vec3 corner = {k & 1 ? high.x - margin_m : low.x + margin_m,
                                    k & 2 ? high.y - margin_m : low.y + margin_m, low.z};
            point[count++] = tr_body_point(model, foot, corner, &bodies[foot]);
        }
        ahead = tr_vec3_add(ahead, tr_quat_rotate(bodies[foot].rot, (tr_vec3){1, 0, 0}));
        sum = tr_vec3_add(sum, out->sole[side]);
        standing++;
    }
    out->middle = tr_vec3_scale(sum, 1.0 / standing);
    out->heading_rad = tr_atan2(ahead.y, ahead.x);
    set_polygon(point, count, out);
}

/* The nearest point of an edge. */
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
