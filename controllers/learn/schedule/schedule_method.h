/* Learning a scheduler, as a method: the row of schedule_training.h. */
#ifndef TROUPE_LEARN_SCHEDULE_METHOD_H
#define TROUPE_LEARN_SCHEDULE_METHOD_H

#include "learn/method/method.h"

extern const tr_method tr_schedule_method;

#endif
