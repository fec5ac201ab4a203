#include "physics/collide/collider.h"
#include "physics/scene/shape.h"

static dGeomID create_geom(tr_geom_kind kind, tr_vec3 size) {
    switch (kind) {
    case TR_GEOM_SPHERE:
        return dCreateSphere(0, size.x);
    case TR_GEOM_CAPSULE:
        return dCreateCapsule(0, size.x, 2 * size.y);
    case TR_GEOM_CYLINDER:
        return dCreateCylinder(0, size.x, 2 * size.y);
    case TR_GEOM_BOX:
        break;
    }
    return dCreateBox(0, 2 * size.x, 2 * size.y, 2 * size.z);
}

tr_status tr_collider_init(tr_collider *collider, const tr_geom *geom, int body, tr_vec3 com) {
    dGeomID created = create_geom(geom->kind, geom->size);
    if (!created)
        return TR_RESOURCE_EXHAUSTED;
    *collider = (tr_collider){.geom = created,
                              .body = body,
                              .kind = geom->kind,
                              .size = geom->size,
                              .offset = tr_vec3_sub(geom->pos, com),
                              .rot = tr_quat_to_mat3(geom->rot),
                              .friction = geom->friction,
                              .torsional = geom->torsional,
                              .rolling = geom->rolling,
                              .softness = geom->softness};
    return TR_OK;
}

void tr_collider_deinit(tr_collider *collider) {
    if (collider->geom)
        dGeomDestroy(collider->geom);
    collider->geom = NULL;
}

tr_shape_pose tr_collider_pose(const tr_collider *collider, const tr_frame *frame) {
    tr_shape_pose pose = {.centre = tr_v4_to(tr_shape_centre(collider, frame))};
    for (int k = 0; k < 3; k++)
        pose.axis[k] = tr_v4_to(tr_shape_axis(collider, frame, k));
    return pose;
}

void tr_collider_bound(tr_collider *collider, const tr_frame *frame) {
    tr_shape_bound(collider, frame);
}

dGeomID tr_collider_geom(tr_collider *collider, const tr_frame *frame) {
    if (!collider->placed) {
        tr_v4 centre = tr_shape_centre(collider, frame);
        dGeomSetPosition(collider->geom, centre[0], centre[1], centre[2]);
        if (collider->kind != TR_GEOM_SPHERE) {
            dMatrix3 rotation = {0};
            for (int k = 0; k < 3; k++) {
                tr_v4 axis = tr_shape_axis(collider, frame, k);
                for (int row = 0; row < 3; row++)
                    rotation[4 * row + k] = axis[row];
            }
            dGeomSetRotation(collider->geom, rotation);
        }
        collider->placed = true;
    }
    return collider->geom;
}

/* --- columns --- */

/* The line p + t z, given in the shape's axes. */
typedef struct line {
    tr_vec3 p, up;
} line;

/* Narrows t in [low, high] to where the ball at `centre` holds the line. False: nowhere. */
static bool cross_ball(const line *l, tr_vec3 centre, double radius, tr_column *out) {
    tr_vec3 d = tr_vec3_sub(centre, l->p);
    double along = tr_vec3_dot(d, l->up);
    double square = radius * radius - (tr_vec3_dot(d, d) - along * along);
    if (!(square > 0))
        return false;
    double half = sqrt(square);
    tr_vec3 top = tr_vec3_add_scaled(l->p, along + half, l->up);
    *out = (tr_column){along - half, along + half,
                       tr_vec3_scale(tr_vec3_sub(top, centre), 1 / radius)};
    return true;
}

static bool cross_box(const line *l, tr_vec3 half, tr_column *out) {
    double p[3] = {l->p.x, l->p.y, l->p.z}, up[3] = {l->up.x, l->up.y, l->up.z};
    double size[3] = {half.x, half.y, half.z};
    *out = (tr_column){-INFINITY, INFINITY, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        if (fabs(up[k]) < 1e-12) {
            if (fabs(p[k]) > size[k])
                return false;
            continue;
        }
        double side = up[k] > 0 ? 1 : -1;
        double enter = (-side * size[k] - p[k]) / up[k], leave = (side * size[k] - p[k]) / up[k];
        out->low = fmax(out->low, enter);
        if (leave < out->high) {
            out->high = leave;
            out->normal = (tr_vec3){k == 0 ? side : 0, k == 1 ? side : 0, k == 2 ? side : 0};
        }
    }
    return out->low <= out->high;
}

