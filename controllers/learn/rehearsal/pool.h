/* A pool of threads that shares out numbered work items.
 *
 * Any thread may get any item. The result does not depend on the number of threads if the work on
 * an item depends only on its number (draw random numbers from tr_random_split(seed, stage, item))
 * and writes only its own slot. One caller at a time; the calling thread works too, as worker 0.
 *
 * In a job of several ranks (ranks/ranks.h) tr_pool_run does all items on every rank, and
 * tr_pool_share divides them among the ranks. */
#pragma once

#include "learn/ranks/ranks.h"
#include "proto/status.h"

enum { TR_POOL_THREAD_MAX = 256, TR_POOL_BATCH_MAX = 16 };

typedef struct tr_pool tr_pool;

/* Work on one item; `worker` in [0, threads) names the thread, to choose its scratch memory. */
typedef void (*tr_pool_work)(void *context, int item, int worker);

/* threads: 1 to TR_POOL_THREAD_MAX, the caller included. TR_RESOURCE_EXHAUSTED: no memory or no
 * thread. */
tr_status tr_pool_create(int threads, tr_pool **out) TR_NODISCARD;
void tr_pool_destroy(tr_pool *pool); /* NULL is fine */
int tr_pool_threads(const tr_pool *pool);

/* Calls work(context, i, worker) once for each i in [0, count); returns when all are done. */
void tr_pool_run(tr_pool *pool, tr_pool_work work, void *context, int count);

/* The same, but each rank does only its items; then the results of all items are on all ranks, with
 * the same bits as of tr_pool_run. results: the arrays that items write their slots of, plain data
 * without pointers; work on an item writes nothing else that is used later. */
void tr_pool_share(tr_pool *pool, tr_pool_work work, void *context, int count,
                   const tr_ranks_result *results);

/* Work on some items at a time, item: [count], by the same rules: the result of each depends only
 * on its number, not on the others in its batch. */
typedef void (*tr_pool_batch_work)(void *context, const int *item, int count, int worker);

/* `count` items, up to `size` of them in a batch: 1 to TR_POOL_BATCH_MAX. */
typedef struct tr_pool_batches {
    tr_pool_batch_work work;
    void *context;
    int count, size;
} tr_pool_batches;

/* Works as tr_pool_share does, but in batches. Items are divided among the ranks in the same
 * way. */
void tr_pool_share_batches(tr_pool *pool, const tr_pool_batches *batches,
                           const tr_ranks_result *results);

/* Counts the threads of all ranks: how many items are in progress at a time. */
int tr_pool_width(const tr_pool *pool);
