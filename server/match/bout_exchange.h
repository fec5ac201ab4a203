/* The exchange of bouts: sends bouts to the world threads and collects their results.
 *
 * Headless bouts are fought by runners on the world threads, in short turns; with as many runners
 * as world threads they use the time that hosted worlds leave. A hosted bout is fought in a world;
 * its referee posts the result from the world's thread. Either way `news` is called on the loop,
 * which then takes the results one by one. All functions belong to the loop's thread, except
 * tr_bout_exchange_post. */
#pragma once

#include "server/match/bout.h"
#include "server/world/task_pool.h"

#include <uv.h>

typedef struct tr_bout_exchange tr_bout_exchange;

enum { TR_BOUT_RUNNERS_MAX = 64 };

typedef struct tr_bout_exchange_def {
    uv_loop_t *loop;
    tr_task_pool *pool;
    int runner_count; /* headless bouts fought in parallel, at most TR_BOUT_RUNNERS_MAX */
    void (*news)(void *context);
    void *context;
} tr_bout_exchange_def;

/* May set *out on failure too: destroy it after the pool has ended. */
tr_status tr_bout_exchange_create(const tr_bout_exchange_def *def,
                                  tr_bout_exchange **out) TR_NODISCARD;

/* Call after the pool has ended; the loop frees the rest. NULL is allowed. */
void tr_bout_exchange_destroy(tr_bout_exchange *exchange);

bool tr_bout_exchange_has_room(const tr_bout_exchange *exchange); /* whether a runner is idle */

/* Starts a headless bout; requires tr_bout_exchange_has_room. `match` must live until the bout is
 * back. */
void tr_bout_exchange_send(tr_bout_exchange *exchange, const tr_match_def *match, int position);

/* Discards the results of the bouts of `match`, or of all bouts if it is NULL. The bouts are still
 * returned. */
void tr_bout_exchange_drop(tr_bout_exchange *exchange, const tr_match_def *match);

/* Announces a hosted bout with this unique ticket, and reserves memory for its result.
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_bout_exchange_expect(tr_bout_exchange *exchange, int64_t ticket) TR_NODISCARD;

/* Discards the result of this ticket's bout. No effect if none is expected. */
void tr_bout_exchange_forget(tr_bout_exchange *exchange, int64_t ticket);

/* Delivers the result of an expected hosted bout; a tr_referee_def.ended, from any thread. An
 * unexpected result is dropped. */
void tr_bout_exchange_post(void *exchange, int64_t ticket, const tr_bout_result *result);

typedef struct tr_bout_back {
    const tr_match_def *match; /* headless; NULL: hosted */
    int64_t ticket;            /* hosted: as posted */
    int position;              /* 0 for a hosted one */
    bool dropped;              /* the result was discarded */
    tr_bout_result result;
} tr_bout_back;

/* Takes the next bout that has returned. False if no bout has. */
bool tr_bout_exchange_take(tr_bout_exchange *exchange, tr_bout_back *out);
