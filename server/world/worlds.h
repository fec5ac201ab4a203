/* The worlds of the daemon: who they are, who watches them, and the way of what they say to the
 * sessions.
 *
 * The loop's thread alone, but for the notification that a host has something. A world that is
 * being destroyed is no longer found; its place is free once its thread has let go. */
#ifndef TROUPE_SERVER_WORLDS_H
#define TROUPE_SERVER_WORLDS_H

#include "server/catalogue/library.h"
#include "server/config/tally.h"
#include "server/world/host.h"

#include <uv.h>

typedef struct tr_worlds tr_worlds;
typedef struct tr_hosted tr_hosted;
typedef struct tr_subscription tr_subscription;

/* What worlds use of the daemon, and what they tell it. */
typedef struct tr_worlds_def {
    uv_loop_t *loop;
    tr_pool *pool;
    tr_library *library; /* that tr_hosted_hold holds items of */
    tr_tally *tally;

    /* A command was answered; the reply is valid during the call. */
    void (*replied)(void *context, const tr_reply *reply);
    /* A recorder has something for its file; the callee takes `bytes` and sets it to NULL. */
    void (*recorded)(void *context, tr_recorded *recorded);
    void (*closed)(void *context, uint32_t world); /* the world is gone */
    void *context;
} tr_worlds_def;

/* TR_RESOURCE_EXHAUSTED. */
tr_status tr_worlds_create(const tr_worlds_def *def, tr_worlds **out) TR_NODISCARD;

/* Begins the end: every world is closed; `closed` is called once on the loop when the last has let
 * go. */
void tr_worlds_close(tr_worlds *worlds, void (*closed)(void *context), void *context);

/* After the pool has ended and the loop has closed its handles. NULL is fine. */
void tr_worlds_destroy(tr_worlds *worlds);

/* Makes a world; def->id is set here. TR_ALREADY_EXISTS: the name is taken; TR_RESOURCE_EXHAUSTED:
 * TR_WORLDS_MAX. */
tr_status tr_worlds_add(tr_worlds *worlds, tr_play_def *def, tr_hosted **out,
                        tr_error *error) TR_NODISCARD;
void tr_worlds_remove(tr_worlds *worlds, tr_hosted *hosted);

/* Worlds that an account has made; characters of its sessions in all worlds. */
int tr_worlds_made_by(const tr_worlds *worlds, uint64_t account);
int tr_worlds_owned_by(const tr_worlds *worlds, uint64_t account);
void tr_hosted_set_maker(tr_hosted *hosted, uint64_t account);

tr_hosted *tr_worlds_find(tr_worlds *worlds, uint32_t id); /* NULL: not found */
int tr_worlds_count(const tr_worlds *worlds);

/* By slot, 0 to TR_WORLDS_MAX - 1; NULL: none. */
tr_hosted *tr_worlds_at(tr_worlds *worlds, int index);

uint32_t tr_hosted_id(const tr_hosted *hosted);
const char *tr_hosted_name(const tr_hosted *hosted);
tr_world_mode tr_hosted_mode(const tr_hosted *hosted);
tr_play_info tr_hosted_describe(tr_hosted *hosted);
int tr_hosted_subscriber_count(const tr_hosted *hosted);

/* Keeps an item of the library as long as the world lives. TR_RESOURCE_EXHAUSTED: it knows too
 * many. */
tr_status tr_hosted_hold(tr_hosted *hosted, tr_library_item *item) TR_NODISCARD;

/* The file of this world's recording fails: stops it. */
void tr_worlds_stop_recording(tr_worlds *worlds, uint32_t id, tr_status status, const char *why);

/* Takes the command on success. */
tr_status tr_hosted_post(tr_hosted *hosted, tr_command *command) TR_NODISCARD;

/* --- subscriptions: one per session and world; freed by either's end --- */

/* What a subscription tells its subscriber. */
typedef struct tr_subscriber_kind {
    void (*state)(void *subscriber); /* tr_subscription_take has one */
    /* A frame of `count` events; shares it. The call may end the subscription. */
    void (*events)(void *subscriber, tr_packet *packet, uint32_t world, int count);
    void (*ended)(void *subscriber, const tr_subscription *subscription); /* freed after it */
} tr_subscriber_kind;

typedef struct tr_subscription_def {
    const tr_subscriber_kind *kind;
    void *subscriber;     /* of the functions; outlives the subscription */
    uint32_t every_ticks; /* 0: no states */
    uint32_t fields;
    bool events;
} tr_subscription_def;

/* On success ends `replaced`, the subscriber's subscription of this world so far (NULL: none).
 * TR_RESOURCE_EXHAUSTED: TR_STATE_CLASS_MAX different kinds of subscription
 * are in use; nothing has changed. */
tr_status tr_hosted_subscribe(tr_hosted *hosted, const tr_subscription_def *def,
                              tr_subscription *replaced, tr_subscription **out) TR_NODISCARD;
void tr_subscription_end(tr_subscription *subscription); /* the subscriber is told */
uint32_t tr_subscription_world(const tr_subscription *subscription);

/* The newest state that waits for this subscriber, if any. */
bool tr_subscription_take(tr_subscription *subscription, tr_packet **out_packet,
                          uint64_t *out_dropped);

/* Events that did not get through. */
void tr_subscription_lost(tr_subscription *subscription, int64_t events);

#endif
