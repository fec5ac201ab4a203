/* Learning to balance, as a method: the row of balance_learning.h. */
#pragma once

#include "learn/method/method.h"

extern const tr_method tr_balance_method;
