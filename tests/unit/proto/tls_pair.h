/* A server and a client that speak TLS to each other in memory, and certificates for them. */
#pragma once

#include "proto/tls.h"

typedef struct tls_pair {
    tr_tls_stream *server, *client;
    char heard[64]; /* by the server */
    size_t size;
} tls_pair;

/* Writes a self-signed certificate for `host` and its key, PEM files. */
void tls_write_identity(const char *certificate, const char *key, const char *host);

tr_status tls_pair_create(tr_tls *serving, tr_tls *connecting, const char *host, tls_pair *out);
void tls_pair_destroy(tls_pair *pair); /* may be zeros */

/* Starts the handshake, then moves bytes in pieces of `piece` until none wait; the first failure of either
 * side. */
tr_status tls_pair_pump(tls_pair *pair, size_t piece);

/* Lets the server hear what it has kept. */
tr_status tls_pair_ask(tls_pair *pair);
