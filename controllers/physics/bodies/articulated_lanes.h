/* One step of several worlds side by side. Internal to physics/. */
#pragma once

#include "physics/kernels/tree_lanes.h"
#include "physics/scene/stepper.h"

/* Steps each world as tr_stepper_articulated.step does, to the bit. Worlds with one free character
 * of one model, without objects, and with equal steps and gravity go through `lanes`, if there are
 * three or more; the others are stepped one by one.
 * world: [count], at most TR_TREE_LANES, each with the articulated stepper. */
void tr_articulated_lanes_step(tr_world *const *world, int count, tr_tree_lanes *lanes);
