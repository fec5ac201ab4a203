/* The threads that run worlds.
 *
 * A task is something that wants to be run at absolute times of CLOCK_MONOTONIC (uv_hrtime).
 * Workers take the task whose time came first, run it for one short turn, and put it back with the
 * time its turn asked for; a time that has passed counts as now, so that tasks take turns. A task
 * is run by one worker at a time: what only its run function touches needs no lock.
 *
 * One queue serves all workers: whoever is free takes the task that is due the longest. So a world
 * moves between threads whenever that keeps the load even, none waits while a thread is idle, and
 * the earliest deadline always comes first. Queues of each thread's own, with stealing, would save
 * the lock, which is held for a heap's swap; they were not measured against this one.
 *
 * Background tasks have what is left: they run while no other task is due, and one that has waited
 * for TR_TASK_POOL_PATIENCE_NS once all the same, so that it can be spoken to and ended under any load.
 * Their turns should end as soon as tr_task_pool_is_wanted. A step that is longer than that holds up no
 * other task: for each worker there is a relief, a thread that takes foreground tasks which are
 * TR_TASK_POOL_GRACE_NS late while workers are in background turns, and nothing else.
 *
 *      (new)
 *        | tr_task_pool_add
 *        v
 *      QUEUED --- its time has come, take_due ---> RUNNING --- TR_TASK_RETIRE ---> retired(task)
 *        ^  ^                                       |   |
 *        |  +--- run gave a time, or was woken -----+   | TR_TASK_PARK, and not woken meanwhile
 *        |                                              v
 *        +----------------- tr_task_pool_wake ------------ PARKED
 *
 * tr_task_pool_wake may be called from any thread and never blocks on a running task. */
#ifndef TROUPE_SERVER_TASK_POOL_H
#define TROUPE_SERVER_TASK_POOL_H

#include "proto/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_task_pool tr_task_pool;
typedef struct tr_task tr_task;

#define TR_TASK_PARK INT64_MAX   /* not before it is woken */
#define TR_TASK_RETIRE INT64_MIN /* never again */
#define TR_TASK_POOL_PATIENCE_NS INT64_C(50000000)
#define TR_TASK_POOL_GRACE_NS INT64_C(200000)

typedef enum tr_task_state {
    TR_TASK_NEW,
    TR_TASK_QUEUED,
    TR_TASK_RUNNING,
    TR_TASK_PARKED
} tr_task_state;

/* Embedded in what is to be run. The owner sets the functions and `background`, the rest belongs to the pool.
 * run: returns when to run next, or TR_TASK_PARK, TR_TASK_RETIRE. retired: the pool's last touch.
 * Both are called on a worker. */
struct tr_task {
    int64_t (*run)(tr_task *task, int64_t now_ns);
    void (*retired)(tr_task *task);
    bool background;
    tr_task_state state;
    bool woken; /* while running */
    int64_t due_ns;
    int heap_index;
};

/* Starts `thread_count` workers (1 to 256) and as many reliefs for at most `task_capacity` tasks. */
tr_status tr_task_pool_create(int thread_count, int task_capacity, tr_task_pool **out) TR_NODISCARD;

/* Ends the threads after the turns in progress. Tasks still held are forgotten, not retired. */
void tr_task_pool_destroy(tr_task_pool *pool);

/* Queues a new task for now. TR_RESOURCE_EXHAUSTED: the pool is full. */
tr_status tr_task_pool_add(tr_task_pool *pool, tr_task *task) TR_NODISCARD;

/* The task runs as soon as a worker is free; a running one runs once more. */
void tr_task_pool_wake(tr_task_pool *pool, tr_task *task);

/* Is a task due, not of the background, that no worker has taken yet? Any thread; no lock. */
bool tr_task_pool_is_wanted(const tr_task_pool *pool, int64_t now_ns);

/* Now, on the pool's clock. */
int64_t tr_task_pool_now_ns(void);

#endif
