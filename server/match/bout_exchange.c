#include "server/match/bout_exchange.h"

#include "server/match/bout_runner.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

/* A hosted bout that is being fought, or its result on its way from a world thread. */
typedef struct expected {
    int64_t ticket;
    bool is_back;
    tr_bout_result result;
    struct expected *next;
} expected;

struct tr_bout_exchange {
    tr_bout_exchange_def def;
    uv_async_t news;
    int runner_count;
    tr_bout_runner *runner[TR_BOUT_RUNNERS_MAX];

    pthread_mutex_t lock; /* everything below */
    expected *first;
};

/* --- on a world thread --- */

static void notify(void *context) {
    tr_bout_exchange *exchange = context;
    uv_async_send(&exchange->news);
}

void tr_bout_exchange_post(void *context, int64_t ticket, const tr_bout_result *result) {
    tr_bout_exchange *exchange = context;
    pthread_mutex_lock(&exchange->lock);
    for (expected *bout = exchange->first; bout; bout = bout->next)
        if (bout->ticket == ticket) {
            bout->result = *result;
            bout->is_back = true;
        }
    pthread_mutex_unlock(&exchange->lock);
    notify(exchange);
}

/* --- out --- */

static tr_bout_runner *idle_runner(const tr_bout_exchange *exchange) {
    for (int i = 0; i < exchange->runner_count; i++)
        if (tr_bout_runner_is_idle(exchange->runner[i]))
            return exchange->runner[i];
    return NULL;
}

bool tr_bout_exchange_has_room(const tr_bout_exchange *exchange) {
    return idle_runner(exchange) != NULL;
}

void tr_bout_exchange_send(tr_bout_exchange *exchange, const tr_match_def *match, int position) {
    tr_bout_runner *runner = idle_runner(exchange);
    assert(runner != NULL);
    tr_bout_runner_start(runner, match, position);
}

void tr_bout_exchange_drop(tr_bout_exchange *exchange, const tr_match_def *match) {
    for (int i = 0; i < exchange->runner_count; i++)
        if (!match || tr_bout_runner_match(exchange->runner[i]) == match)
            tr_bout_runner_drop(exchange->runner[i]);
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

static bool take_fought(tr_bout_runner *runner, tr_bout_back *out) {
    *out = (tr_bout_back){.match = tr_bout_runner_match(runner),
                          .position = tr_bout_runner_position(runner)};
    return out->match && tr_bout_runner_take(runner, &out->result, &out->dropped);
}

bool tr_bout_exchange_take(tr_bout_exchange *exchange, tr_bout_back *out) {
    if (take_posted(exchange, out))
        return true;
    for (int i = 0; i < exchange->runner_count; i++)
        if (take_fought(exchange->runner[i], out))
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
    if (!exchange)
        return TR_RESOURCE_EXHAUSTED;
    exchange->def = *def;
    if (uv_async_init(def->loop, &exchange->news, on_news) != 0) {
        free(exchange);
        return TR_RESOURCE_EXHAUSTED;
    }
    exchange->news.data = exchange;
    pthread_mutex_init(&exchange->lock, NULL);
    tr_status status = TR_OK;
    for (int i = 0; i < def->runner_count && i < TR_BOUT_RUNNERS_MAX && !status; i++) {
        status = tr_bout_runner_create(def->pool, notify, exchange, &exchange->runner[i]);
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
        tr_bout_runner_destroy(exchange->runner[i]);
    for (expected *bout; (bout = exchange->first);) {
        exchange->first = bout->next;
        free(bout);
    }
    uv_close((uv_handle_t *)&exchange->news, on_closed);
}
