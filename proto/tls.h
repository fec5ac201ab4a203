/* TLS 1.3 over bytes in memory, without sockets, so that daemon and client move the bytes in their
 * own way. Uses OpenSSL; versions before 1.3 are refused.
 *
 *     wire --> tr_tls_stream_receive --> plain bytes by callback
 *     wire <-- tr_tls_stream_take <----- tr_tls_stream_send
 *
 * Every call may make bytes for the wire (for example of the handshake): take them after each call.
 * A stream holds at most the last received piece, a record, and the bytes not taken; to limit
 * these, take them before sending more. One thread at a time. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tr_tls tr_tls;               /* shared by all connections of a kind */
typedef struct tr_tls_stream tr_tls_stream; /* one connection */

/* Makes a server's context from its certificate chain and private key, PEM files.
 * TR_INVALID_ARGUMENT: one cannot be read, or they do not belong together; the message names the
 * file and the reason. */
tr_status tr_tls_serve(const char *certificate, const char *private_key, tr_tls **out,
                       tr_error *error) TR_NODISCARD;

/* Makes a client's context, which trusts the certificates in `ca`, a PEM file; NULL: those that the
 * system trusts. TR_INVALID_ARGUMENT: it cannot be read. */
tr_status tr_tls_connect(const char *ca, tr_tls **out, tr_error *error) TR_NODISCARD;

/* Existing streams continue. NULL is allowed. */
void tr_tls_destroy(tr_tls *tls);

/* Creates the stream of a new connection. `host` is the name or numeric address that the server's
 * certificate must have; NULL on the server. TR_RESOURCE_EXHAUSTED. */
tr_status tr_tls_stream_create(tr_tls *tls, const char *host, tr_tls_stream **out) TR_NODISCARD;
void tr_tls_stream_destroy(tr_tls_stream *stream); /* NULL is allowed */

/* Begins the handshake: a client speaks first. */
tr_status tr_tls_stream_start(tr_tls_stream *stream) TR_NODISCARD;

/* Takes `size` bytes from the wire and passes the plain bytes to `plain`, in pieces, until it
 * returns false; the rest is kept for the next call, which may have size 0. TR_CANCELLED: the peer
 * has ended the stream properly; TR_DATA_LOSS: the stream is broken, or the handshake failed
 * (tr_tls_stream_reason says why); TR_RESOURCE_EXHAUSTED. After any of these, only
 * tr_tls_stream_take may be called. `plain` must not destroy the stream. */
tr_status tr_tls_stream_receive(tr_tls_stream *stream, const uint8_t *bytes, size_t size,
                                bool (*plain)(void *context, const uint8_t *bytes, size_t size),
                                void *context) TR_NODISCARD;

/* Bytes from the wire that are kept, or belong to an incomplete record. */
size_t tr_tls_stream_held(const tr_tls_stream *stream);

/* The handshake is done: plain bytes may be sent. */
bool tr_tls_stream_is_ready(const tr_tls_stream *stream);

/* The channel binding "tls-exporter" (RFC 9266): bytes that only the two ends of this connection
 * know. False before the handshake is done. */
enum { TR_TLS_BINDING_SIZE = 32 };
bool tr_tls_stream_binding(const tr_tls_stream *stream, uint8_t out[TR_TLS_BINDING_SIZE]);

/* Makes all `size` bytes (more than 0) ready for the wire. Statuses as tr_tls_stream_receive. */
tr_status tr_tls_stream_send(tr_tls_stream *stream, const uint8_t *bytes, size_t size) TR_NODISCARD;

/* Tells the peer that the stream ends. */
void tr_tls_stream_finish(tr_tls_stream *stream);

/* Bytes that wait for the wire. */
size_t tr_tls_stream_waiting(const tr_tls_stream *stream);

/* Takes the bytes that wait for the wire, malloc'ed; NULL: none. */
uint8_t *tr_tls_stream_take(tr_tls_stream *stream, size_t *out_size);

const char *tr_tls_stream_reason(const tr_tls_stream *stream); /* "" unless broken */
