/* A channel carries the bytes between one client and its session. Plain TCP, TLS and WebSocket
 * differ only below this interface; all of them carry the same frames.
 *
 *     a channel is made when a connection is accepted (channel_tcp.h, ...)
 *        | tr_session_open: the session takes it and becomes its listener
 *        v
 *     OPEN ------ bytes, written; `ended` once when the peer has gone or the channel is broken
 *        | tr_channel_close, called by the session only
 *        v
 *     CLOSING --- no event but `closed`, which is called from the loop, never from within a call
 *        |
 *        v
 *     (freed by its kind, after `closed`)
 *
 * A kind of channel is a struct whose first member is a tr_channel, and a table of functions. It
 * calls its listener only from callbacks of the loop, never from within a call by the listener, so
 * that a session is never entered twice. For the loop's thread only. */
#pragma once

#include "proto/status.h"
#include "proto/tls.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

typedef struct tr_channel tr_channel;

/* The events that a channel reports to its session. */
typedef struct tr_channel_listener {
    /* Bytes arrived, in order, in pieces of any size; valid during the call. Called only while
     * reading is on. Bytes that a channel has already read when reading is turned off are kept and
     * reported later. */
    void (*bytes)(void *context, const uint8_t *bytes, size_t size);
    /* The number of bytes that arrived and are not handed over yet: parts of a TLS record, and
     * bytes that arrived while reading was off. Called when it changes. */
    void (*kept)(void *context, size_t size);
    /* The whole batch given to `write` has been taken: its bytes are free, and the next
     * batch may be written. */
    void (*written)(void *context);
    /* The peer has closed its side, or the connection is broken: close the channel. */
    void (*ended)(void *context);
    /* The last call: the channel is freed after it. */
    void (*closed)(void *context);
} tr_channel_listener;

/* The functions of a kind of channel; the functions below describe all but `write`. */
typedef struct tr_channel_kind {
    const char *name; /* for the logs: "tcp", "tls", "websocket" */
    /* The value that binds a login to its TLS connection (tr_tls_stream_binding); NULL: not TLS. */
    bool (*binding)(const tr_channel *channel, uint8_t out[TR_TLS_BINDING_SIZE]);
    /* Writes a batch of 1 to TR_CHANNEL_BUFFERS_MAX buffers, sent in order; not after
     * tr_channel_close. The caller may reuse the array after the call, and the bytes after
     * `written` or `closed`. One batch at a time, so at most one batch waits. Not TR_OK: nothing
     * was taken, and the channel is broken. */
    tr_status (*write)(tr_channel *channel, const uv_buf_t *buffers, int count);
    tr_status (*read)(tr_channel *channel, bool on);
    tr_status (*finish)(tr_channel *channel);
    void (*close)(tr_channel *channel);
} tr_channel_kind;

enum {
    TR_CHANNEL_BUFFERS_MAX = 16, /* of one batch */
    /* Limit of a session's batch: it leaves one buffer for the head that a channel on top of
     * another adds. */
    TR_CHANNEL_BATCH_MAX = TR_CHANNEL_BUFFERS_MAX - 1
};

struct tr_channel {
    const tr_channel_kind *kind;
    /* NULL until a session adopts it: no events are reported */
    const tr_channel_listener *listener;
    void *context; /* the listener's */
    void *reader;  /* its context for `bytes` and `kept` */
    bool closing;  /* tr_channel_close was called */
    bool local;    /* the peer is on this machine: its address is a loopback address */
    bool crowded;  /* its address has too many connections: report that, and close */
    char peer[INET6_ADDRSTRLEN]; /* its numeric address without the port; "?": unknown */
};

/* For kinds of channels: initialises an open channel to the peer at `address` (NULL: unknown). */
void tr_channel_init(tr_channel *channel, const tr_channel_kind *kind,
                     const struct sockaddr *address);

/* Sets the listener for all further events. `listener` must outlive the channel. `reader` is the
 * context of `bytes` and `kept`, `context` that of the others. */
void tr_channel_listen(tr_channel *channel, const tr_channel_listener *listener, void *context,
                       void *reader);

/* Turns reading on or off; it starts off. While it is off, flow control holds the peer back. Not
 * TR_OK: the channel is broken. */
tr_status tr_channel_read(tr_channel *channel, bool on) TR_NODISCARD;

/* Ends writing: signals the end to the peer after everything written before. Call once, when no
 * batch is being written. Bytes still arrive. Not TR_OK: the channel is broken. */
tr_status tr_channel_finish(tr_channel *channel) TR_NODISCARD;

/* Ends the connection, whatever is being written. Call once. */
void tr_channel_close(tr_channel *channel);
