/* The ground under points and under characters. Internal to physics/.
 *
 * Ground is what stays: the plane, scenery and kinematic objects. A vertical line crosses each
 * solid in an interval; the ground under a point is the highest top among those that begin at or
 * below it: a bridge overhead does not count, and a solid that contains the point does.
 *
 * The local ground of a character is a plane through nine samples around its root: within 0.25 m, a
 * kerb is a ramp. Samples further than a step (0.3 m) from the last local ground belong to
 * something else, a wall or the ground beyond an edge, and are left out. If no sample is left, the
 * character has reached another level, and the local ground starts again from what is under its
 * root. Above a gap the last ground stays. */
#pragma once

#include "physics/scene/scene.h"

/* After a step: the local ground of every character at its new place. */
void tr_ground_follow(tr_world *world);

/* The local ground of a character that was put where it is. */
void tr_ground_find(const tr_world *world, tr_character *character);
