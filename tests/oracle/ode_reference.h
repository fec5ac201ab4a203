/* The oracle: ODE's own stepper, stock dWorldStep with a motor at each joint, behind the seam of
 * physics/scene/stepper.h. A world moves by it when its definition names it: def.stepper =
 * &tr_stepper_ode_reference. */
#pragma once

#include "physics/scene/stepper.h"

extern const tr_stepper tr_stepper_ode_reference;
