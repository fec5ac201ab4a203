/* A spectator relay: a daemon without worlds of its own, whose readers see those of another daemon.
 * It subscribes there once for each way in which a world is read, and serves any number of readers
 * (relayed_world.h); other questions are passed on, equal ones once (inquiries.h). It is read-only.
 * While the daemon upstream is away, readers stay connected and their subscriptions continue when
 * it is back; those of worlds that it no longer has end with an event.
 *
 * For the event loop's thread. */
#pragma once

#include "server/session/session.h"

typedef struct tr_relay tr_relay;

typedef struct tr_relay_def {
    uv_loop_t *loop;
    const char *host; /* of the daemon upstream; borrowed, as is the next */
    const char *ca;   /* PEM file of its certificate's signer; "": those that the system trusts */
    const char *key_file; /* the relay's key there; "": none */
    int port;
    bool tls;
    int subscriptions; /* that it needs there */
    tr_sessions *sessions;
    tr_tally *tally;
    /* Called once, if the daemon upstream allows fewer at the first connection: the relay cannot do
     * its work, and waits to be closed. */
    void (*refused)(void *context, const tr_error *error);
    void *context;
} tr_relay_def;

/* TR_INVALID_ARGUMENT: the key or the certificates cannot be read; TR_RESOURCE_EXHAUSTED. The
 * daemon upstream need not run yet. */
tr_status tr_relay_create(const tr_relay_def *def, tr_relay **out, tr_error *error) TR_NODISCARD;

/* Ends the subscriptions and the connections; `closed` (NULL: none) is called once, when these have
 * ended. A second call only replaces `closed`. */
void tr_relay_close(tr_relay *relay, void (*closed)(void *context), void *context);

/* Call after `closed`, or when the loop no longer runs and has closed its handles. NULL is
 * allowed. */
void tr_relay_destroy(tr_relay *relay);

/* Answer a session's request, now or later. */
void tr_relay_subscribe(tr_relay *relay, tr_session *session, uint64_t request,
                        const Troupe__Subscribe *subscribe);
void tr_relay_ask(tr_relay *relay, tr_session *session, Troupe__ClientMessage *question);

/* "HOST:PORT" of the daemon upstream. */
const char *tr_relay_upstream(const tr_relay *relay);

/* The number of sessions with it that are open. */
int tr_relay_link_count(const tr_relay *relay);

/* Can questions be passed on? And the seconds since the daemon was last heard. */
bool tr_relay_is_linked(const tr_relay *relay);
double tr_relay_silent_s(const tr_relay *relay);

/* Its inquiries, and the world whose turn it is. */
void tr_relay_must_hold(const tr_relay *relay, uint64_t turn, tr_invariant *broken);
