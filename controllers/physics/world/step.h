/* What comes before and after the stepper's part of a step. Internal to physics/. */
#pragma once

#include "physics/world/world.h"

/* Finds the contacts. Returns how many entities are faulted, for tr_step_end. */
int tr_step_begin(tr_world *world);

/* Does the rest: kinematic entities, pins, the ground, pushes and the tick. Statuses as of
 * tr_world_step. */
tr_status tr_step_end(tr_world *world, int faults_before);
