/* A momentum balance: a controller that stands in the pose of another one by computing its torques
 * (control/torque/ground). Nothing is learned. */
#ifndef TROUPE_LEARN_MOMENTUM_H
#define TROUPE_LEARN_MOMENTUM_H

#include "learn/method/making.h"

extern const tr_method tr_momentum_method;

#endif
