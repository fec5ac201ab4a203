#include "physics/collide/surface_contact.h"

#include "physics/collide/line_contact.h"
#include "physics/terrain/triangles.h"

#include <math.h>

/* Deepest penetration behind a mesh; deeper points count as being on its other side. */
static const double REACH_M = 0.2;
static const double SAME_POINT_M = 1e-3;
enum { FOUND_MAX = 128, LOOKS_PER_TRIANGLE = 4 };

/* A shape in the surface's frame, with what has been found for it. */
typedef struct query {
    tr_patch patch;
    tr_geom_kind kind;
    tr_vec3 size, centre, axis[3];
    double distance[TR_PATCH_TRIANGLES]; /* of a ball's centre from each triangle */
    int count;
    tr_touching found[FOUND_MAX];
} query;

static int shallowest(const query *q) {
    int least = 0;
    for (int i = 1; i < q->count; i++)
        if (q->found[i].depth < q->found[least].depth)
            least = i;
    return least;
}

/* Without room it replaces the shallowest, if that is shallower. */
static void add(query *q, tr_vec3 pos, tr_vec3 normal, double depth) {
    if (!(depth > 0))
        return;
    int at = q->count < FOUND_MAX ? q->count : shallowest(q);
    if (at < q->count && q->found[at].depth >= depth)
        return;
    q->found[at] = (tr_touching){pos, normal, depth};
    q->count += at == q->count;
}

static tr_vec3 at(const query *q, double x, double y, double z) {
    tr_vec3 p = tr_vec3_add_scaled(q->centre, x, q->axis[0]);
    return tr_vec3_add_scaled(tr_vec3_add_scaled(p, y, q->axis[1]), z, q->axis[2]);
}

static void try_corner(query *q, tr_vec3 corner) {
    double depth;
    tr_vec3 normal;
    if (tr_surface_holds(&q->patch, corner, REACH_M, &depth, &normal))
        add(q, corner, normal, depth);
}

/* --- balls, alone and at the ends of capsules --- */

/* The point of a triangle nearest to p (Ericson, Real-Time Collision Detection, section 5.1.5). */
static tr_vec3 nearest_point(const tr_triangle *t, tr_vec3 p) {
    tr_vec3 a = t->corner[0], b = t->corner[1], c = t->corner[2];
    tr_vec3 ab = tr_vec3_sub(b, a), ac = tr_vec3_sub(c, a), ap = tr_vec3_sub(p, a);
    double d1 = tr_vec3_dot(ab, ap), d2 = tr_vec3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0)
        return a;
    tr_vec3 bp = tr_vec3_sub(p, b);
    double d3 = tr_vec3_dot(ab, bp), d4 = tr_vec3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3)
        return b;
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return tr_vec3_add_scaled(a, d1 / (d1 - d3), ab);
    tr_vec3 cp = tr_vec3_sub(p, c);
    double d5 = tr_vec3_dot(ab, cp), d6 = tr_vec3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6)
        return c;
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return tr_vec3_add_scaled(a, d2 / (d2 - d6), ac);
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6)
        return tr_vec3_add_scaled(b, (d4 - d3) / (d4 - d3 + d5 - d6), tr_vec3_sub(c, b));
    double v = vb / (va + vb + vc), w = vc / (va + vb + vc);
    return tr_vec3_add_scaled(tr_vec3_add_scaled(a, v, ab), w, ac);
}

/* Whether a point of one triangle is the nearest of the whole surface around it: another triangle
 * that holds the point may come nearer to the ball. Without this a ball would trip over every edge
 * between flat neighbours. */
static bool nearest_of_all(const query *q, tr_vec3 point, double distance) {
    for (int i = 0; i < q->patch.triangle_count; i++)
        if (q->distance[i] < distance - 1e-9 &&
            tr_vec3_distance(nearest_point(&q->patch.triangle[i], point), point) <= 1e-9)
            return false;
    return true;
}

static void touch_ball(query *q, tr_vec3 centre, double radius) {
    double depth;
    tr_vec3 normal;
    if (tr_surface_holds(&q->patch, centre, REACH_M, &depth, &normal)) {
        add(q, tr_vec3_add_scaled(centre, -radius, normal), normal, depth + radius);
        return;
    }
    for (int i = 0; i < q->patch.triangle_count; i++) {
        const tr_triangle *t = &q->patch.triangle[i];
        q->distance[i] = tr_vec3_distance(nearest_point(t, centre), centre);
    }
    for (int i = 0; i < q->patch.triangle_count; i++) {
        const tr_triangle *t = &q->patch.triangle[i];
        double above = tr_vec3_dot(t->normal, tr_vec3_sub(centre, t->corner[0]));
        if (above <= 0 || above >= radius)
            continue;
        tr_vec3 point = nearest_point(t, centre);
        double distance = q->distance[i];
        if (distance >= radius || distance < 1e-9 || !nearest_of_all(q, point, distance))
            continue;
        add(q, point, tr_vec3_scale(tr_vec3_sub(centre, point), 1 / distance), radius - distance);
    }
}

