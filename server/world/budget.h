/* A budget of processor time: seconds of it per second of real time.
 *
 * A world within its budget has its turns at their times. One beyond it has them in the background
 * (task_pool.h): after those of all worlds within theirs, so that it delays no other. Time is an argument;
 * plain data; one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What may be saved up, and owed at most, in real time. */
#define TR_BUDGET_SAVED_NS INT64_C(100000000)
#define TR_BUDGET_OWED_NS INT64_C(1000000000)

typedef struct tr_budget {
    double share; /* of one processor; 0: no limit */
    int64_t left_ns, seen_ns;
} tr_budget;

tr_budget tr_budget_start(double share, int64_t now_ns);

/* Spends processor time. False: more has been used than the budget allows. */
bool tr_budget_spend(tr_budget *budget, int64_t spent_ns, int64_t now_ns);
