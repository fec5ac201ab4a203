/* Collision shapes: ODE geoms that follow bodies. Internal to physics/.
 *
 * Boxes around the shapes are kept here, so that an ODE geom is only moved when something is
 * near. */
#pragma once

#include "physics/scene/scene.h"

/* com: centre of mass in the frame of geom->pos. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_collider_init(tr_collider *collider, const tr_geom *geom, int body,
                           tr_vec3 com) TR_NODISCARD;
void tr_collider_deinit(tr_collider *collider);

/* The world box where `frame` is now. */
void tr_collider_bound(tr_collider *collider, const tr_frame *frame);

/* The ODE geom, standing where `frame` is. */
dGeomID tr_collider_geom(tr_collider *collider, const tr_frame *frame);

/* Where a shape is: its centre and its axes in the world. */
typedef struct tr_shape_pose {
    tr_vec3 centre, axis[3];
} tr_shape_pose;

tr_shape_pose tr_collider_pose(const tr_collider *collider, const tr_frame *frame);

/* A point of touch; the normal points out of the touched shape. World frame. */
typedef struct tr_touching {
    tr_vec3 pos, normal;
    double depth;
} tr_touching;

/* Where a vertical line crosses a shape. */
typedef struct tr_column {
    double low, high; /* world z, m */
    tr_vec3 normal;   /* outward, at the top */
} tr_column;

/* False: the vertical through (x, y) misses the shape where `frame` is now. */
bool tr_collider_column(const tr_collider *collider, const tr_frame *frame, double x, double y,
                        tr_column *out);

static inline bool tr_bounds_overlap(const double *low_a, const double *high_a, const double *low_b,
                                     const double *high_b) {
    return low_a[0] <= high_b[0] && low_b[0] <= high_a[0] && low_a[1] <= high_b[1] &&
           low_b[1] <= high_a[1] && low_a[2] <= high_b[2] && low_b[2] <= high_a[2];
}
