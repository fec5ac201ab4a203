/* The transport: one connection on a libuv loop, TCP or TLS over TCP, that sends and receives
 * frames.
 *
 *     resolving --> connecting --> (TLS handshake) --> connected --> ended
 *         |             |  ^               |               |
 *         |             +--+ next          |               |
 *         +-------------+--address---------+---------------+--> ended (on_ended, once)
 *
 * All calls and callbacks on the loop's thread. Callbacks may call tr_connection_close. */
#pragma once

#include "proto/status.h"
#include "proto/tls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

typedef struct tr_connection tr_connection;

enum {
    TR_CONNECTION_HOST_MAX = 253,              /* bytes of a host name */
    TR_CONNECTION_QUEUE_MAX = 16 * 1024 * 1024 /* bytes written that the kernel has not taken */
};

typedef struct tr_connection_def {
    uv_loop_t *loop; /* borrowed */
    const char *host;
    int port;
    int connect_timeout_ms; /* until tr_connection_welcome */
    tr_tls *tls;            /* borrowed until on_released; NULL: plain */
    void *user;
    void (*on_connected)(void *user);
    void (*on_frame)(void *user, const uint8_t *data, size_t size);
    void (*on_ended)(void *user, tr_status status,
                     const char *reason); /* not after tr_connection_close */
    void (*on_released)(void *user);      /* the last callback, after all handles are closed */
} tr_connection_def;

/* Begins to resolve and connect. TR_RESOURCE_EXHAUSTED: no memory or descriptors. */
tr_status tr_connection_open(const tr_connection_def *def, tr_connection **out) TR_NODISCARD;

/* The peer has accepted the handshake: turns the connect timeout off. */
void tr_connection_welcome(tr_connection *connection);

/* Queues one frame, prefix included; takes the malloc'ed block, on failure too.
 * TR_RESOURCE_EXHAUSTED: the queue is full. TR_UNAVAILABLE: not connected. */
tr_status tr_connection_send(tr_connection *connection, uint8_t *take_frame,
                             size_t size) TR_NODISCARD;

/* Whether a login can be bound to the connection, and the binding (tr_tls_stream_binding). */
bool tr_connection_binding(const tr_connection *connection, uint8_t out[TR_TLS_BINDING_SIZE]);

/* Ends the connection from this side: on_ended is called with `status` and `reason`. */
void tr_connection_end(tr_connection *connection, tr_status status, const char *reason);

/* Closes and releases the connection. Only on_released is called afterwards, now or when the loop
 * has closed the handles. */
void tr_connection_close(tr_connection *connection);
