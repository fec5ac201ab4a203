/* The parts of a step of a world that holds one character and nothing else that moves, for the step
 * of several such worlds side by side (articulated_lanes.c). In order:
 *
 *     begin -> predict -> lay_rows -> solve -> respond -> settle -> advance -> end
 *
 * Internal to physics/. */
#pragma once

#include "physics/kernels/kernel.h"
#include "physics/scene/stepper.h"

/* Of any world. */
tr_step_params tr_articulated_params(const tr_world *world);

/* Prepares the movers with the pushes on them, and the orders of their servos; of any world. */
void tr_articulated_begin(tr_world *world);

/* Makes the rows of contacts and limits; slot[body] of the tree is then at least 0 where the body has
 * rows. False: there are no rows. */
bool tr_articulated_lay_rows(tr_world *world);

/* Couples the touched bodies and finds the impulses on them. */
void tr_articulated_solve(tr_world *world);

/* Solves again until no torque exceeds its bound. */
void tr_articulated_settle(tr_world *world);

/* Writes the reports; stops the mover if it failed. solved: it did not fail in `predict`. */
void tr_articulated_end(tr_world *world, bool solved);
