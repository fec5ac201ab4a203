#include "physics/collider.h"

#include <math.h>

static dGeomID create_geom(tr_geom_kind kind, tr_vec3 size) {
    switch (kind) {
    case TR_GEOM_SPHERE:
        return dCreateSphere(0, size.x);
    case TR_GEOM_CAPSULE:
        return dCreateCapsule(0, size.x, 2 * size.y);
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
                              .friction = geom->friction};
    return TR_OK;
}

void tr_collider_deinit(tr_collider *collider) {
    if (collider->geom)
        dGeomDestroy(collider->geom);
    collider->geom = NULL;
}

TR_INLINE tr_v4 to_world(const tr_frame *frame, tr_vec3 v) {
    return frame->column[0] * v.x + frame->column[1] * v.y + frame->column[2] * v.z;
}

/* Axis k of the shape in the world. */
TR_INLINE tr_v4 shape_axis(const tr_collider *collider, const tr_frame *frame, int k) {
    return to_world(frame, tr_mat3_column(&collider->rot, k));
}

void tr_collider_bound(tr_collider *collider, const tr_frame *frame) {
    tr_v4 centre = frame->com + to_world(frame, collider->offset);
    double extent[3];
    if (collider->kind == TR_GEOM_BOX) {
        tr_v4 x = shape_axis(collider, frame, 0) * collider->size.x;
        tr_v4 y = shape_axis(collider, frame, 1) * collider->size.y;
        tr_v4 z = shape_axis(collider, frame, 2) * collider->size.z;
        for (int k = 0; k < 3; k++)
            extent[k] = fabs(x[k]) + fabs(y[k]) + fabs(z[k]);
    } else {
        double half = collider->kind == TR_GEOM_CAPSULE ? collider->size.y : 0.0;
        tr_v4 z = shape_axis(collider, frame, 2) * half;
        for (int k = 0; k < 3; k++)
            extent[k] = fabs(z[k]) + collider->size.x;
    }
    for (int k = 0; k < 3; k++) {
        collider->low[k] = centre[k] - extent[k];
        collider->high[k] = centre[k] + extent[k];
    }
    collider->placed = false;
}

dGeomID tr_collider_geom(tr_collider *collider, const tr_frame *frame) {
    if (!collider->placed) {
        tr_v4 centre = frame->com + to_world(frame, collider->offset);
        dGeomSetPosition(collider->geom, centre[0], centre[1], centre[2]);
        if (collider->kind != TR_GEOM_SPHERE) {
            dMatrix3 rotation = {0};
            for (int k = 0; k < 3; k++) {
                tr_v4 axis = shape_axis(collider, frame, k);
                for (int row = 0; row < 3; row++)
                    rotation[4 * row + k] = axis[row];
            }
            dGeomSetRotation(collider->geom, rotation);
        }
        collider->placed = true;
    }
    return collider->geom;
}
