/* Falling: what the servos of a falling character do until it lies still. Arms reach towards the
 * ground, knees give, the neck follows the trunk, and all gains are low and fade, so that neither a
 * statue topples nor a limp body drops. The poses, one for each side to which the character falls,
 * were found by search over falls of the humanoid; guide/graphs.md has the blows with and without
 * them. Pure. */
#pragma once

#include "control/driver/driver.h"

/* Targets and gains of the step `time_s` after the fall began. Joints of bodies whose names the
 * search did not know are straight, with the gains of a leg. */
void tr_falling_drive(const tr_model *model, const tr_state *state, double time_s, tr_drive *out);
