/* One session with the daemon that a relay reads from: connects, logs in, and does so again after
 * the connection is lost.
 *
 *     CONNECTING --welcome--> OPEN --lost--> WAITING (0.5 s, up to 5 s) --> CONNECTING
 *
 * OPEN it pings every 2 s; a daemon from which nothing comes for 6 to 8 s is lost.
 *
 * For the event loop's thread. */
#pragma once

#include "proto/key.h"
#include "proto/tls.h"

#include <troupe/envelope.pb-c.h>
#include <uv.h>

typedef struct tr_upstream tr_upstream;

/* `instance` is another one when the daemon is not the process that it was before, so that its ids
 * mean other things. An older daemon has none, 0: then `ids_fell` tells that its session ids have
 * begun again. */
typedef struct tr_upstream_welcome {
    uint64_t instance;
    bool ids_fell;
    uint32_t subscriptions_max; /* of all sessions of the key; 0: no limit, or not known */
} tr_upstream_welcome;

typedef struct tr_upstream_def {
    uv_loop_t *loop;
    const char *host; /* as are the next three, borrowed until `closed` */
    int port;
    tr_tls *tls;       /* NULL: plain */
    const tr_key *key; /* NULL: none */
    void *context;
    /* Each time that it may send. */
    void (*opened)(void *context, const tr_upstream_welcome *welcome);
    /* A message after the handshake, encoded; valid during the call. */
    void (*frame)(void *context, const uint8_t *data, size_t size);
    void (*lost)(void *context, const char *reason); /* unanswered requests have no answer */
    void (*closed)(void *context);                   /* the last call */
} tr_upstream_def;

/* Begins to connect. TR_RESOURCE_EXHAUSTED. */
tr_status tr_upstream_open(const tr_upstream_def *def, tr_upstream **out) TR_NODISCARD;

/* Ends and frees it; only `closed` is called afterwards. */
void tr_upstream_close(tr_upstream *upstream);

bool tr_upstream_is_open(const tr_upstream *upstream);

/* Time since the last message from there; before the first, since it was opened. */
uint64_t tr_upstream_silent_ms(const tr_upstream *upstream);

/* Gives the message the next request id and sends it. Returns the id; 0: it could not be sent. */
uint64_t tr_upstream_send(tr_upstream *upstream, Troupe__ClientMessage *message);

/* The same with a message that ClientMessage has as a request. */
uint64_t tr_upstream_request(tr_upstream *upstream, ProtobufCMessage *body);
