/* TLS 1.3 over bytes in memory: no sockets here, so that daemon and client move the bytes as they
 * like. By OpenSSL; nothing below version 1.3 is spoken.
 *
 *     wire --> tr_tls_stream_receive --> plain bytes by callback
 *     wire <-- tr_tls_stream_take <----- tr_tls_stream_send
 *
 * Any of the calls may make bytes for the wire (the handshake does): take them after each. A stream
 * holds at most the piece last received, a record, and what has not been taken: bound the latter by
 * taking it before sending more. One thread at a time. */
#ifndef TROUPE_PROTO_TLS_H
#define TROUPE_PROTO_TLS_H

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tr_tls tr_tls;               /* what all connections of a kind share */
typedef struct tr_tls_stream tr_tls_stream; /* one connection */

/* For a server: its certificate chain and private key, PEM files. TR_INVALID_ARGUMENT: one cannot
 * be read, or they do not belong together; the message names file and reason. */
tr_status tr_tls_serve(const char *certificate, const char *private_key, tr_tls **out,
                       tr_error *error) TR_NODISCARD;

/* For a client, which believes the certificates in `ca`, a PEM file; NULL: those the system
 * believes. TR_INVALID_ARGUMENT: it cannot be read. */
tr_status tr_tls_connect(const char *ca, tr_tls **out, tr_error *error) TR_NODISCARD;

/* Streams that began with it go on. NULL is fine. */
void tr_tls_destroy(tr_tls *tls);

/* A new connection. `host` is the name or numeric address that the server's certificate must be
 * for; NULL on the server. TR_RESOURCE_EXHAUSTED. */
tr_status tr_tls_stream_create(tr_tls *tls, const char *host, tr_tls_stream **out) TR_NODISCARD;
void tr_tls_stream_destroy(tr_tls_stream *stream); /* NULL is fine */

/* Begins the handshake: a client speaks first. */
tr_status tr_tls_stream_start(tr_tls_stream *stream) TR_NODISCARD;

/* Takes `size` bytes from the wire and tells `plain` what they say, in pieces, until it returns
 * false; the rest is then kept for the next call, which may bring no bytes at all.
 * TR_CANCELLED: the peer has ended the stream properly; TR_DATA_LOSS: it is broken, or the handshake
 * failed, tr_tls_stream_reason says how; TR_RESOURCE_EXHAUSTED. After any of them only what is left
 * to be taken may be taken. `plain` must not destroy the stream. */
tr_status tr_tls_stream_receive(tr_tls_stream *stream, const uint8_t *bytes, size_t size,
                                bool (*plain)(void *context, const uint8_t *bytes, size_t size),
                                void *context) TR_NODISCARD;

/* Bytes from the wire that are kept, or belong to a record that is not whole. */
size_t tr_tls_stream_held(const tr_tls_stream *stream);

/* The handshake is done: plain bytes may be sent. */
bool tr_tls_stream_is_ready(const tr_tls_stream *stream);

/* Channel binding "tls-exporter" (RFC 9266): bytes that only the two ends of this connection know. False
 * before the handshake is done. */
enum { TR_TLS_BINDING_SIZE = 32 };
bool tr_tls_stream_binding(const tr_tls_stream *stream, uint8_t out[TR_TLS_BINDING_SIZE]);

/* Makes `size` bytes (more than 0) ready for the wire, all of them. Same failures. */
tr_status tr_tls_stream_send(tr_tls_stream *stream, const uint8_t *bytes, size_t size) TR_NODISCARD;

/* Tells the peer that nothing more comes. */
void tr_tls_stream_finish(tr_tls_stream *stream);

/* Bytes that wait for the wire. */
size_t tr_tls_stream_waiting(const tr_tls_stream *stream);

/* Hands them over, malloc'ed; NULL when there are none. */
uint8_t *tr_tls_stream_take(tr_tls_stream *stream, size_t *out_size);

const char *tr_tls_stream_reason(const tr_tls_stream *stream); /* "" unless broken */

#endif
