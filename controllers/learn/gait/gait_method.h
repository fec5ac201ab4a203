/* Learning a gait, as a method: the row of gait_training.h. */
#ifndef TROUPE_LEARN_GAIT_METHOD_H
#define TROUPE_LEARN_GAIT_METHOD_H

#include "learn/method/method.h"

extern const tr_method tr_gait_method;

#endif
