/* Fall detection from the state and the contacts of one step. Reads only; deterministic. */
#pragma once

#include "physics/world/world.h"

/* Does the entity of a contact count as ground: the static world, or a platform, which is a kinematic
 * object? */
bool tr_falls_is_ground(const tr_world *world, tr_entity_id id);

/* Is the character down? True when its trunk, head or root touches something static, or its root is
 * lower than 0.45 of its rest height while the trunk leans more than 60 degrees. A character that
 * was down is up again when its root is above 0.7 of its rest height, its trunk leans less than 45
 * degrees, and trunk, head and root touch nothing static. This is a hysteresis: pass the last
 * answer in `was_down`, so that a character that tumbles or bounces is not up in between. Heights
 * are those above the local ground; a kinematic object counts as static here. False if no character
 * has the id. */
bool tr_falls_is_down(const tr_world *world, tr_entity_id id, bool was_down);

/* The cosine between the vertical and the trunk's axis that is vertical at rest, of a character. */
double tr_falls_uprightness(const tr_world *world, tr_entity_id id);
