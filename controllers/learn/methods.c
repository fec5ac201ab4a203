/* The methods of this program, in the order of help. */
#include "learn/balance/balance_method.h"
#include "learn/method/method.h"
#include "learn/schedule/schedule_method.h"

const tr_method *const tr_methods[] = {&tr_balance_method, &tr_schedule_method, NULL};
