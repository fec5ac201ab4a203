/* Subscriptions to a world: which sessions get its states, at which rate and with which
 * fields, and its events. One per session and world; it ends when either ends.
 *
 * Subscriptions with the same rate and the same fields share a state class (publisher.h): its
 * states are encoded once, and each subscription keeps the newest one that its subscriber has not
 * taken. The world is a hosted one, or one of another daemon (relay/relay.h). For the event loop's
 * thread. */
#pragma once

#include "server/config/tally.h"
#include "server/world/hosted_world.h"

typedef struct tr_subscription tr_subscription;
typedef struct tr_subscriptions tr_subscriptions;

/* The calls of a subscription to its subscriber. */
typedef struct tr_subscriber_kind {
    void (*state)(void *reader); /* a state is pending */
    /* A frame of `count` events; shares it. The call may end the subscription. */
    void (*events)(void *subscriber, tr_packet *packet, uint32_t world, int count);
    void (*ended)(void *subscriber, const tr_subscription *subscription); /* freed after it */
} tr_subscriber_kind;

typedef struct tr_subscription_def {
    const tr_subscriber_kind *kind;
    void *subscriber;     /* of `events` and `ended`; outlives the subscription */
    void *reader;         /* of `state`; the same */
    uint32_t every_ticks; /* 0: no states */
    uint32_t fields;
    bool events;
} tr_subscription_def;

/* Where the states of a world come from. */
typedef struct tr_state_source {
    void (*set_classes)(void *world, const tr_state_class *classes); /* [TR_STATE_CLASS_MAX] */
    void (*set_events)(void *world, bool wanted);
    void (*describe)(void *world, int64_t *out_tick, uint32_t *out_epoch);
} tr_state_source;

/* The event loop's half of a world's state classes; each world has one. */
struct tr_subscriptions {
    uint32_t id; /* of the world */
    const tr_state_source *source;
    void *world;
    tr_subscription *first;
    int count, event_count; /* all, and those that want events */
    tr_state_class class[TR_STATE_CLASS_MAX];
    int class_users[TR_STATE_CLASS_MAX];
    uint32_t next_generation;
};

struct tr_subscription {
    tr_subscriptions *all;
    tr_subscription_def def;
    int slot; /* of its state class; -1: none */
    /* The newest state that was not sent, or NULL. The subscriber takes it: it sets this to NULL
     * and counts it in `sent`. Dropped before it: pending_sequence - base - sent. */
    tr_packet *pending;
    uint64_t pending_sequence;
    bool based; /* `base` is the sequence of the first state received */
    uint64_t base, sent;
    int64_t events_lost; /* the subscriber counts those that did not reach it */
    tr_subscription *next;
};

/* On success ends `replaced`, the subscriber's earlier subscription to this world (NULL: none).
 * TR_RESOURCE_EXHAUSTED: TR_STATE_CLASS_MAX different kinds of subscription are in use; nothing has
 * changed. */
tr_status tr_subscribe(tr_subscriptions *all, const tr_subscription_def *def,
                       tr_subscription *replaced, tr_subscription **out) TR_NODISCARD;
void tr_subscription_end(tr_subscription *subscription); /* calls the subscriber's `ended` */
void tr_subscriptions_end(tr_subscriptions *all);        /* all of them */

void tr_subscriptions_must_hold(const tr_subscriptions *all, tr_invariant *broken);

/* Offers every subscriber of the classes the new states, [TR_STATE_CLASS_MAX], and counts those
 * dropped. */
void tr_subscriptions_offer_states(tr_subscriptions *all, const tr_state_post *posts,
                                   tr_tally *tally);

/* posts: [TR_EVENT_STREAMS] */
void tr_subscriptions_offer_events(tr_subscriptions *all, const tr_event_post *posts,
                                   tr_tally *tally);

/* The source of a hosted world; `world` is its tr_hosted. */
extern const tr_state_source tr_hosted_source;