/* --- ridges --- */

/* A ridge against the middle line of a capsule: where the line, between its ends, comes nearest. */
static void touch_capsule_ridge(query *q, const tr_ridge *ridge) {
    double radius = q->size.x, half = q->size.y;
    tr_vec3 u = q->axis[2], v = tr_vec3_sub(ridge->to, ridge->from);
    tr_vec3 w = tr_vec3_sub(q->centre, ridge->from);
    double b = tr_vec3_dot(u, v), c = tr_vec3_dot(v, v);
    double d = tr_vec3_dot(u, w), e = tr_vec3_dot(v, w), det = c - b * b;
    if (det < 1e-9 * c)
        return;
    double t = fmin(fmax((e - b * d) / det, 0), 1), s = b * t - d;
    if (fabs(s) >= half)
        return;
    tr_vec3 on_axis = tr_vec3_add_scaled(q->centre, s, u);
    tr_vec3 on_ridge = tr_vec3_add_scaled(ridge->from, t, v), n = tr_vec3_sub(on_axis, on_ridge);
    double distance = tr_vec3_length(n);
    if (distance < radius && distance > 1e-9 && tr_vec3_dot(n, ridge->out) > 0)
        add(q, on_ridge, tr_vec3_scale(n, 1 / distance), radius - distance);
}

/* The face of a box through which it crossed the ridge: of those that look against the ridge's
 * outside, the nearest to the point. Returns the depth; out_normal is against the face. */
static double face_depth(const query *q, const double half[3], tr_vec3 out_of_ridge, tr_vec3 point,
                         tr_vec3 *out_normal) {
    tr_vec3 local = tr_vec3_sub(point, q->centre);
    double least = INFINITY, length = tr_vec3_length(out_of_ridge);
    for (int k = 0; k < 3; k++) {
        double against = tr_vec3_dot(q->axis[k], out_of_ridge);
        if (fabs(against) < 0.4 * length)
            continue;
        double side = against > 0 ? -1 : 1;
        double depth = half[k] - side * tr_vec3_dot(q->axis[k], local);
        if (depth >= least)
            continue;
        least = depth;
        *out_normal = tr_vec3_scale(q->axis[k], -side);
    }
    return isfinite(least) ? least : 0;
}

static void touch_box_ridge(query *q, const double half[3], const tr_ridge *ridge) {
    tr_vec3 start = tr_vec3_sub(ridge->from, q->centre), run = tr_vec3_sub(ridge->to, ridge->from);
    double from[3], along[3], inside[2] = {0, 1};
    for (int k = 0; k < 3; k++) {
        from[k] = tr_vec3_dot(q->axis[k], start);
        along[k] = tr_vec3_dot(q->axis[k], run);
    }
    if (!tr_line_clip(from, along, half, 3, 1e-12, inside))
        return;
    for (int end = 0; end < 2; end++) {
        tr_vec3 point = tr_vec3_add_scaled(ridge->from, inside[end], run), normal = ridge->out;
        double depth = face_depth(q, half, ridge->out, point, &normal);
        add(q, point, normal, depth);
    }
}

/* --- shapes --- */

static void touch_box(query *q) {
    for (int corner = 0; corner < 8; corner++)
        try_corner(q, at(q, corner & 1 ? q->size.x : -q->size.x,
                         corner & 2 ? q->size.y : -q->size.y, corner & 4 ? q->size.z : -q->size.z));
    const double half[3] = {q->size.x, q->size.y, q->size.z};
    for (int i = 0; i < q->patch.ridge_count; i++)
        touch_box_ridge(q, half, &q->patch.ridge[i]);
}

static void touch_capsule(query *q) {
    for (int end = -1; end <= 1; end += 2)
        touch_ball(q, at(q, 0, 0, end * q->size.y), q->size.x);
    for (int i = 0; i < q->patch.ridge_count; i++)
        touch_capsule_ridge(q, &q->patch.ridge[i]);
}

