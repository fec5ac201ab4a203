/* The foothold of a character: the feet that stand, and the polygon on the ground in which the centre
 * of pressure can lie.
 *
 * A sole is the rectangle that foot and toes cover together, toes as at rest. A foot stands while its sole
 * is on the ground or close above it. Contacts are not used, because a foot without load loses them for
 * moments, and a restored world has none yet. The polygon is the convex hull of the soles that stand, each
 * smaller by a margin on all sides. Plain data; deterministic. */
#pragma once

#include "physics/world/world.h"

/* Foot frame, m. low, high: corners of the rectangle; both have the height of the sole. */
typedef struct tr_foot_sole {
    tr_vec3 low, high;
} tr_foot_sole;

/* side: 0 left, 1 right. The model has feet that are not turned at rest. */
tr_foot_sole tr_foot_sole_of(const tr_model *model, int side);

enum { TR_FOOTHOLD_CORNERS = 8 };

/* stands:      left, right
 * gap_m:       [side] height of the lowest corner of its sole above the ground; below 0: sunk in
 * sole:        [side] centre of the sole, world
 * middle:      of the soles that stand, world
 * heading_rad: mean of the feet that stand
 * corner:      [corner_count] counter-clockwise, world, x and y alone */
typedef struct tr_foothold {
    bool stands[2];
    double gap_m[2];
    tr_vec3 sole[2], middle;
    double heading_rad;
    int corner_count;
    tr_vec3 corner[TR_FOOTHOLD_CORNERS];
} tr_foothold;

/* A foothold is made from these.
 *   bodies:   [body_count]
 *   ground:   [side] below the soles (tr_foothold_ground)
 *   margin_m: less than half of a sole */
typedef struct tr_foothold_def {
    const tr_model *model;
    const tr_foot_sole *sole; /* [2] */
    const tr_body_state *bodies;
    tr_ground ground[2];
    double margin_m;
} tr_foothold_def;

/* Finds the feet that stand, and their polygon. false: no foot stands. */
bool tr_foothold_place(const tr_foothold_def *def, tr_foothold *out);

/* Makes the polygon of `out` the convex hull of points in x and y. point: [count], 1 to
 * TR_FOOTHOLD_CORNERS */
void tr_foothold_span(const tr_vec3 *point, int count, tr_foothold *out);

/* The ground below a sole. Where the world has no ground, it is far below. */
tr_ground tr_foothold_ground(const tr_world *world, const tr_model *model,
                             const tr_foot_sole sole[2], const tr_body_state *bodies, int side);

/* The body of a side that bears the force at a centre of pressure, world: toes where it is in front
 * of their joint, else the foot. There its moment about the joint is 0, so that torques do not
 * jump. */
int tr_bearer_of(const tr_model *model, const tr_body_state *bodies, int side, tr_vec3 pressure);

/* The point of the polygon that is nearest to `point` in x and y. */
tr_vec3 tr_foothold_nearest(const tr_foothold *foothold, tr_vec3 point);
