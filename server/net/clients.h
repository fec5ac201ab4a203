/* The clients of the daemon, as the folders below the sessions see them: by session id. A call for
 * a session that has ended has no effect. For the event loop's thread only. */
#pragma once

#include "server/net/packet.h"

#include <stdbool.h>
#include <troupe/envelope.pb-c.h>

typedef struct tr_clients {
    void *context; /* of the functions */
    bool (*is_connected)(void *context, uint64_t session);

    /* Each request is answered once, by one of these two. */
    void (*respond)(void *context, uint64_t session, Troupe__Response *response);
    void (*refuse)(void *context, uint64_t session, uint64_t request, const tr_error *error);

    /* Sends a frame that answers no request, and shares it. Unless it is `needed`, it is left out
     * for a client that reads too slowly. */
    void (*notify)(void *context, uint64_t session, tr_packet *packet, bool needed);
} tr_clients;
