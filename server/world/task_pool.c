#include "server/world/task_pool.h"

#include "proto/clock.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREAD_MAX = 256 };

typedef struct task_heap {
    tr_task **task; /* [count], the earliest due first */
    int count;
} task_heap;

enum { FOREGROUND, BACKGROUND, HEAP_COUNT };

/* A worker, or the relief of one: they differ in the tasks that they take. */
typedef struct pool_thread {
    pthread_t id;
    tr_task_pool *pool;
    tr_task *(*take)(tr_task_pool *pool);
    int64_t turn_ns; /* when its present turn began; INT64_MAX: between turns */
} pool_thread;

struct tr_task_pool {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* the head of a heap, or `ending` */
    pthread_cond_t late;    /* the foreground's head, `ending`, a first task, or background turns */
    task_heap heap[HEAP_COUNT];
    atomic_int_least64_t wanted_ns; /* when the first foreground task is due */
    int held, capacity;             /* held: queued, running and parked */
    int background_turns;           /* in progress; at most background_max are begun */
    int background_max;
    bool ending, watched; /* watched: a relief looks for long turns */
    int thread_count;
    pool_thread thread[2 * THREAD_MAX];
};

int64_t tr_task_pool_now_ns(void) {
    return tr_clock_ns(CLOCK_MONOTONIC);
}

int64_t tr_task_pool_spent_ns(void) {
    return tr_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* --- the heaps; the lock is held --- */

static void place(task_heap *heap, tr_task *task, int at) {
    heap->task[at] = task;
    task->heap_index = at;
}

static void sift_up(task_heap *heap, tr_task *task, int at) {
    while (at > 0 && heap->task[(at - 1) / 2]->due_ns > task->due_ns) {
        place(heap, heap->task[(at - 1) / 2], at);
        at = (at - 1) / 2;
    }
    place(heap, task, at);
}

static void sift_down(task_heap *heap, tr_task *task, int at) {
    for (int child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && heap->task[child + 1]->due_ns < heap->task[child]->due_ns)
            child++;
        if (heap->task[child]->due_ns >= task->due_ns)
            break;
        place(heap, heap->task[child], at);
    }
    place(heap, task, at);
}

static int64_t first_due_ns(const task_heap *heap) {
    return heap->count > 0 ? heap->task[0]->due_ns : INT64_MAX;
}

static void tell_wanted(tr_task_pool *pool) {
    atomic_store_explicit(&pool->wanted_ns, first_due_ns(&pool->heap[FOREGROUND]),
                          memory_order_relaxed);
}

static task_heap *heap_of(tr_task_pool *pool, const tr_task *task) {
    return &pool->heap[task->background ? BACKGROUND : FOREGROUND];
}

/* Signals a new head of a heap to a worker, and to a relief if all workers may be busy. */
static void tell_head(tr_task_pool *pool, const tr_task *task) {
    pthread_cond_signal(&pool->changed);
    if (!task->background && pool->background_turns > 0)
        pthread_cond_signal(&pool->late);
}

static void push(tr_task_pool *pool, tr_task *task, int64_t due_ns) {
    task_heap *heap = heap_of(pool, task);
    task->due_ns = due_ns;
    task->state = TR_TASK_QUEUED;
    sift_up(heap, task, heap->count++);
    if (task->heap_index == 0)
        tell_head(pool, task);
    tell_wanted(pool);
}

static tr_task *pop(tr_task_pool *pool, task_heap *heap) {
    tr_task *first = heap->task[0];
    tr_task *last = heap->task[--heap->count];
    if (heap->count > 0)
        sift_down(heap, last, 0);
    tell_wanted(pool);
    return first;
}

/* --- workers --- */

/* When a background task may run; never while enough of them do. A worker that ends a turn of one
 * looks for the next. */
static int64_t background_due_ns(const tr_task_pool *pool) {
    return pool->background_turns < pool->background_max ? first_due_ns(&pool->heap[BACKGROUND])
                                                         : INT64_MAX;
}

/* NULL: nothing is due. */
static tr_task *take_first(tr_task_pool *pool, int64_t now_ns) {
    task_heap *foreground = &pool->heap[FOREGROUND];
    bool foreground_due = first_due_ns(foreground) <= now_ns;
    int64_t due_ns = background_due_ns(pool);
    if (due_ns <= now_ns && (!foreground_due || now_ns - due_ns >= TR_TASK_POOL_PATIENCE_NS))
        return pop(pool, &pool->heap[BACKGROUND]);
    return foreground_due ? pop(pool, foreground) : NULL;
}

static bool is_idle(const tr_task_pool *pool) {
    return pool->heap[FOREGROUND].count == 0 && pool->heap[BACKGROUND].count == 0;
}

