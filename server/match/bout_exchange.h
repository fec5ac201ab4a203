/* The exchange of bouts: they go out to the world threads and come back as results.
 *
 * Headless bouts are fought by runners, one for each world thread (bout_runner.h). A hosted bout is
 * fought in a world, whose referee posts the result from its thread. Either way `news` is called on
 * the loop, and results are taken one by one. The functions are the loop's, but for
 * tr_bout_exchange_post. */
#ifndef TROUPE_SERVER_BOUT_EXCHANGE_H
#define TROUPE_SERVER_BOUT_EXCHANGE_H

#include "server/match/bout.h"
#include "server/world/task_pool.h"

#include <uv.h>

typedef struct tr_bout_exchange tr_bout_exchange;

enum { TR_BOUT_RUNNERS_MAX = 64 };

typedef struct tr_bout_exchange_def {
    uv_loop_t *loop;
    tr_task_pool *pool;
    int runner_count; /* headless bouts at once, at most TR_BOUT_RUNNERS_MAX */
    void (*news)(void *context);
    void *context;
} tr_bout_exchange_def;

/* On failure *out may be set too: destroy it when the pool has ended. */
tr_status tr_bout_exchange_create(const tr_bout_exchange_def *def,
                                  tr_bout_exchange **out) TR_NODISCARD;

/* When the pool has ended; the loop frees the rest. NULL is fine. */
void tr_bout_exchange_destroy(tr_bout_exchange *exchange);

bool tr_bout_exchange_has_room(const tr_bout_exchange *exchange); /* a runner is idle */

/* Sends a headless bout out: there is room. `match` lives until the bout has come back. */
void tr_bout_exchange_send(tr_bout_exchange *exchange, const tr_match_def *match, int position);

/* No result is wanted of the bouts of `match`, or of any when it is NULL. They still come back. */
void tr_bout_exchange_drop(tr_bout_exchange *exchange, const tr_match_def *match);

/* A hosted bout of this ticket, no other's, is about to begin; its result has its memory from here
 * on. TR_RESOURCE_EXHAUSTED. */
tr_status tr_bout_exchange_expect(tr_bout_exchange *exchange, int64_t ticket) TR_NODISCARD;

/* No result is wanted of it any more; none is expected: fine. */
void tr_bout_exchange_forget(tr_bout_exchange *exchange, int64_t ticket);

/* The result of a hosted bout that is expected: a tr_referee_def.ended, from any thread. One that is
 * not goes nowhere. */
void tr_bout_exchange_post(void *exchange, int64_t ticket, const tr_bout_result *result);

typedef struct tr_bout_back {
    const tr_match_def *match; /* headless; NULL: hosted */
    int64_t ticket;            /* hosted: as posted */
    int position;              /* 0 for a hosted one */
    bool dropped;              /* there is no result */
    tr_bout_result result;
} tr_bout_back;

/* The next that has come back. False: none. */
bool tr_bout_exchange_take(tr_bout_exchange *exchange, tr_bout_back *out);

#endif
