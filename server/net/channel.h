/* A channel: what carries the bytes between one client and its session. Plain TCP, TLS and WebSocket
 * differ only below this interface; the bytes are the same frames on all of them.
 *
 *     a channel is made by whoever accepts a connection (channel_tcp.h, ...)
 *        | tr_session_open: the session takes it and becomes its listener
 *        v
 *     OPEN ------ bytes, written; `ended` once when the peer has gone or the channel is broken
 *        | tr_channel_close, by the session alone
 *        v
 *     CLOSING --- no event but `closed`, which comes from the loop, never from within a call
 *        |
 *        v
 *     (freed by its kind, after `closed`)
 *
 * A kind of channel is a struct whose first member is a tr_channel, and a table of functions. It may
 * call its listener only from callbacks of the loop, never from within a call of the listener's, so
 * that a session is never entered twice. The loop's thread alone. */
#ifndef TROUPE_SERVER_CHANNEL_H
#define TROUPE_SERVER_CHANNEL_H

#include "proto/status.h"
#include "proto/tls.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

typedef struct tr_channel tr_channel;

/* What a channel tells its session. */
typedef struct tr_channel_listener {
    /* Bytes came, in order, in pieces of any size: valid during the call. Only while reading is on;
     * what a kind has already read when reading is turned off it keeps and tells later. */
    void (*bytes)(void *context, const uint8_t *bytes, size_t size);
    /* How much the channel now keeps of what came and has not handed over: parts of a TLS record,
     * and what came while reading was off. Called when that changes. */
    void (*kept)(void *context, size_t size);
    /* The batch given to tr_channel_write has been taken whole: its bytes are free, and the next
     * batch may be given. */
    void (*written)(void *context);
    /* The peer has closed its side, or the connection is broken: close it. */
    void (*ended)(void *context);
    /* The last call: the channel is gone after it. */
    void (*closed)(void *context);
} tr_channel_listener;

/* What a kind of channel does; the comments are at the functions below. */
typedef struct tr_channel_kind {
    const char *name; /* for the logs: "tcp", "tls", "websocket" */
    /* What binds a login to its TLS connection (tr_tls_stream_binding); NULL: it is plain. */
    bool (*binding)(const tr_channel *channel, uint8_t out[TR_TLS_BINDING_SIZE]);
    tr_status (*write)(tr_channel *channel, const uv_buf_t *buffers, int count);
    tr_status (*read)(tr_channel *channel, bool on);
    tr_status (*finish)(tr_channel *channel);
    void (*close)(tr_channel *channel);
} tr_channel_kind;

enum {
    TR_CHANNEL_BUFFERS_MAX = 16, /* of one batch */
    /* Of a session's batch: one is left for the head that a channel upon a channel sets before
     * it. */
    TR_CHANNEL_BATCH_MAX = TR_CHANNEL_BUFFERS_MAX - 1
};

struct tr_channel {
    const tr_channel_kind *kind;
    const tr_channel_listener *listener; /* NULL until adopted: then no event is told */
    void *context;                       /* the listener's */
    void *reader;                        /* its context for `bytes` and `kept` */
    bool closing;                        /* tr_channel_close was called */
    bool local;                          /* the peer is on this machine: its address is loopback */
    bool crowded;                        /* its address has connections enough: say so, and close */
    char peer[INET6_ADDRSTRLEN];         /* its numeric address without the port; "?": unknown */
};

/* For kinds: an open channel to the peer at `address` (NULL: unknown). */
void tr_channel_init(tr_channel *channel, const tr_channel_kind *kind,
                     const struct sockaddr *address);

/* Whom the channel tells from now on. `listener` outlives the channel. `reader` is the context of
 * `bytes` and `kept`, `context` that of the others. */
void tr_channel_listen(tr_channel *channel, const tr_channel_listener *listener, void *context,
                       void *reader);

/* Hands over a batch of 1 to TR_CHANNEL_BUFFERS_MAX buffers, sent in order. The array is the
 * caller's at once again, the bytes when `written` is told, or after `closed`. One batch at a time:
 * what is not taken yet is never more. Not TR_OK: nothing was taken, and the channel is broken. */
tr_status tr_channel_write(tr_channel *channel, const uv_buf_t *buffers, int count) TR_NODISCARD;

/* Turns the coming of bytes on or off; off at first. While it is off the peer is held back by its
 * own flow control. Not TR_OK: the channel is broken. */
tr_status tr_channel_read(tr_channel *channel, bool on) TR_NODISCARD;

/* Nothing more will be written: tells the peer so after what was. Once, when no batch is under way.
 * Bytes still come. Not TR_OK: the channel is broken. */
tr_status tr_channel_finish(tr_channel *channel) TR_NODISCARD;

/* Ends the connection, whatever is under way. Once. */
void tr_channel_close(tr_channel *channel);

#endif
