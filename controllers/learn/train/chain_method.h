/* Learning a skill from a motion, as a method: the row of learner.h. */
#pragma once

#include "learn/method/method.h"

extern const tr_method tr_chain_method;