/* Waits for a due task; NULL when the pool ends. The lock is held on entry and exit. */
static tr_task *take_due(tr_task_pool *pool) {
    while (!pool->ending) {
        tr_task *task = take_first(pool, tr_task_pool_now_ns());
        if (task) {
            if (!is_idle(pool)) /* another worker watches the next one */
                pthread_cond_signal(&pool->changed);
            return task;
        }
        int64_t a = first_due_ns(&pool->heap[FOREGROUND]);
        int64_t b = background_due_ns(pool), due_ns = a < b ? a : b;
        if (due_ns == INT64_MAX) {
            pthread_cond_wait(&pool->changed, &pool->lock);
            continue;
        }
        struct timespec until = {due_ns / 1000000000, due_ns % 1000000000};
        pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
    }
    return NULL;
}

/* A time that has passed counts as now, so that tasks that are always due take turns with all
 * others. */
static void put_back(tr_task_pool *pool, tr_task *task, int64_t next_ns) {
    int64_t now_ns = tr_task_pool_now_ns();
    if (task->woken || next_ns < now_ns)
        push(pool, task, now_ns);
    else if (next_ns == TR_TASK_PARK)
        task->state = TR_TASK_PARKED;
    else
        push(pool, task, next_ns);
    task->woken = false;
}

/* When the earliest of the turns in progress is a long one. */
static int64_t long_turn_ns(const tr_task_pool *pool) {
    int64_t first_ns = INT64_MAX - TR_TASK_POOL_LONG_NS;
    for (int i = 0; i < pool->thread_count; i++)
        if (pool->thread[i].turn_ns < first_ns)
            first_ns = pool->thread[i].turn_ns;
    return first_ns + TR_TASK_POOL_LONG_NS;
}

/* Waits for a change, or until a relief is needed. Turns begin and end without a signal; of the
 * reliefs that would look for long ones, one does. The lock is held. */
static void await_need(tr_task_pool *pool, int64_t need_ns, int64_t now_ns) {
    bool apart = pool->background_turns == 0, watches = apart && !pool->watched && pool->held > 0;
    int64_t look_ns = now_ns + TR_TASK_POOL_LONG_NS / 2;
    if (apart)
        need_ns = !watches ? INT64_MAX : need_ns < look_ns ? need_ns : look_ns;
    struct timespec until = {need_ns / 1000000000, need_ns % 1000000000};
    pool->watched = pool->watched || watches;
    if (need_ns == INT64_MAX)
        pthread_cond_wait(&pool->late, &pool->lock);
    else
        pthread_cond_timedwait(&pool->late, &pool->lock, &until);
    pool->watched = pool->watched && !watches;
}

/* Waits for a foreground task that is late while threads run background tasks or a long turn; NULL
 * when the pool ends. The lock is held on entry and exit. */
static tr_task *take_late(tr_task_pool *pool) {
    task_heap *foreground = &pool->heap[FOREGROUND];
    while (!pool->ending) {
        int64_t now_ns = tr_task_pool_now_ns(), late_ns = INT64_MAX;
        int64_t busy_ns = pool->background_turns > 0 ? 0 : long_turn_ns(pool);
        if (foreground->count > 0)
            late_ns = first_due_ns(foreground) + TR_TASK_POOL_GRACE_NS;
        int64_t need_ns = late_ns > busy_ns ? late_ns : busy_ns;
        if (need_ns <= now_ns) {
            pthread_cond_signal(&pool->late); /* for the next one */
            return pop(pool, foreground);
        }
        await_need(pool, need_ns, now_ns);
    }
    return NULL;
}

