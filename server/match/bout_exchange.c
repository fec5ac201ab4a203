#include "server/match/bout_exchange.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { TURN_NS = 500000 };

/* A hosted bout that is being fought, or its result on its way from a world thread. */
typedef struct expected {
    int64_t ticket;
    bool is_back;
    tr_bout_result result;
    struct expected *next;
} expected;

/* Fights headless bouts, one at a time.
 *
 *     IDLE --- tr_bout_exchange_send (loop) ---> FIGHTING --- the bout ends (world thread) ---> DONE
 *      ^                                                                                         |
 *      +---------------------------- tr_bout_exchange_take (loop) -------------------------------+
 *
 * A dropped one is DONE without a result at its next turn. */
typedef enum runner_state { IDLE, FIGHTING, DONE } runner_state;

typedef struct runner {
    tr_task task; /* first: the pool hands it back */
    tr_bout_exchange *exchange;
    const tr_match_def *match; /* the loop's; NULL: idle */
    int position;

    tr_stage *stage; /* the turn's worker alone */
    tr_bout bout;

    runner_state state; /* these under the exchange's lock */
    bool dropped;
    tr_bout_result result;
} runner;

struct tr_bout_exchange {
    tr_bout_exchange_def def;
    uv_async_t news;
    int runner_count;
    runner *runner; /* [runner_count] */

    pthread_mutex_t lock; /* of the runners' results, and of everything below */
    expected *first;
};

/* --- on a world thread --- */

void tr_bout_exchange_post(void *context, int64_t ticket, const tr_bout_result *result) {
    tr_bout_exchange *exchange = context;
    pthread_mutex_lock(&exchange->lock);
    for (expected *bout = exchange->first; bout; bout = bout->next)
        if (bout->ticket == ticket) {
            bout->result = *result;
            bout->is_back = true;
        }
    pthread_mutex_unlock(&exchange->lock);
    uv_async_send(&exchange->news);
}

/* The runner's last step: its result is on its way. */
static int64_t finish(runner *r, const tr_bout_result *result) {
    tr_stage_destroy(r->stage);
    r->stage = NULL;
    pthread_mutex_lock(&r->exchange->lock);
    r->result = *result;
    r->state = DONE;
    pthread_mutex_unlock(&r->exchange->lock);
    uv_async_send(&r->exchange->news);
    return TR_TASK_PARK;
}

/* A bout that cannot begin has a void result with the reason. */
static bool begin(runner *r, tr_bout_result *out_void) {
    tr_error error = {0};
    uint64_t seed = tr_match_bout_seed(r->match, r->position);
    tr_status status = tr_bout_make_stage(r->match, &r->stage);
    if (!status)
        status = tr_bout_begin(&r->bout, r->match, seed, r->stage, &error);
    if (status)
        *out_void = tr_bout_void(error.message[0] != '\0' ? error.message : tr_status_text(status));
    return !status;
}

/* A short turn, after which the runner is due for the next one: the pool gives each turn to the task
 * that has been due longest, so that a real-time world waits for one of them at most. */
static int64_t run(tr_task *task, int64_t now_ns) {
    runner *r = (runner *)task;
    tr_task_pool *pool = r->exchange->def.pool;
    tr_bout_result none = tr_bout_void("dropped");
    pthread_mutex_lock(&r->exchange->lock);
    bool fighting = r->state == FIGHTING, dropped = r->dropped;
    pthread_mutex_unlock(&r->exchange->lock);
    if (!fighting)
        return TR_TASK_PARK;
    if (dropped || (!r->stage && !begin(r, &none)))
        return finish(r, &none);
    for (int64_t end_ns = now_ns + TURN_NS; now_ns < end_ns; now_ns = tr_task_pool_now_ns()) {
        tr_bout_before_step(&r->bout);
        (void)!tr_stage_step(r->stage); /* a fault is reported as an event */
        tr_bout_after_step(&r->bout);
        if (r->bout.ended)
            return finish(r, &r->bout.result);
        if (tr_task_pool_is_wanted(pool, tr_task_pool_now_ns()))
            break;
    }
    return now_ns;
}

static void retired(tr_task *task) {
    (void)task;
}

/* --- out --- */

static runner *idle_runner(const tr_bout_exchange *exchange) {
    for (int i = 0; i < exchange->runner_count; i++)
        if (!exchange->runner[i].match)
            return &exchange->runner[i];
    return NULL;
}

bool tr_bout_exchange_has_room(const tr_bout_exchange *exchange) {
    return idle_runner(exchange) != NULL;
}

