/* Agones' sidecar, which listens beside the daemon in the same pod: one HTTP connection to it, kept
 * open. The only user of libcurl. Requests block, so it belongs to a thread that may wait
 * (agones.c). */
#pragma once

#include "proto/status.h"

typedef struct tr_sidecar tr_sidecar;

/* A request with a JSON body; at most TR_SIDECAR_TEXT_MAX bytes in all. */
enum { TR_SIDECAR_TEXT_MAX = 256 };
typedef struct tr_sidecar_request {
    const char *method, *path, *body;
} tr_sidecar_request;

/* Call once per process, before threads start. TR_RESOURCE_EXHAUSTED. */
tr_status tr_sidecar_prepare(void) TR_NODISCARD;

/* For the sidecar on this machine's `port`; it need not listen yet. TR_RESOURCE_EXHAUSTED. */
tr_status tr_sidecar_open(int port, tr_sidecar **out) TR_NODISCARD;
void tr_sidecar_close(tr_sidecar *sidecar); /* NULL is allowed */

/* Waits for the answer, at most `timeout_ms`. Returns the status of HTTP; 0: no answer. */
int tr_sidecar_send(tr_sidecar *sidecar, const tr_sidecar_request *request, int timeout_ms);
