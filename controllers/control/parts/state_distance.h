/* The visible difference of two states: of pose and velocity, in typical spreads. */
#pragma once

#include "model/state.h"

/* Root mean square of five differences, headings taken out: the joints' angles and rates in 0.3 rad
 * and 3 rad/s (their mean over the joints), the root's height in 0.1 m, its tilt in 0.2 rad, its
 * velocity in 0.5 m/s. The place on the ground does not count. */
double tr_state_distance(const tr_model *model, const tr_state *a, const tr_state *b);

/* Returns how fast a state moves, in the same manner: root mean square of the root's velocity in
 * 0.5 m/s, its rotation in 1 rad/s, and the joints' rates in 3 rad/s (their mean). 0: at rest. */
double tr_state_motion(const tr_model *model, const tr_state *state);
