/* Scenery made of boxes: ramps and flights of stairs. Pure functions; what they make is added with
 * tr_world_add_scenery. */
#ifndef TROUPE_PHYSICS_SCENERY_SHAPES_H
#define TROUPE_PHYSICS_SCENERY_SHAPES_H

#include "physics/world.h"

/* Where a ramp or a flight begins, and which way it rises. */
typedef struct tr_rise_def {
    tr_vec3 foot; /* middle of its lowest edge, world, m */
    double heading_rad;
    double width_m;
    double friction;
} tr_rise_def;

/* A slope whose upper face goes from the foot to `length_m` further and `height_m` higher. */
tr_scenery_def tr_scenery_ramp(const tr_rise_def *at, double length_m, double height_m);

/* Step `index` of a flight, from 0: a block from the foot's level to the tread, which is
 * (index + 1) rises high. */
tr_scenery_def tr_scenery_step(const tr_rise_def *at, int index, double tread_m, double rise_m);

#endif
