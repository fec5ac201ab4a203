/* The threads that run worlds.
 *
 * A task runs at absolute times of CLOCK_MONOTONIC (uv_hrtime). Workers take the task that has been
 * due longest, run it for one short turn, and put it back with the time that the turn returned. A
 * time that has passed counts as now, so that tasks take turns. One worker at a time runs a task,
 * so that data used only by its run function needs no lock.
 *
 * One queue serves all workers: a free worker takes the task that has been due longest. So worlds
 * move between threads to balance the load, no world waits while a thread is idle, and the earliest
 * deadline is always first. One queue per thread, with stealing, would avoid the lock, which is
 * held for a heap's swap; this has not been measured.
 *
 * Background tasks run while no other task is due. One that has waited for TR_TASK_POOL_PATIENCE_NS
 * gets one turn anyway, so that it answers and ends under any load. Their turns should end as soon
 * as tr_task_pool_is_wanted. At most `background_max` workers run them, so that a processor is left
 * for what is not in the pool. A longer step delays no other task: each worker has a relief, a
 * thread that only takes foreground tasks which are TR_TASK_POOL_GRACE_NS late while threads run
 * background turns, or a turn of any task lasts longer than TR_TASK_POOL_LONG_NS.
 *
 *      (new)
 *        | tr_task_pool_add
 *        v
 *      QUEUED --- its time is reached, take_due -> RUNNING --- TR_TASK_RETIRE ---> retired(task)
 *        ^  ^                                       |   |
 *        |  +--- run returned a time, or was woken -+   | TR_TASK_PARK, and not woken meanwhile
 *        |                                              v
 *        +----------------- tr_task_pool_wake ------------ PARKED
 *
 * tr_task_pool_wake may be called from any thread and never blocks on a running task. */
#pragma once

#include "proto/invariant.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_task_pool tr_task_pool;
typedef struct tr_task tr_task;

#define TR_TASK_PARK INT64_MAX   /* wait until woken */
#define TR_TASK_RETIRE INT64_MIN /* never run again */
#define TR_TASK_POOL_PATIENCE_NS INT64_C(50000000)
#define TR_TASK_POOL_GRACE_NS INT64_C(200000)
#define TR_TASK_POOL_LONG_NS INT64_C(40000000)

typedef enum tr_task_state {
    TR_TASK_NEW,
    TR_TASK_QUEUED,
    TR_TASK_RUNNING,
    TR_TASK_PARKED
} tr_task_state;

/* Embedded in the struct to be run. Its owner sets the functions and `background`, which `run` may
 * change for the coming turns; the rest belongs to the pool. run: returns the time of the next run,
 * or TR_TASK_PARK, TR_TASK_RETIRE. retired: the pool's last use of the task. Both are called on a
 * worker or a relief. */
struct tr_task {
    int64_t (*run)(tr_task *task, int64_t now_ns);
    void (*retired)(tr_task *task);
    bool background;
    tr_task_state state;
    bool woken; /* while running */
    int64_t due_ns;
    int heap_index;
};

/* Starts `thread_count` workers (1 to 256) and the same number of reliefs, for at most
 * `task_capacity` tasks; background_max: 1 to thread_count. */
tr_status tr_task_pool_create(int thread_count, int background_max, int task_capacity,
                              tr_task_pool **out) TR_NODISCARD;

/* Ends the threads after the turns in progress. Tasks still held are dropped without `retired`. */
void tr_task_pool_destroy(tr_task_pool *pool);

/* Queues a new task for now. TR_RESOURCE_EXHAUSTED: the pool is full. */
tr_status tr_task_pool_add(tr_task_pool *pool, tr_task *task) TR_NODISCARD;

/* The task runs as soon as a worker is free; a running one runs once more. */
void tr_task_pool_wake(tr_task_pool *pool, tr_task *task);

/* Is a foreground task due that no worker has taken yet? Any thread; no lock. */
bool tr_task_pool_is_wanted(const tr_task_pool *pool, int64_t now_ns);

/* Now, on the pool's clock. */
int64_t tr_task_pool_now_ns(void);

/* Processor time that this thread has used. */
int64_t tr_task_pool_spent_ns(void);

/* The counts, and the task of each heap whose turn it is. */
void tr_task_pool_must_hold(tr_task_pool *pool, uint64_t turn, tr_invariant *broken);
