/* The sessions of a relay with its daemon. The first carries the requests too; more are opened when
 * a world is wanted in more than one way, or one session has all the subscriptions that it may
 * have. For the event loop's thread. */
#pragma once

#include "proto/limits.h"
#include "server/relay/upstream.h"

enum { TR_LINKS_MAX = 64 };

typedef struct tr_link {
    struct tr_links *links;
    tr_upstream *upstream;
    uint32_t world[TR_SUBSCRIPTIONS_MAX]; /* subscribed; 0: none */
} tr_link;

typedef struct tr_links {
    tr_upstream_def def;           /* of each; called with the link, but for `closed` */
    void *context;                 /* of its owner */
    void (*closed)(void *context); /* the last call, after tr_links_close */
    int count, open_count;         /* those not closed yet */
    bool closing;
    tr_link *link[TR_LINKS_MAX]; /* [count]; NULL: closed */
} tr_links;

/* Opens the first. TR_RESOURCE_EXHAUSTED. */
tr_status tr_links_open(tr_links *links) TR_NODISCARD;
void tr_links_close(tr_links *links);

/* A link with a place for a subscription to this world, which it takes; NULL: none is left. */
tr_link *tr_links_take(tr_links *links, uint32_t world);
void tr_link_give_back(tr_link *link, uint32_t world);