/* Eight points around each rim, the first the lowest of it, and the ridges as against its box. */
static void touch_cylinder(query *q) {
    static const double s = 0.70710678118654752440;
    static const double ring[8][2] = {{1, 0},  {s, s},   {0, 1},  {-s, s},
                                      {-1, 0}, {-s, -s}, {0, -1}, {s, -s}};
    double x = -q->axis[0].z, y = -q->axis[1].z, length = sqrt(x * x + y * y);
    double c = length > 1e-6 ? x / length : 1, d = length > 1e-6 ? y / length : 0;
    double radius = q->size.x, half = q->size.y;
    for (int end = -1; end <= 1; end += 2)
        for (int k = 0; k < 8; k++)
            try_corner(q, at(q, radius * (c * ring[k][0] - d * ring[k][1]),
                             radius * (d * ring[k][0] + c * ring[k][1]), end * half));
    const double box[3] = {radius, radius, half};
    for (int i = 0; i < q->patch.ridge_count; i++)
        touch_box_ridge(q, box, &q->patch.ridge[i]);
}

/* --- keeping few --- */

static double distance_to_kept(const tr_touching *kept, int count, tr_vec3 pos) {
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        least = fmin(least, tr_vec3_distance(kept[i].pos, pos));
    return least;
}

/* Keeps the deepest point, and then those furthest from the kept ones. */
static int keep_few(const query *q, tr_touching out[TR_SURFACE_POINTS]) {
    int best = 0, kept = 0;
    for (int i = 1; i < q->count; i++)
        if (q->found[i].depth > q->found[best].depth)
            best = i;
    double apart = q->count > 0 ? INFINITY : 0;
    while (apart > SAME_POINT_M && kept < TR_SURFACE_POINTS) {
        out[kept++] = q->found[best];
        apart = 0;
        for (int i = 0; i < q->count; i++) {
            double distance = distance_to_kept(out, kept, q->found[i].pos);
            if (distance > apart) {
                apart = distance;
                best = i;
            }
        }
    }
    return kept;
}

/* --- the whole --- */

/* The world box in the surface's frame. */
static void local_bounds(const tr_mat3 *rot, tr_vec3 pos, const double *low, const double *high,
                         double out_low[3], double out_high[3]) {
    tr_vec3 middle = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])};
    tr_vec3 local = tr_mat3_apply_transposed(rot, tr_vec3_sub(middle, pos));
    double centre[3] = {local.x, local.y, local.z};
    for (int k = 0; k < 3; k++) {
        double extent = 0;
        for (int row = 0; row < 3; row++)
            extent += fabs(rot->m[3 * row + k]) * 0.5 * (high[row] - low[row]);
        out_low[k] = centre[k] - extent;
        out_high[k] = centre[k] + extent;
    }
}

static void place(query *q, const tr_scenery *s, const tr_collider *c, const tr_frame *frame) {
    tr_shape_pose pose = tr_collider_pose(c, frame);
    q->kind = c->kind;
    q->size = c->size;
    q->centre = tr_mat3_apply_transposed(&s->rot, tr_vec3_sub(pose.centre, s->def.pos));
    for (int k = 0; k < 3; k++)
        q->axis[k] = tr_mat3_apply_transposed(&s->rot, pose.axis[k]);
}

int tr_surface_touch(const tr_scenery *s, const tr_collider *collider, const tr_frame *frame,
                     int *looks, tr_touching out[TR_SURFACE_POINTS]) {
    double low[3], high[3];
    query q;
    local_bounds(&s->rot, s->def.pos, collider->low, collider->high, low, high);
    bool round = collider->kind == TR_GEOM_SPHERE || collider->kind == TR_GEOM_CAPSULE;
    if (tr_surface_gather(s->def.surface, low, high, round, &q.patch, looks) == 0)
        return 0;
    /* Every corner or end of the shape is held against all triangles, and the shape against all
     * ridges. */
    *looks -= LOOKS_PER_TRIANGLE * q.patch.triangle_count + q.patch.ridge_count;
    place(&q, s, collider, frame);
    q.count = 0;
    switch (q.kind) {
    case TR_GEOM_SPHERE:
        touch_ball(&q, q.centre, q.size.x);
        break;
    case TR_GEOM_CAPSULE:
        touch_capsule(&q);
        break;
    case TR_GEOM_BOX:
        touch_box(&q);
        break;
    case TR_GEOM_CYLINDER:
        touch_cylinder(&q);
        break;
    }
    int count = keep_few(&q, out);
    for (int i = 0; i < count; i++) {
        out[i].pos = tr_vec3_add(s->def.pos, tr_mat3_apply(&s->rot, out[i].pos));
        out[i].normal = tr_mat3_apply(&s->rot, out[i].normal);
    }
    return count;
}
