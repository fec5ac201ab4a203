/* A world of the daemon upstream, as the readers of a relay see it: its subscriptions, and for each
 * state class (subscription.h) one subscription upstream, whose states are passed on unchanged.
 *
 *     readers -- tr_subscriptions -- class 0 -- Subscribe on link 0 ---- daemon
 *                                 `- class 1 -- Subscribe on link 1 --'
 *
 * A session upstream has one subscription per world, so classes of one world are on different links
 * (link.h), and equal classes of different worlds share one. One subscription of each world also
 * brings its events. A new reader gets the next state, or, if none comes, the last one.
 *
 * For the event loop's thread. */
#pragma once

#include "server/relay/link.h"
#include "server/world/subscription.h"

enum {
    /* After the classes, a subscription for events alone. */
    TR_RELAYED_EVENTS = TR_STATE_CLASS_MAX,
    TR_RELAYED_SLOTS
};

typedef struct tr_relayed_slot {
    uint32_t generation; /* of its class */
    uint32_t refresh;    /* of its class, when it was last served */
    tr_link *link;       /* NULL: not subscribed */
    bool brings_events;
    uint64_t request; /* of Subscribe, until it is answered; 0: none */
    bool failed;      /* to be tried again */
    int pause_s;      /* after the last refusal; 0: it was not refused */
    int wait_s;       /* of that, what is left */
    tr_packet *newest;
    uint64_t sequence; /* of the states, those that were dropped upstream counted */
    uint64_t dropped;  /* upstream, since the subscription there */
    bool awaited;      /* a new reader has no state yet */
} tr_relayed_slot;

typedef struct tr_relayed_world {
    struct tr_relayed_world *next;
    uint32_t id;
    double step_s;
    int64_t tick;
    uint32_t epoch;
    bool events_wanted;
    bool gone; /* upstream: nothing is sent for it */
    tr_links *links;
    tr_tally *tally;
    tr_subscriptions subscriptions;
    tr_state_class class[TR_STATE_CLASS_MAX];
    tr_relayed_slot slot[TR_RELAYED_SLOTS];
} tr_relayed_world;

/* NULL: no memory. */
tr_relayed_world *tr_relayed_world_create(tr_links *links, tr_tally *tally,
                                          const Troupe__WorldInfo *info);
void tr_relayed_world_destroy(tr_relayed_world *world); /* call when it has no subscriptions */

/* Is anything of it subscribed upstream, so that its end will be noticed? */
bool tr_relayed_world_is_watched(const tr_relayed_world *world);

/* A link has opened, or a second has passed: subscribes to what is not. A refused subscription is
 * tried after 1 s, 2 s, 4 s, up to a minute. */
void tr_relayed_world_link_opened(tr_relayed_world *world, tr_link *link);
void tr_relayed_world_retry(tr_relayed_world *world);

/* The bytes of a WorldState without dropped_states, and that number. */
typedef struct tr_relayed_state {
    const uint8_t *data;
    size_t size;
    uint64_t dropped;
} tr_relayed_state;

/* Messages of a link: a state, or a whole frame of events, or a response.
 * Each returns false if no reader here needs it; a state is not needed either while Subscribe waits
 * for its answer, because it may be of the previous kind. tr_relayed_world_response may end the
 * world. */
bool tr_relayed_world_state(tr_relayed_world *world, const tr_link *link,
                            const tr_relayed_state *state);
bool tr_relayed_world_events(tr_relayed_world *world, const tr_link *link,
                             const Troupe__EventBatch *batch, const uint8_t *data, size_t size);
bool tr_relayed_world_response(tr_relayed_world *world, const tr_link *link,
                               const Troupe__Response *response);

/* Gives the last states to new readers for whom none has come since. Returns whether any waited. */
bool tr_relayed_world_serve_new(tr_relayed_world *world);

/* The world has ended: its subscribers are notified, and their subscriptions end. */
void tr_relayed_world_end(tr_relayed_world *world);
