/* The listening socket. */
#ifndef TROUPE_SERVER_LISTENER_H
#define TROUPE_SERVER_LISTENER_H

#include "server/session.h"

#include <uv.h>

typedef struct tr_listener {
    uv_tcp_t tcp;
    tr_sessions *sessions;
    int port; /* bound to; the system's choice when 0 was asked for */
    bool open;
} tr_listener;

/* Binds to a numeric address and listens. TR_INVALID_ARGUMENT: not an address; TR_UNAVAILABLE: it
 * cannot be bound; the message says why. On failure call tr_listener_close all the same. */
tr_status tr_listener_open(tr_listener *listener, tr_sessions *sessions, const char *host, int port,
                           tr_error *error) TR_NODISCARD;

/* No more clients. The loop closes the handle. */
void tr_listener_close(tr_listener *listener);

#endif
