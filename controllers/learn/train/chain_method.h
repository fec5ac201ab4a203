/* Learning a skill from a motion, as a method: the row of learner.h. */
#ifndef TROUPE_LEARN_CHAIN_METHOD_H
#define TROUPE_LEARN_CHAIN_METHOD_H

#include "learn/method/method.h"

extern const tr_method tr_chain_method;

#endif
