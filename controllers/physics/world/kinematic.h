/* Kinematic characters and objects: they move as the caller sets, push others, and nothing moves
 * them. Internal to physics/.
 *
 * A step of h carries such an entity from its present pose to the next one. Where it follows poses
 * the next one is its goal, and the rates are what leads there in h; otherwise its velocity carries
 * it on. Others meet its bodies as surfaces that move with `sweep`: the displacement of the step
 * over h, which is what a semi-implicit step makes of a velocity. */
#pragma once

#include "physics/scene/scene.h"

/* Before a step: the next state and the sweep of every kinematic entity. One whose next state is
 * not finite is frozen. */
void tr_kinematic_begin(tr_world *world);

/* After it: the next states become the present ones. */
void tr_kinematic_end(tr_world *world);

/* Places within reach, and a count of steps that is not at its end. */
bool tr_kinematic_travel_usable(const tr_travel *travel);
