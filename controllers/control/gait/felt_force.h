/* The force that a character feels from outside: pushes, and contacts with other characters and
 * with objects. What stands under its feet, the static world and its own parts do not count.
 *
 * Reads only; deterministic. */
#pragma once

#include "physics/world/world.h"

/* The sum of the pushes that act in the coming step and of the last step's contact impulses over
 * step_s: world frame, N. A single contact counts at most TR_FELT_FORCE_MAX_N, so that the filter
 * forgets a hard blow soon after it. */
static const double TR_FELT_FORCE_MAX_N = 600;
tr_vec3 tr_felt_force(const tr_world *world, tr_entity_id character);
