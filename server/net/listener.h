/* A listening socket: makes a channel of each connection and hands it to the port's server: the
 * sessions on the game port, HTTP on the web port. At most TR_LISTENER_TURN_ACCEPTS connections are
 * accepted in one turn of the loop, so that a burst of connections does not delay other clients. */
#pragma once

#include "server/net/channel_tcp.h"

#include <uv.h>

enum { TR_LISTENER_TURN_ACCEPTS = 16 };

typedef struct tr_listener_def {
    uv_loop_t *loop;
    const char *option; /* the option that named the address ("listen"), for messages */
    const char *host;   /* a numeric address */
    int port;           /* 0: the system chooses */
    tr_peers *peers;    /* count the connections; must outlive them */
    void (*accept)(void *context, tr_channel *channel); /* takes the channel */
    void *context;
} tr_listener_def;

typedef struct tr_listener {
    uv_tcp_t tcp;
    tr_peers *peers;
    void (*accept)(void *context, tr_channel *channel);
    void *context;
    int port; /* the bound port; chosen by the system if 0 was given */
    bool open;
    /* Runs in the turn of the loop after one with connections, so that accepted connections are
     * read before more are accepted. */
    uv_idle_t turn;
    int turn_accepts;
    bool waits; /* a connection waits for the next turn */
    /* Takes connections off the backlog when there is no memory for a channel: a connection left
     * there would block all later ones. */
    uv_tcp_t refusal;
    bool refusing, refusal_waits;
    tr_tcp_scratch scratch;
} tr_listener;

/* Binds to the address and listens. `listener` must be zeroed and outlive every channel it makes.
 * TR_INVALID_ARGUMENT: not an address; TR_UNAVAILABLE: it cannot be bound, and the message says
 * why. Call tr_listener_close after a failure too. */
tr_status tr_listener_open(tr_listener *listener, const tr_listener_def *def,
                           tr_error *error) TR_NODISCARD;

/* Accepts no more clients. The loop closes the handle. */
void tr_listener_close(tr_listener *listener);
