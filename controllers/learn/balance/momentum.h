/* A momentum balance: a controller that stands in the pose of another one by computing its torques
 * (control/torque/ground). Nothing is learned. */
#pragma once

#include "learn/method/making.h"

extern const tr_method tr_momentum_method;
