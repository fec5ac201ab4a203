/* One connection of the web port: requests one after the other until it ends or becomes a
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
 * The loop's thread alone. */
#ifndef TROUPE_SERVER_WEB_CONNECTION_H
#define TROUPE_SERVER_WEB_CONNECTION_H

#include "server/web/web.h"

typedef struct tr_web_connection tr_web_connection;

/* Connections of one web port, the one that was heard of longest ago first. */
typedef struct tr_web_connections {
    int count;
    tr_web_connection *first, **end;
} tr_web_connections;

/* Takes the channel; without memory it is closed. */
void tr_web_connection_open(tr_web *web, tr_web_connections *list, uv_loop_t *loop,
                            tr_channel *channel);

/* Closes the connection that has waited longest for its peer to ask; if all have asked, one that only
 * waits for its peer to go, or one whose peer has taken nothing of its response for 2 s. False: all
 * are busy. */
bool tr_web_connections_evict(tr_web_connections *list);
void tr_web_connections_close(tr_web_connections *list);

#endif
