#include "learn/rehearsal/pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct worker {
    tr_pool *pool;
    int index;
    pthread_t thread;
} worker;

struct tr_pool {
    int threads;
    int started; /* threads that run, the caller not counted */
    pthread_mutex_t lock;
    pthread_cond_t begin, finished;
    int round;   /* guarded by lock: grows with every run */
    int working; /* guarded by lock: workers not yet through with the round */
    bool closing;
    tr_pool_batch_work work;
    void *context;
    tr_pool_work single; /* what `work` does with an item when a batch is one */
    void *single_context;
    int count, stride, batch; /* end of the items; from one to the next; taken at a time */
    atomic_int next;          /* item to be taken */
    worker *workers;
};

static void take_items(tr_pool *pool, int index) {
    int first, step = pool->stride * pool->batch;
    while ((first = atomic_fetch_add_explicit(&pool->next, step, memory_order_relaxed)) <
           pool->count) {
        /* The items of a batch are `stride` apart, as those of a rank are. */
        int item[TR_POOL_BATCH_MAX], count = 0;
        for (int i = first; count < pool->batch && i < pool->count; i += pool->stride)
            item[count++] = i;
        pool->work(pool->context, item, count, index);
    }
}

static void *serve(void *argument) {
    worker *self = argument;
    tr_pool *pool = self->pool;
    int seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        /* Wait for a round that this worker has not seen, and work without the lock. */
        while (pool->round == seen && !pool->closing)
            pthread_cond_wait(&pool->begin, &pool->lock);
        if (pool->closing)
            break;
        seen = pool->round;
        pthread_mutex_unlock(&pool->lock);
        take_items(pool, self->index);
        pthread_mutex_lock(&pool->lock);
        if (--pool->working == 0)
            pthread_cond_signal(&pool->finished);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static bool start_workers(tr_pool *pool) {
    for (int i = 1; i < pool->threads; i++) {
        worker *w = &pool->workers[i];
        *w = (worker){.pool = pool, .index = i};
        if (pthread_create(&w->thread, NULL, serve, w) != 0)
            return false;
        pool->started++;
    }
    return true;
}

tr_status tr_pool_create(int threads, tr_pool **out) {
    if (threads < 1 || threads > TR_POOL_THREAD_MAX)
        return TR_INVALID_ARGUMENT;
    tr_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return TR_RESOURCE_EXHAUSTED;
    pool->threads = threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->finished, NULL);
    pool->workers = calloc((size_t)threads, sizeof *pool->workers);
    if (!pool->workers || !start_workers(pool)) {
        tr_pool_destroy(pool);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = pool;
    return TR_OK;
}

void tr_pool_destroy(tr_pool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 1; i <= pool->started; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->begin);
    pthread_mutex_destroy(&pool->lock);
    free(pool->workers);
    free(pool);
}

int tr_pool_threads(const tr_pool *pool) {
    return pool->threads;
}

int tr_pool_width(const tr_pool *pool) {
    return pool->threads * tr_ranks_count();
}

/* Does every stride-th item from `first` on. The counter may pass the count once for each
 * thread. */
static void run_some(tr_pool *pool, int first, int stride) {
    pthread_mutex_lock(&pool->lock);
    pool->stride = stride;
    atomic_store(&pool->next, first);
    pool->working = pool->started;
    pool->round++;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    /* The calling thread works too, then waits for the slowest. */
    take_items(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->working > 0)
        pthread_cond_wait(&pool->finished, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static void work_one(void *context, const int *item, int count, int index) {
    const tr_pool *pool = context;
    (void)count;
    pool->single(pool->single_context, item[0], index);
}

static void set_single_work(tr_pool *pool, tr_pool_work work, void *context, int count) {
    pool->single = work;
    pool->single_context = context;
    pool->work = work_one;
    pool->context = pool;
    pool->count = count;
    pool->batch = 1;
}

void tr_pool_run(tr_pool *pool, tr_pool_work work, void *context, int count) {
    set_single_work(pool, work, context, count);
    run_some(pool, 0, 1);
}

void tr_pool_share(tr_pool *pool, tr_pool_work work, void *context, int count,
                   const tr_ranks_result *results) {
    set_single_work(pool, work, context, count);
    run_some(pool, tr_ranks_own(), tr_ranks_count());
    tr_ranks_share(count, results);
}

void tr_pool_share_batches(tr_pool *pool, const tr_pool_batches *batches,
                           const tr_ranks_result *results) {
    assert(batches->size >= 1 && batches->size <= TR_POOL_BATCH_MAX);
    pool->work = batches->work;
    pool->context = batches->context;
    pool->count = batches->count;
    pool->batch = batches->size;
    run_some(pool, tr_ranks_own(), tr_ranks_count());
    tr_ranks_share(batches->count, results);
}
