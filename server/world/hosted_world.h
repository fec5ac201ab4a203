/* A hosted world: a world loop on the world threads, the mailboxes between it and the event loop,
 * and the event loop's data about it.
 *
 * The event loop posts commands and state classes into the inbox and collects replies, events,
 * deliveries and encoded states from the outbox; both are bounded and guarded by one mutex that is
 * held for pointer swaps only. The world loop between them belongs to the worker that has the
 * task's turn. States wait in slots where the newest replaces the one before, and of events the
 * newest two batches wait. A stepped world instead waits until the event loop has taken each state
 * and all events; the event loop always does so, however slow its clients are.
 *
 *     event loop      tr_hosted_post           tr_hosted_collect <- news, sent by the worker
 *                          |                          ^
 *     mailboxes          inbox                     outbox
 *                          v                          |
 *     world thread       admit  ->  advance  ->  encode, hand over
 *
 * The functions below are for the event loop. */
#pragma once

#include "server/catalogue/library.h"
#include "server/world/move.h"
#include "server/world/ownership.h"
#include "server/world/publisher.h"
#include "server/world/task_pool.h"
#include "server/world/world_loop.h"

#include <uv.h>

typedef struct tr_hosted_def {
    tr_world_loop_def loop;
    tr_task_pool *pool;
    tr_library *library; /* of tr_hosted_holds; NULL: nothing is held */
    uint64_t maker;      /* account that makes it; 0: no account */
    double step_limit_s; /* of processor time: a world of which a step takes more fails; 0: none */
    double share;        /* of a processor, its budget; 0: no limit */
    uv_async_t *news;    /* sent when the outbox has something; outlives the pool's threads */
} tr_hosted_def;

/* Makes the world and puts it on the pool. TR_INVALID_ARGUMENT: the stage refuses the definition;
 * TR_RESOURCE_EXHAUSTED. On failure the caller keeps loop.source. */
tr_status tr_hosted_create(const tr_hosted_def *def, tr_hosted **out) TR_NODISCARD;

/* Call after a harvest with `closed`, or when the pool has ended. NULL is allowed. */
void tr_hosted_destroy(tr_hosted *hosted);

/* Ends the world after the turn in progress: waiting commands are answered TR_ABORTED, and a
 * harvest with `closed` follows. Further calls have no effect. */
void tr_hosted_close(tr_hosted *hosted);
/* The same for a world that continues elsewhere: its clients learn where, "host:port". */
void tr_hosted_move_away(tr_hosted *hosted, const char *moved_to);
bool tr_hosted_is_closing(const tr_hosted *hosted);

/* --- description --- */

uint32_t tr_hosted_id(const tr_hosted *hosted);
const char *tr_hosted_name(const tr_hosted *hosted);
tr_world_mode tr_hosted_mode(const tr_hosted *hosted);
uint64_t tr_hosted_maker(const tr_hosted *hosted);

/* Its ownership, at first without an owner. The caller may change it through the pointer. */
tr_ownership *tr_hosted_ownership(tr_hosted *hosted);

/* Its move to or from another daemon, for move.c and for reading. */
tr_move *tr_hosted_move(tr_hosted *hosted);

/* The world's description after its last turn, and how long the present one has lasted. */
tr_world_info tr_hosted_describe(tr_hosted *hosted);

/* The number of an account's characters after its last turn. */
int tr_hosted_owned(tr_hosted *hosted, uint64_t account);

/* Processor time that its turns at their times have used since the last call: those of a real-time
 * world, which are the budget's. */
double tr_hosted_take_spent_s(tr_hosted *hosted);

/* Puts its turns in the background, or not, because of what other worlds have spent. */
void tr_hosted_hold_back(tr_hosted *hosted, bool hold);

/* What it keeps of the library as long as it exists. */
tr_holds *tr_hosted_holds(tr_hosted *hosted);

/* --- in --- */

/* Takes the command on success. TR_RESOURCE_EXHAUSTED: the inbox holds too much already. */
tr_status tr_hosted_post(tr_hosted *hosted, tr_command *command) TR_NODISCARD;

/* Hands over the table of state classes: [TR_STATE_CLASS_MAX]. */
void tr_hosted_set_classes(tr_hosted *hosted, const tr_state_class *classes);

/* Sets whether any client wants events; if not, none are encoded. */
void tr_hosted_set_events(tr_hosted *hosted, bool wanted);

/* --- out --- */

/* Everything that the world produced since the last collection; clear it with tr_harvest_deinit. */
typedef struct tr_harvest {
    tr_state_post state[TR_STATE_CLASS_MAX];
    tr_event_post events[TR_EVENT_STREAMS];
    tr_reply *replies;       /* list, owned */
    tr_delivery *deliveries; /* list, owned; delivered by tr_harvest_deinit at the latest */
    bool closed;             /* the last harvest: the world may be destroyed */
    bool ended;              /* its last event is out, or comes now: no state may follow */
    char failure[TR_WORLD_FAILURE_MAX]; /* why the world must be closed; "": it has not failed */
    tr_packet *evidence;                /* its snapshot, when an invariant failed; else NULL */
} tr_harvest;

/* Fails the world, as its own thread would, if what the event loop has of it contradicts itself. */
void tr_hosted_must_hold(tr_hosted *hosted);

/* Whether the outbox has something that was not there at the last call. */
bool tr_hosted_has_news(tr_hosted *hosted);
void tr_hosted_collect(tr_hosted *hosted, tr_harvest *out);
void tr_harvest_deliver(tr_harvest *harvest); /* makes its deliveries, and removes them */
void tr_harvest_deinit(tr_harvest *harvest);

/* Its subscriptions, for subscription.c. */
struct tr_subscriptions *tr_hosted_subscriptions(tr_hosted *hosted);
