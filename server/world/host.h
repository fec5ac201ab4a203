/* A host: one world on the world threads, and the mailboxes between it and the loop.
 *
 * The loop posts commands and state classes into the inbox and collects replies, events and encoded
 * states from the outbox; both are bounded and guarded by one mutex that is held for pointer swaps
 * only. What lies between, the play, belongs to the worker that has the task's turn. States wait in
 * slots where the newest replaces the one before, except in a stepped world, which waits until the
 * loop has taken each: the loop always does, however slow its clients are.
 *
 *     loop            tr_host_post              tr_host_collect <- notify(id), called by the worker
 *                          |                          ^
 *     mailboxes          inbox                     outbox
 *                          v                          |
 *     world thread       admit  ->  advance  ->  encode, deliver
 *
 * Functions below are for the loop. */
#ifndef TROUPE_SERVER_HOST_H
#define TROUPE_SERVER_HOST_H

#include "server/world/play.h"
#include "server/world/pool.h"

typedef struct tr_host tr_host;

/* Called on a world thread when the outbox of world `id` has something; must not block or call
 * back. */
typedef void (*tr_host_notify)(void *context, uint32_t id);

typedef struct tr_host_def {
    tr_play_def play;
    tr_pool *pool;
    tr_host_notify notify;
    void *context;
} tr_host_def;

/* Everything that came out since the last collection; clear it with tr_harvest_deinit. */
typedef struct tr_harvest {
    tr_state_post state[TR_STATE_CLASS_MAX];
    tr_packet *events[2]; /* frames of an EventBatch each; NULL when there are none */
    int event_count[2];
    int64_t events_dropped;
    tr_reply *replies;     /* list, owned */
    tr_recorded *recorded; /* list, owned */
    bool closed;           /* the last harvest: the host may be destroyed */
} tr_harvest;
void tr_harvest_deinit(tr_harvest *harvest);

/* Makes the world and puts it on the pool. TR_INVALID_ARGUMENT: the stage refuses the definition;
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_host_create(const tr_host_def *def, tr_host **out) TR_NODISCARD;

/* Takes the command on success. TR_RESOURCE_EXHAUSTED: the inbox holds too much already. */
tr_status tr_host_post(tr_host *host, tr_command *command) TR_NODISCARD;

/* Hands over the table of state classes: [TR_STATE_CLASS_MAX]. */
void tr_host_set_classes(tr_host *host, const tr_state_class *classes);

/* Does anybody want events? Without takers none are encoded. */
void tr_host_set_events(tr_host *host, bool wanted);

void tr_host_collect(tr_host *host, tr_harvest *out);

/* As of its last turn. */
tr_play_info tr_host_describe(tr_host *host);

/* How many characters of an account there are, as of its last turn. */
int tr_host_owned(tr_host *host, uint64_t account);

/* Ends the world after the turn in progress: what waits is answered TR_ABORTED, then comes a
 * harvest with `closed`. */
void tr_host_close(tr_host *host);

/* After `closed`, or when the pool has ended. NULL is fine. */
void tr_host_destroy(tr_host *host);

#endif
