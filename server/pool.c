#include "server/pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { THREAD_MAX = 256 };

struct tr_pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;    /* the head of the heap, or `ending` */
    tr_task **heap;            /* [count], the earliest due first */
    int count, held, capacity; /* held: queued, running and parked */
    bool ending;
    int thread_count;
    pthread_t thread[THREAD_MAX];
};

int64_t tr_pool_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* --- the heap; the lock is held --- */

static void place(tr_pool *pool, tr_task *task, int at) {
    pool->heap[at] = task;
    task->heap_index = at;
}

static void sift_up(tr_pool *pool, tr_task *task, int at) {
    while (at > 0 && pool->heap[(at - 1) / 2]->due_ns > task->due_ns) {
        place(pool, pool->heap[(at - 1) / 2], at);
        at = (at - 1) / 2;
    }
    place(pool, task, at);
}

static void sift_down(tr_pool *pool, tr_task *task, int at) {
    for (int child; (child = 2 * at + 1) < pool->count; at = child) {
        if (child + 1 < pool->count && pool->heap[child + 1]->due_ns < pool->heap[child]->due_ns)
            child++;
        if (pool->heap[child]->due_ns >= task->due_ns)
            break;
        place(pool, pool->heap[child], at);
    }
    place(pool, task, at);
}

static void push(tr_pool *pool, tr_task *task, int64_t due_ns) {
    task->due_ns = due_ns;
    task->state = TR_TASK_QUEUED;
    sift_up(pool, task, pool->count++);
    if (task->heap_index == 0)
        pthread_cond_signal(&pool->changed);
}

static tr_task *pop(tr_pool *pool) {
    tr_task *first = pool->heap[0];
    tr_task *last = pool->heap[--pool->count];
    if (pool->count > 0)
        sift_down(pool, last, 0);
    return first;
}

/* --- workers --- */

/* Waits for a due task; NULL when the pool ends. The lock is held on entry and exit. */
static tr_task *take_due(tr_pool *pool) {
    while (!pool->ending) {
        if (pool->count == 0) {
            pthread_cond_wait(&pool->changed, &pool->lock);
            continue;
        }
        int64_t due_ns = pool->heap[0]->due_ns;
        if (due_ns <= tr_pool_now_ns())
            return pop(pool);
        struct timespec until = {due_ns / 1000000000, due_ns % 1000000000};
        pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
    }
    return NULL;
}

/* A time that has passed counts as now, so that tasks that always want to run take turns with all
 * others. */
static void put_back(tr_pool *pool, tr_task *task, int64_t next_ns) {
    int64_t now_ns = tr_pool_now_ns();
    if (task->woken || next_ns < now_ns)
        push(pool, task, now_ns);
    else if (next_ns == TR_TASK_PARK)
        task->state = TR_TASK_PARKED;
    else
        push(pool, task, next_ns);
    task->woken = false;
}

static void *work(void *argument) {
    tr_pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    for (tr_task *task; (task = take_due(pool)) != NULL;) {
        task->state = TR_TASK_RUNNING;
        if (pool->count > 0) /* another worker watches the next one */
            pthread_cond_signal(&pool->changed);
        pthread_mutex_unlock(&pool->lock);
        int64_t next_ns = task->run(task, tr_pool_now_ns());
        pthread_mutex_lock(&pool->lock);
        if (next_ns != TR_TASK_RETIRE) {
            put_back(pool, task, next_ns);
            continue;
        }
        pool->held--;
        pthread_mutex_unlock(&pool->lock);
        task->retired(task);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* --- the pool --- */

static tr_status start_threads(tr_pool *pool, int count) {
    for (; pool->thread_count < count; pool->thread_count++)
        if (pthread_create(&pool->thread[pool->thread_count], NULL, work, pool) != 0)
            return TR_RESOURCE_EXHAUSTED;
    return TR_OK;
}

tr_status tr_pool_create(int thread_count, int task_capacity, tr_pool **out) {
    if (thread_count < 1 || thread_count > THREAD_MAX || task_capacity < 1)
        return TR_INVALID_ARGUMENT;
    tr_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return TR_RESOURCE_EXHAUSTED;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&pool->lock, NULL);
    pool->capacity = task_capacity;
    pool->heap = calloc((size_t)task_capacity, sizeof(tr_task *));
    tr_status status =
        pool->heap != NULL ? start_threads(pool, thread_count) : TR_RESOURCE_EXHAUSTED;
    if (status != TR_OK) {
        tr_pool_destroy(pool);
        return status;
    }
    *out = pool;
    return TR_OK;
}

void tr_pool_destroy(tr_pool *pool) {
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->thread_count; i++)
        pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool->heap);
    free(pool);
}

tr_status tr_pool_add(tr_pool *pool, tr_task *task) {
    assert(task->state == TR_TASK_NEW);
    tr_status status = TR_RESOURCE_EXHAUSTED;
    pthread_mutex_lock(&pool->lock);
    if (pool->held < pool->capacity) {
        pool->held++;
        task->woken = false;
        push(pool, task, tr_pool_now_ns());
        status = TR_OK;
    }
    pthread_mutex_unlock(&pool->lock);
    return status;
}

void tr_pool_wake(tr_pool *pool, tr_task *task) {
    int64_t now_ns = tr_pool_now_ns();
    pthread_mutex_lock(&pool->lock);
    if (task->state == TR_TASK_RUNNING) {
        task->woken = true;
    } else if (task->state == TR_TASK_PARKED) {
        push(pool, task, now_ns);
    } else if (task->state == TR_TASK_QUEUED && task->due_ns > now_ns) {
        task->due_ns = now_ns;
        sift_up(pool, task, task->heap_index);
        pthread_cond_signal(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
}
