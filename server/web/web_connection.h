/* One connection of the web port: handles one request at a time until it ends or becomes a
 * WebSocket.
 *
 *     (channel)
 *        | tr_web_connection_open
 *        v
 *     READING -------- 5 s, the peer goes ---------------------------+
 *      |    ^                                                        |
 *      |    | the response is written, and the peer may ask again    |
 *      v    |                                                        |
 *     ANSWERING ------ 15 s without progress, the peer goes ---------+
 *      |       |                                                     |
 *      |       | Connection: close, or a request that was refused    |
 *      |       v                                                     |
 *      |     LEAVING -- the peer goes, or 1 s ------------------- CLOSING --> (freed)
 *      | 101 is written
 *      v
 *     (freed; the channel belongs to a session)
 *
 * For the loop's thread only. */
#pragma once

#include "server/web/places.h"
#include "server/web/web.h"

typedef struct tr_web_connection tr_web_connection;

typedef struct tr_web_connection_def {
    uv_loop_t *loop;
    tr_web_places *places; /* the connection takes one of them */
    tr_web_place_kind kind;
} tr_web_connection_def;

/* Takes the channel; closes it if there is no memory. */
void tr_web_connection_open(tr_web *web, const tr_web_connection_def *def, tr_channel *channel);

void tr_web_connection_close(tr_web_connection *connection); /* frees its place */
void tr_web_connections_close(tr_web_places *places);        /* all of them */