/* A thread: runs a turn of each task that it takes. */
static void *work(void *argument) {
    pool_thread *self = argument;
    tr_task_pool *pool = self->pool;
    pthread_mutex_lock(&pool->lock);
    for (tr_task *task; (task = self->take(pool));) {
        const bool background = task->background;
        if (background && pool->background_turns++ == 0)
            pthread_cond_broadcast(&pool->late);
        task->state = TR_TASK_RUNNING;
        int64_t now_ns = self->turn_ns = tr_task_pool_now_ns();
        pthread_mutex_unlock(&pool->lock);
        int64_t next_ns = task->run(task, now_ns);
        if (next_ns == TR_TASK_RETIRE)
            task->retired(task);
        pthread_mutex_lock(&pool->lock);
        self->turn_ns = INT64_MAX;
        if (next_ns == TR_TASK_RETIRE)
            pool->held--;
        else
            put_back(pool, task, next_ns);
        pool->background_turns -= background;
        /* The reliefs found nothing to watch while background turns ran: one looks again. */
        if (background && pool->background_turns == 0 && !pool->watched)
            pthread_cond_signal(&pool->late);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* --- the pool --- */

static tr_status start_threads(tr_task_pool *pool, int worker_count) {
    tr_status status = TR_OK;
    pthread_mutex_lock(&pool->lock); /* the first threads look at all */
    for (int i = 0; i < 2 * worker_count && !status; i++) {
        pool_thread *thread = &pool->thread[i];
        thread->pool = pool;
        thread->take = i < worker_count ? take_due : take_late;
        thread->turn_ns = INT64_MAX;
        if (pthread_create(&thread->id, NULL, work, thread) != 0)
            status = TR_RESOURCE_EXHAUSTED;
        pool->thread_count += !status;
    }
    pthread_mutex_unlock(&pool->lock);
    return status;
}

tr_status tr_task_pool_create(int thread_count, int background_max, int task_capacity,
                              tr_task_pool **out) {
    if (thread_count < 1 || thread_count > THREAD_MAX || task_capacity < 1 || background_max < 1 ||
        background_max > thread_count)
        return TR_INVALID_ARGUMENT;
    tr_task_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return TR_RESOURCE_EXHAUSTED;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->changed, &monotonic);
    pthread_cond_init(&pool->late, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&pool->lock, NULL);
    pool->capacity = task_capacity;
    pool->background_max = background_max;
    atomic_init(&pool->wanted_ns, INT64_MAX);
    tr_status status = TR_OK;
    for (int i = 0; i < HEAP_COUNT; i++) {
        pool->heap[i].task = calloc((size_t)task_capacity, sizeof(tr_task *));
        if (!pool->heap[i].task)
            status = TR_RESOURCE_EXHAUSTED;
    }
    if (!status)
        status = start_threads(pool, thread_count);
    return TR_GIVE(status, pool, tr_task_pool_destroy, out);
}

void tr_task_pool_destroy(tr_task_pool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_cond_broadcast(&pool->late);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->thread_count; i++)
        pthread_join(pool->thread[i].id, NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_cond_destroy(&pool->late);
    pthread_mutex_destroy(&pool->lock);
    for (int i = 0; i < HEAP_COUNT; i++)
        free(pool->heap[i].task);
    free(pool);
}

tr_status tr_task_pool_add(tr_task_pool *pool, tr_task *task) {
    assert(task->state == TR_TASK_NEW);
    tr_status status = TR_RESOURCE_EXHAUSTED;
    pthread_mutex_lock(&pool->lock);
    if (pool->held < pool->capacity) {
        if (pool->held++ == 0)
            pthread_cond_signal(&pool->late);
        task->woken = false;
        push(pool, task, tr_task_pool_now_ns());
        status = TR_OK;
    }
    pthread_mutex_unlock(&pool->lock);
    return status;
}

void tr_task_pool_wake(tr_task_pool *pool, tr_task *task) {
    int64_t now_ns = tr_task_pool_now_ns();
    pthread_mutex_lock(&pool->lock);
    if (task->state == TR_TASK_RUNNING) {
        task->woken = true;
    } else if (task->state == TR_TASK_PARKED) {
        push(pool, task, now_ns);
    } else if (task->state == TR_TASK_QUEUED && task->due_ns > now_ns) {
        task->due_ns = now_ns;
        sift_up(heap_of(pool, task), task, task->heap_index);
        tell_wanted(pool);
        tell_head(pool, task);
    }
    pthread_mutex_unlock(&pool->lock);
}

bool tr_task_pool_is_wanted(const tr_task_pool *pool, int64_t now_ns) {
    return atomic_load_explicit(&pool->wanted_ns, memory_order_relaxed) <= now_ns;
}

void tr_task_pool_must_hold(tr_task_pool *pool, uint64_t turn, tr_invariant *broken) {
    int queued = 0;
    pthread_mutex_lock(&pool->lock);
    for (int k = 0; k < HEAP_COUNT; k++) {
        const task_heap *heap = &pool->heap[k];
        int at = heap->count > 0 ? (int)(turn % (uint64_t)heap->count) : 0;
        queued += heap->count;
        if (heap->count == 0)
            continue;
        TR_MUST_BE(broken, heap->task[at]->heap_index, ==, at);
        TR_MUST_BE(broken, heap->task[at]->state, ==, TR_TASK_QUEUED);
        TR_MUST(broken, at == 0 || heap->task[(at - 1) / 2]->due_ns <= heap->task[at]->due_ns);
    }
    TR_MUST_BE(broken, queued, <=, pool->held);
    TR_MUST(broken, pool->held <= pool->capacity && pool->background_turns >= 0);
    pthread_mutex_unlock(&pool->lock);
}