void tr_bout_exchange_send(tr_bout_exchange *exchange, const tr_match_def *match, int position) {
    runner *r = idle_runner(exchange);
    assert(r != NULL);
    pthread_mutex_lock(&exchange->lock);
    r->match = match;
    r->position = position;
    r->dropped = false;
    r->state = FIGHTING;
    pthread_mutex_unlock(&exchange->lock);
    tr_task_pool_wake(exchange->def.pool, &r->task);
}

void tr_bout_exchange_drop(tr_bout_exchange *exchange, const tr_match_def *match) {
    pthread_mutex_lock(&exchange->lock);
    for (int i = 0; i < exchange->runner_count; i++)
        exchange->runner[i].dropped |= !match || exchange->runner[i].match == match;
    pthread_mutex_unlock(&exchange->lock);
}

/* Removes and returns the first entry with this ticket; if `ticket` is NULL, the first that is
 * back. */
static expected *take_out(tr_bout_exchange *exchange, const int64_t *ticket) {
    pthread_mutex_lock(&exchange->lock);
    expected **at = &exchange->first;
    while (*at && !(ticket ? (*at)->ticket == *ticket : (*at)->is_back))
        at = &(*at)->next;
    expected *bout = *at;
    if (bout)
        *at = bout->next;
    pthread_mutex_unlock(&exchange->lock);
    return bout;
}

tr_status tr_bout_exchange_expect(tr_bout_exchange *exchange, int64_t ticket) {
    expected *bout = malloc(sizeof *bout);
    if (!bout)
        return TR_RESOURCE_EXHAUSTED;
    *bout = (expected){.ticket = ticket};
    pthread_mutex_lock(&exchange->lock);
    bout->next = exchange->first;
    exchange->first = bout;
    pthread_mutex_unlock(&exchange->lock);
    return TR_OK;
}

void tr_bout_exchange_forget(tr_bout_exchange *exchange, int64_t ticket) {
    free(take_out(exchange, &ticket));
}

/* --- back --- */

static bool take_posted(tr_bout_exchange *exchange, tr_bout_back *out) {
    expected *bout = take_out(exchange, NULL);
    if (!bout)
        return false;
    *out = (tr_bout_back){.ticket = bout->ticket, .result = bout->result};
    free(bout);
    return true;
}

static bool take_fought(tr_bout_exchange *exchange, runner *r, tr_bout_back *out) {
    pthread_mutex_lock(&exchange->lock);
    bool done = r->state == DONE;
    if (done) {
        *out = (tr_bout_back){
            .match = r->match, .position = r->position, .dropped = r->dropped, .result = r->result};
        r->state = IDLE;
        r->match = NULL;
    }
    pthread_mutex_unlock(&exchange->lock);
    return done;
}

bool tr_bout_exchange_take(tr_bout_exchange *exchange, tr_bout_back *out) {
    if (take_posted(exchange, out))
        return true;
    for (int i = 0; i < exchange->runner_count; i++)
        if (take_fought(exchange, &exchange->runner[i], out))
            return true;
    return false;
}

static void on_news(uv_async_t *handle) {
    tr_bout_exchange *exchange = handle->data;
    exchange->def.news(exchange->def.context);
}

/* --- life --- */

tr_status tr_bout_exchange_create(const tr_bout_exchange_def *def, tr_bout_exchange **out) {
    tr_bout_exchange *exchange = calloc(1, sizeof *exchange);
    runner *runners = calloc((size_t)def->runner_count + 1, sizeof *runners);
    if (!exchange || !runners || uv_async_init(def->loop, &exchange->news, on_news) != 0) {
        free(runners);
        free(exchange);
        return TR_RESOURCE_EXHAUSTED;
    }
    exchange->def = *def;
    exchange->runner = runners;
    exchange->news.data = exchange;
    pthread_mutex_init(&exchange->lock, NULL);
    tr_status status = TR_OK;
    while (!status && exchange->runner_count < def->runner_count &&
           exchange->runner_count < TR_BOUT_RUNNERS_MAX) {
        runner *r = &runners[exchange->runner_count];
        r->task = (tr_task){.run = run, .retired = retired, .background = true};
        r->exchange = exchange;
        status = tr_task_pool_add(def->pool, &r->task);
        exchange->runner_count += !status;
    }
    *out = exchange;
    return status;
}

static void on_closed(uv_handle_t *handle) {
    tr_bout_exchange *exchange = handle->data;
    pthread_mutex_destroy(&exchange->lock);
    free(exchange);
}

void tr_bout_exchange_destroy(tr_bout_exchange *exchange) {
    if (!exchange)
        return;
    for (int i = 0; i < exchange->runner_count; i++)
        tr_stage_destroy(exchange->runner[i].stage);
    free(exchange->runner);
    for (expected *bout; (bout = exchange->first);) {
        exchange->first = bout->next;
        free(bout);
    }
    uv_close((uv_handle_t *)&exchange->news, on_closed);
}
