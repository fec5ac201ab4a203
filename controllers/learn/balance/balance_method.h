/* Learning to balance, as a method: the row of balance_learning.h. */
#ifndef TROUPE_LEARN_BALANCE_METHOD_H
#define TROUPE_LEARN_BALANCE_METHOD_H

#include "learn/method/method.h"

extern const tr_method tr_balance_method;

#endif
