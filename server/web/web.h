/* The web port: HTTP/1.1 for people, monitors and browsers, beside the game port; with TLS if
 * configured (gate.h).
 *
 *     GET /metrics   figures for Prometheus (metrics.h)
 *     GET /healthz   200 as long as the loop runs
 *     GET /readyz    200 when clients may connect; 503 while starting and while ending
 *     GET /socket    a WebSocket, subprotocol "troupe.v1": its binary messages carry the frames of
 *                    the game port, and behind it is a session like any other
 *     GET anything   a file of the web root (asset.h), which is read again when the first page or a
 *                    missing file is asked for and the folder has changed
 *
 * Files and metrics are served only under the daemon's host names (web_origin.h), else 421.
 * Connections above the limit of one address (peers.h) are answered 429. Connections (places.h),
 * bytes and time of a request, and time of a response are bounded. For the loop's thread only. */
#pragma once

#include "server/access/gate.h"
#include "server/net/packet.h"
#include "server/web/http.h"
#include "server/web/web_origin.h"

enum {
    TR_WEB_CONNECTIONS_MAX = 160, /* a WebSocket is a session and does not count */
    TR_WEB_REQUEST_MS = 5000,     /* time limit for a complete request */
    TR_WEB_ANSWER_MS = 15000      /* time limit for each 64 KiB of a response */
};

#define TR_WEB_PROTOCOL "troupe.v1"

typedef struct tr_web tr_web;

typedef struct tr_web_def {
    uv_loop_t *loop;
    tr_gate *gate;
    /* Takes a channel after the answer to its handshake; called only while the port is ready. */
    void (*adopt)(void *context, tr_channel *take_channel);
    /* Renders /metrics, metrics.h. */
    tr_status (*metrics)(void *context, tr_packet **out);
    void *context;
    const char *host;    /* numeric */
    int port;            /* 0: the system chooses */
    int connections_max; /* at most TR_WEB_CONNECTIONS_MAX */
    /* The folder of files, which may come and go; "": none. Asked before the folder is read. */
    const char *(*root)(void *context);
    tr_web_origins origins;
} tr_web_def;

/* Reads the root, if there is one, and listens. TR_INVALID_ARGUMENT, TR_UNAVAILABLE: the address;
 * statuses of tr_assets_load: the root. After a failure, close and destroy *out too, if it is not NULL. */
tr_status tr_web_open(const tr_web_def *def, tr_web **out, tr_error *error) TR_NODISCARD;

int tr_web_port(const tr_web *web);

/* Sets the answer of /readyz: NULL for ready, else one word, static text; "starting" at first.
 * `sockets`: may sockets be opened? */
void tr_web_set_state(tr_web *web, const char *why_not, bool sockets);

/* Sets the origins of pages that may open a socket from now on. */
void tr_web_set_origins(tr_web *web, const tr_web_origins *origins);

/* Reads the root again. On failure, and while the viewer there is not complete, the old files are still
 * served. */
tr_status tr_web_reload(tr_web *web, tr_error *error) TR_NODISCARD;

/* Stops listening and closes the connections; the loop closes their handles. Call once; NULL is
 * allowed. */
void tr_web_close(tr_web *web);
void tr_web_destroy(tr_web *web); /* call after that and after the last session; NULL is allowed */

/* --- for connections (web_connection.c) --- */

/* The answer to a request. */
typedef struct tr_web_page {
    tr_http_answer answer;
    tr_packet *body; /* owned; NULL: none */
    bool upgrade;    /* upgrade to a WebSocket: `accept` is the answer to the key */
    char accept[32];
} tr_web_page;

tr_web_page tr_web_route(tr_web *web, const tr_http_request *request);

/* The answer on a probe's place: /healthz and /readyz, else 503. */
tr_web_page tr_web_route_probe(tr_web *web, const tr_http_request *request);
tr_web_page tr_web_failure(int code); /* a page that says what the code means */

/* Takes a channel after the answer to its handshake. */
void tr_web_adopt(tr_web *web, tr_channel *take_channel);
