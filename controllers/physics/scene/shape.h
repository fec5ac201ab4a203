/* Where the shape of a collider is. Internal to physics/, shared by collider.c and the kernels. */
#pragma once

#include "physics/scene/scene.h"
#include "physics/spatial/lanes.h"

#include <math.h>

TR_INLINE tr_v4 tr_shape_to_world(const tr_frame *frame, tr_vec3 v) {
    return frame->column[0] * v.x + frame->column[1] * v.y + frame->column[2] * v.z;
}

TR_INLINE tr_v4 tr_shape_centre(const tr_collider *collider, const tr_frame *frame) {
    return frame->com + tr_shape_to_world(frame, collider->offset);
}

/* Axis k of the shape in the world. */
TR_INLINE tr_v4 tr_shape_axis(const tr_collider *collider, const tr_frame *frame, int k) {
    return tr_shape_to_world(frame, tr_mat3_column(&collider->rot, k));
}

/* From the centre to the sides of the world box; lane 3 has no meaning. */
TR_INLINE tr_v4 tr_shape_extent(const tr_collider *c, const tr_frame *frame) {
    if (c->kind == TR_GEOM_BOX)
        return tr_v4_abs(tr_shape_axis(c, frame, 0) * c->size.x) +
               tr_v4_abs(tr_shape_axis(c, frame, 1) * c->size.y) +
               tr_v4_abs(tr_shape_axis(c, frame, 2) * c->size.z);
    tr_v4 z = tr_shape_axis(c, frame, 2);
    if (c->kind != TR_GEOM_CYLINDER)
        return tr_v4_abs(z * (c->kind == TR_GEOM_CAPSULE ? c->size.y : 0.0)) + c->size.x;
    for (int k = 0; k < 3; k++)
        z[k] = fabs(z[k]) * c->size.y + sqrt(fmax(1 - z[k] * z[k], 0)) * c->size.x;
    return z;
}

/* A box in the world; lane 3 has no meaning. */
typedef struct tr_shape_box {
    tr_v4 low, high;
} tr_shape_box;

/* The world box where `frame` is now, also into the collider. */
TR_INLINE tr_shape_box tr_shape_bound(tr_collider *collider, const tr_frame *frame) {
    tr_v4 centre = tr_shape_centre(collider, frame), extent = tr_shape_extent(collider, frame);
    tr_shape_box box = {centre - extent, centre + extent};
    tr_vec3 low = tr_v4_to(box.low), high = tr_v4_to(box.high);
    memcpy(collider->low, &low, sizeof collider->low);
    memcpy(collider->high, &high, sizeof collider->high);
    collider->placed = false;
    return box;
}
