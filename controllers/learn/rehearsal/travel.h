/* Where a controller goes: some skills walk backwards or to the side, and meet nothing that lies in
 * front of them. */
#pragma once

#include "control/driver/controller.h"

/* Returns how far the reference of a chain gets in a time in the direction, rad from its heading;
 * m. 0: another kind of controller. */
double tr_travel_way(const tr_controller *controller, double direction_rad, double seconds);

/* Returns the direction in which that reference moves, to the nearest quarter turn from its
 * heading: 0, TR_PI / 2 (left), TR_PI or -TR_PI / 2. Another kind of controller that brings a rig,
 * say a skateboard, moves with its velocity at spawn. 0: slower than 0.1 m/s. */
double tr_travel_direction(const tr_controller *controller);

/* Returns a state with heading 0 at the origin, turned so that it travels along x. With direction 0
 * it keeps its bits. */
tr_state tr_travel_along_x(const tr_state *state, double direction_rad);
