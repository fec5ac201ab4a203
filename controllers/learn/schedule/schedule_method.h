/* Learning a scheduler, as a method: the row of schedule_training.h. */
#pragma once

#include "learn/method/method.h"

extern const tr_method tr_schedule_method;
