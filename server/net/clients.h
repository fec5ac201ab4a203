/* The clients of the daemon, as the folders below the sessions see them: by session id. A call for
 * a session that has ended has no effect. For the event loop's thread only. */
#pragma once

#include "proto/mapping.h"
#include "server/net/packet.h"

#include <stdbool.h>
#include <troupe/envelope.pb-c.h>

/* The client that waits for an answer; session 0: none. */
typedef struct tr_asker {
    uint64_t session, request;
} tr_asker;

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

void tr_clients_refuse(const tr_clients *clients, tr_asker to, const tr_error *error);

/* Answers with a message of `memory`, which it frees; if that has failed, refuses. */
void tr_clients_respond(const tr_clients *clients, tr_asker to, Troupe__Response__ResultCase result,
                        void *message, tr_mapping_memory *memory);

/* The same with the message of a struct. */
void tr_clients_show(const tr_clients *clients, tr_asker to, Troupe__Response__ResultCase result,
                     const tr_mapping *mapping, const void *from);
