/* Learning a gait, as a method: the row of gait_training.h. */
#pragma once

#include "learn/method/method.h"

extern const tr_method tr_gait_method;
