/* The web port: HTTP/1.1 for people, monitors and browsers, beside the game port; by TLS where that
 * is configured (gate.h).
 *
 *     GET /metrics   figures for Prometheus (metrics.h)
 *     GET /healthz   200 as long as the loop turns
 *     GET /readyz    200 when clients may connect; 503 while starting and while ending
 *     GET /socket    a WebSocket, subprotocol "troupe.v1": its binary messages carry the frames of
 *                    the game port, and behind it is a session like any other
 *     GET anything   a file of the web root (asset.h)
 *
 * Files and figures are served under the daemon's own names alone (web_origin.h), else 421.
 * A connection too many of one address (peers.h) is answered 429 whatever it asks.
 * Bounded whatever comes: connections (places.h), bytes and time of a request, time of a response.
 * The loop's thread alone. */
#ifndef TROUPE_SERVER_WEB_H
#define TROUPE_SERVER_WEB_H

#include "server/access/gate.h"
#include "server/net/packet.h"
#include "server/web/http.h"
#include "server/web/web_origin.h"

enum {
    TR_WEB_CONNECTIONS_MAX = 160, /* a WebSocket is a session and no longer counts */
    TR_WEB_REQUEST_MS = 5000,     /* for a request to be whole */
    TR_WEB_ANSWER_MS = 15000      /* for each 64 KiB of a response to be taken */
};

#define TR_WEB_PROTOCOL "troupe.v1"

typedef struct tr_web tr_web;

typedef struct tr_web_def {
    uv_loop_t *loop;
    tr_gate *gate;
    /* Takes a channel on which the handshake was answered; called only while the port is ready. */
    void (*adopt)(void *context, tr_channel *take_channel);
    /* Renders /metrics, metrics.h. */
    tr_status (*metrics)(void *context, tr_packet **out);
    void *context;
    const char *host;    /* numeric */
    int port;            /* 0: the system chooses */
    int connections_max; /* at most TR_WEB_CONNECTIONS_MAX */
    const char *root;    /* folder of files; "": none; outlives the port */
    tr_web_origins origins;
} tr_web_def;

/* Reads the root and listens. TR_INVALID_ARGUMENT, TR_UNAVAILABLE: the address; what tr_assets_load
 * returns: the root; *out is then to be closed and destroyed as well, if it is not NULL. */
tr_status tr_web_open(const tr_web_def *def, tr_web **out, tr_error *error) TR_NODISCARD;

int tr_web_port(const tr_web *web);

/* What /readyz says: NULL for ready, else one word why not; static text. "starting" at first.
 * Sockets are opened only while ready. */
void tr_web_set_state(tr_web *web, const char *why_not);

/* Pages that may open a socket from now on. */
void tr_web_set_origins(tr_web *web, const tr_web_origins *origins);

/* Reads the root again. On failure the files read before go on being served. */
tr_status tr_web_reload(tr_web *web, tr_error *error) TR_NODISCARD;

/* Stops listening and closes the connections; the loop closes their handles. Once; NULL is fine. */
void tr_web_close(tr_web *web);
void tr_web_destroy(tr_web *web); /* after that and after the last session; NULL is fine */

/* --- for connections (web_connection.c) --- */

/* What a request is answered with. */
typedef struct tr_web_page {
    tr_http_answer answer;
    tr_packet *body; /* owned; NULL: none */
    bool upgrade;    /* to a WebSocket: `accept` is the key's answer */
    char accept[32];
} tr_web_page;

tr_web_page tr_web_route(tr_web *web, const tr_http_request *request);

/* For a connection in a place for probes: /healthz and /readyz, else 503. */
tr_web_page tr_web_route_probe(tr_web *web, const tr_http_request *request);
tr_web_page tr_web_failure(int code); /* a page that says what the code means */

/* Takes a channel on which the handshake was answered. */
void tr_web_adopt(tr_web *web, tr_channel *take_channel);

#endif
