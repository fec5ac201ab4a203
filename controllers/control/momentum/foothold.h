/* The foothold of a character: the feet that stand, and the polygon on the ground in which the centre
 * of pressure can lie.
 *
 * A sole is the rectangle that foot and toes cover together, toes as at rest. The polygon is the convex
 * hull of the soles that stand, each smaller by a margin on all sides. A foot stands while it touches
 * something that is not part of the character, and also close above the ground of the other foot: one
 * without load loses touch for moments. Plain data; deterministic. */
#ifndef TROUPE_CONTROL_FOOTHOLD_H
#define TROUPE_CONTROL_FOOTHOLD_H

#include "physics/world.h"

/* Foot frame, m. low, high: corners of the rectangle; both have the height of the sole. */
typedef struct tr_sole {
    tr_vec3 low, high;
} tr_sole;

/* side: 0 left, 1 right. The model has feet that are not turned at rest. */
tr_sole tr_sole_of(const tr_model *model, int side);

enum { TR_FOOTHOLD_CORNERS = 8 };

/* stands:      left, right
 * gap_m:       [side] height of its sole above the ground of the other; 0 where it touches
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

/* Which feet touch? contact: [count], all of the world's. */
void tr_foothold_touch(const tr_model *model, tr_entity_id character, const tr_contact *contact,
                       int count, bool out_touches[2]);

/* What a foothold is made from.
 *   touches:  left, right: at least one
 *   bodies:   [body_count]
 *   up:       normal of the ground
 *   margin_m: less than half of a sole */
typedef struct tr_foothold_def {
    const tr_model *model;
    const tr_sole *sole; /* [2] */
    bool touches[2];
    const tr_body_state *bodies;
    tr_vec3 up;
    double margin_m;
} tr_foothold_def;
void tr_foothold_place(const tr_foothold_def *def, tr_foothold *out);

/* The point of the polygon that is nearest, in x and y. */
tr_vec3 tr_foothold_nearest(const tr_foothold *foothold, tr_vec3 point);

#endif
