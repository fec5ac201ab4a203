/* The ground under points and under characters. Internal to physics/.
 *
 * Ground is what stays: the plane, scenery and kinematic objects. A vertical line crosses each solid
 * in an interval; the ground under a point is the highest top among those that begin at or below
 * it, so that a bridge overhead is none, and what the point lies in is.
 *
 * The local ground of a character is a plane through nine samples around its root: within 0.25 m, a
 * kerb is a ramp. Samples further than a step (0.3 m) from the last local ground belong to something
 * else, a wall or what lies beyond an edge, and are left out; where none is left the character has
 * come to another level, and begins anew with what is under its root. Above a gap the last ground
 * stays. */
#ifndef TROUPE_PHYSICS_GROUND_H
#define TROUPE_PHYSICS_GROUND_H

#include "physics/scene.h"

/* After a step: the local ground of every character at its new place. */
void tr_ground_follow(tr_world *world);

/* The local ground of a character that was put where it is. */
void tr_ground_find(const tr_world *world, tr_character *character);

#endif
