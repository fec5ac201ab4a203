#include "server/match/bout_runner.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { TURN_NS = 500000 };

typedef enum runner_state { IDLE, FIGHTING, DONE } runner_state;

struct tr_bout_runner {
    tr_task task; /* first: the pool hands it back */
    tr_task_pool *pool;
    tr_bout_runner_notify notify;
    void *context;
    const tr_match_def *match; /* the loop's; set while the runner is idle */
    int position;

    tr_stage *stage; /* the turn's worker alone */
    tr_bout bout;

    pthread_mutex_t lock; /* everything below */
    runner_state state;
    bool dropped;
    tr_bout_result result;
};

/* --- on a world thread --- */

static void finish(tr_bout_runner *runner, const tr_bout_result *result) {
    tr_stage_destroy(runner->stage);
    runner->stage = NULL;
    pthread_mutex_lock(&runner->lock);
    runner->result = *result;
    runner->state = DONE;
    pthread_mutex_unlock(&runner->lock);
    runner->notify(runner->context);
}

/* A bout that cannot begin has a void result with the reason. */
static bool begin(tr_bout_runner *runner) {
    tr_error error = {0};
    const tr_match_def *match = runner->match;
    uint64_t seed = tr_match_bout_seed(match, runner->position);
    tr_status status = tr_bout_make_stage(match, &runner->stage);
    if (!status)
        status = tr_bout_begin(&runner->bout, match, seed, runner->stage, &error);
    if (!status)
        return true;
    tr_bout_result result =
        tr_bout_void(error.message[0] != '\0' ? error.message : tr_status_text(status));
    finish(runner, &result);
    return false;
}

static bool is_wanted(tr_bout_runner *runner, bool *out_dropped) {
    pthread_mutex_lock(&runner->lock);
    bool fighting = runner->state == FIGHTING;
    *out_dropped = runner->dropped;
    pthread_mutex_unlock(&runner->lock);
    return fighting;
}

static int64_t run(tr_task *task, int64_t now_ns) {
    tr_bout_runner *runner = (tr_bout_runner *)task;
    bool dropped = false;
    if (!is_wanted(runner, &dropped))
        return TR_TASK_PARK;
    if (dropped) {
        tr_bout_result none = tr_bout_void("dropped");
        finish(runner, &none);
        return TR_TASK_PARK;
    }
    if (!runner->stage && !begin(runner))
        return TR_TASK_PARK;
    for (int64_t end_ns = now_ns + TURN_NS; now_ns < end_ns; now_ns = tr_task_pool_now_ns()) {
        tr_bout_before_step(&runner->bout);
        (void)!tr_stage_step(runner->stage); /* a fault is reported as an event */
        tr_bout_after_step(&runner->bout);
        if (runner->bout.ended) {
            finish(runner, &runner->bout.result);
            return TR_TASK_PARK;
        }
        if (tr_task_pool_is_wanted(runner->pool, tr_task_pool_now_ns()))
            break;
    }
    return now_ns;
}

static void retired(tr_task *task) {
    (void)task;
}

/* --- on the loop --- */

tr_status tr_bout_runner_create(tr_task_pool *pool, tr_bout_runner_notify notify, void *context,
                                tr_bout_runner **out) {
    tr_bout_runner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return TR_RESOURCE_EXHAUSTED;
    runner->task.run = run;
    runner->task.retired = retired;
    runner->task.background = true;
    runner->pool = pool;
    runner->notify = notify;
    runner->context = context;
    pthread_mutex_init(&runner->lock, NULL);
    tr_status status = tr_task_pool_add(pool, &runner->task);
    return TR_GIVE(status, runner, tr_bout_runner_destroy, out);
}

void tr_bout_runner_destroy(tr_bout_runner *runner) {
    if (!runner)
        return;
    tr_stage_destroy(runner->stage);
    pthread_mutex_destroy(&runner->lock);
    free(runner);
}

bool tr_bout_runner_is_idle(const tr_bout_runner *runner) {
    return !runner->match;
}

void tr_bout_runner_start(tr_bout_runner *runner, const tr_match_def *match, int position) {
    assert(tr_bout_runner_is_idle(runner));
    pthread_mutex_lock(&runner->lock);
    runner->match = match;
    runner->position = position;
    runner->dropped = false;
    runner->state = FIGHTING;
    pthread_mutex_unlock(&runner->lock);
    tr_task_pool_wake(runner->pool, &runner->task);
}

const tr_match_def *tr_bout_runner_match(const tr_bout_runner *runner) {
    return runner->match;
}

int tr_bout_runner_position(const tr_bout_runner *runner) {
    return runner->position;
}

void tr_bout_runner_drop(tr_bout_runner *runner) {
    pthread_mutex_lock(&runner->lock);
    runner->dropped = true;
    pthread_mutex_unlock(&runner->lock);
}

bool tr_bout_runner_take(tr_bout_runner *runner, tr_bout_result *out, bool *out_dropped) {
    pthread_mutex_lock(&runner->lock);
    bool done = runner->state == DONE;
    if (done) {
        *out = runner->result;
        *out_dropped = runner->dropped;
        runner->state = IDLE;
        runner->match = NULL;
    }
    pthread_mutex_unlock(&runner->lock);
    return done;
}
