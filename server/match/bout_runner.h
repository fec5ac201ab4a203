/* A bout runner: fights headless bouts on the world threads, one at a time, in short turns.
 *
 * With as many runners as world threads, runners use the time that hosted worlds leave. A runner's
 * turn is short, and it is always due for the next one; the pool gives each turn to the task that
 * has been due longest, so that a real-time world waits for one short turn at most.
 *
 *     IDLE --- tr_bout_runner_start (loop) ---> FIGHTING --- the bout ends (world thread) ---> DONE
 *      ^                                                                          notify |
 *      +----------------------------- tr_bout_runner_take (loop) ------------------------+
 *
 * tr_bout_runner_drop makes it DONE without a result at its next turn. All functions belong to the
 * loop's thread. */
#pragma once

#include "server/match/bout.h"
#include "server/world/task_pool.h"

typedef struct tr_bout_runner tr_bout_runner;

/* Called on a world thread; must not block or call back. */
typedef void (*tr_bout_runner_notify)(void *context);

tr_status tr_bout_runner_create(tr_task_pool *pool, tr_bout_runner_notify notify, void *context,
                                tr_bout_runner **out) TR_NODISCARD;

/* Call after the pool has ended. NULL is allowed. */
void tr_bout_runner_destroy(tr_bout_runner *runner);

bool tr_bout_runner_is_idle(const tr_bout_runner *runner);

/* Starts the bout at this position on an idle runner. `match` must live until the runner is idle
 * again. */
void tr_bout_runner_start(tr_bout_runner *runner, const tr_match_def *match, int position);

/* The match it fights a bout of; NULL: idle. */
const tr_match_def *tr_bout_runner_match(const tr_bout_runner *runner);
int tr_bout_runner_position(const tr_bout_runner *runner);

/* Discards the result. */
void tr_bout_runner_drop(tr_bout_runner *runner);

/* If the runner is DONE, takes the result and makes it idle. `out_dropped`: the result was
 * discarded. */
bool tr_bout_runner_take(tr_bout_runner *runner, tr_bout_result *out, bool *out_dropped);
