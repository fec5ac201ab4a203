/* A bout runner: fights headless bouts on the world threads, one at a time, in short turns.
 *
 * As many runners as world threads make use of what hosted worlds leave: a runner's turn is short,
 * it always wants the next one at once, and the pool gives every turn to the task whose time came
 * first, so that a world in real time waits for one short turn at most.
 *
 *     IDLE --- tr_bout_runner_start (loop) ---> FIGHTING --- the bout ends (world thread) ---> DONE
 *      ^                                                                          notify |
 *      +----------------------------- tr_bout_runner_take (loop) ------------------------+
 *
 * tr_bout_runner_drop makes it DONE without a result at its next turn. The functions are the
 * loop's. */
#ifndef TROUPE_SERVER_BOUT_RUNNER_H
#define TROUPE_SERVER_BOUT_RUNNER_H

#include "server/match/bout.h"
#include "server/world/task_pool.h"

typedef struct tr_bout_runner tr_bout_runner;

/* Called on a world thread; must not block or call back. */
typedef void (*tr_bout_runner_notify)(void *context);

tr_status tr_bout_runner_create(tr_task_pool *pool, tr_bout_runner_notify notify, void *context,
                                tr_bout_runner **out) TR_NODISCARD;

/* When the pool has ended. NULL is fine. */
void tr_bout_runner_destroy(tr_bout_runner *runner);

bool tr_bout_runner_is_idle(const tr_bout_runner *runner);

/* An idle runner begins the bout at this position. `match` must live until the runner is idle
 * again. */
void tr_bout_runner_start(tr_bout_runner *runner, const tr_match_def *match, int position);

/* What it was started with; NULL: idle. */
const tr_match_def *tr_bout_runner_match(const tr_bout_runner *runner);
int tr_bout_runner_position(const tr_bout_runner *runner);

/* No result is wanted. */
void tr_bout_runner_drop(tr_bout_runner *runner);

/* When it is DONE: makes it idle. `out_dropped`: there is no result. */
bool tr_bout_runner_take(tr_bout_runner *runner, tr_bout_result *out, bool *out_dropped);

#endif