/* The round side of a cylinder about z, between its ends; the ends are left open. */
static bool cross_tube(const line *l, double radius, double half, tr_column *out) {
    double a = l->up.x * l->up.x + l->up.y * l->up.y;
    double b = l->p.x * l->up.x + l->p.y * l->up.y;
    double c = l->p.x * l->p.x + l->p.y * l->p.y - radius * radius;
    if (a < 1e-12 || b * b <= a * c)
        return false;
    double root = sqrt(b * b - a * c);
    *out = (tr_column){(-b - root) / a, (-b + root) / a, {0, 0, 1}};
    tr_vec3 top = tr_vec3_add_scaled(l->p, out->high, l->up);
    out->normal = (tr_vec3){top.x / radius, top.y / radius, 0};
    double z_low = l->p.z + out->low * l->up.z;
    return fabs(top.z) <= half || fabs(z_low) <= half;
}

static void join(tr_column *sum, const tr_column *part) {
    sum->low = fmin(sum->low, part->low);
    if (part->high > sum->high) {
        sum->high = part->high;
        sum->normal = part->normal;
    }
}

/* A capsule is its tube, where the line leaves that between the ends, and two balls. */
static bool cross_capsule(const line *l, double radius, double half, tr_column *out) {
    tr_column part[3];
    bool hit = false;
    *out = (tr_column){INFINITY, -INFINITY, {0, 0, 1}};
    for (int end = -1; end <= 1; end += 2)
        if (cross_ball(l, (tr_vec3){0, 0, end * half}, radius, &part[0])) {
            join(out, &part[0]);
            hit = true;
        }
    if (!cross_tube(l, radius, half, &part[1]))
        return hit;
    double top = l->p.z + part[1].high * l->up.z, bottom = l->p.z + part[1].low * l->up.z;
    if (fabs(top) <= half && part[1].high > out->high) {
        out->high = part[1].high;
        out->normal = part[1].normal;
    }
    if (fabs(bottom) <= half)
        out->low = fmin(out->low, part[1].low);
    return true;
}

/* The interval in which both the tube and the slab between the ends contain the line. */
static bool cross_cylinder(const line *l, double radius, double half, tr_column *out) {
    tr_column slab, tube = {-INFINITY, INFINITY, {0, 0, 1}};
    tr_vec3 wide = {INFINITY, INFINITY, half};
    bool upright = l->up.x * l->up.x + l->up.y * l->up.y < 1e-12;
    if (upright ? l->p.x * l->p.x + l->p.y * l->p.y > radius * radius
                : !cross_tube(l, radius, INFINITY, &tube))
        return false;
    if (!cross_box(l, wide, &slab))
        return false;
    out->low = fmax(slab.low, tube.low);
    out->high = fmin(slab.high, tube.high);
    out->normal = slab.high < tube.high ? slab.normal : tube.normal;
    return out->low <= out->high;
}

bool tr_collider_column(const tr_collider *collider, const tr_frame *frame, double x, double y,
                        tr_column *out) {
    tr_v4 centre = tr_shape_centre(collider, frame);
    tr_v4 from = tr_v4_make(x - centre[0], y - centre[1], 0), axis[3];
    for (int k = 0; k < 3; k++)
        axis[k] = tr_shape_axis(collider, frame, k);
    line l = {{tr_v4_dot(axis[0], from), tr_v4_dot(axis[1], from), tr_v4_dot(axis[2], from)},
              {axis[0][2], axis[1][2], axis[2][2]}};
    bool hit = false;
    switch (collider->kind) {
    case TR_GEOM_SPHERE:
        hit = cross_ball(&l, (tr_vec3){0, 0, 0}, collider->size.x, out);
        break;
    case TR_GEOM_CAPSULE:
        hit = cross_capsule(&l, collider->size.x, collider->size.y, out);
        break;
    case TR_GEOM_BOX:
        hit = cross_box(&l, collider->size, out);
        break;
    case TR_GEOM_CYLINDER:
        hit = cross_cylinder(&l, collider->size.x, collider->size.y, out);
        break;
    }
    if (!hit)
        return false;
    tr_vec3 n = out->normal;
    out->low += centre[2];
    out->high += centre[2];
    out->normal = tr_v4_to(axis[0] * n.x + axis[1] * n.y + axis[2] * n.z);
    return true;
}
