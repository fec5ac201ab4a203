#include "server/net/clients.h"

#include "server/net/frame_out.h"

void tr_clients_refuse(const tr_clients *clients, tr_asker to, const tr_error *error) {
    clients->refuse(clients->context, to.session, to.request, error);
}

void tr_clients_respond(const tr_clients *clients, tr_asker to, Troupe__Response__ResultCase result,
                        void *message, tr_mapping_memory *memory) {
    Troupe__Response response = tr_response_of(to.request, result, message);
    if (memory->failed)
        tr_clients_refuse(clients, to,
                          &(tr_error){.status = TR_RESOURCE_EXHAUSTED, .message = "out of memory"});
    else
        clients->respond(clients->context, to.session, &response);
    tr_mapping_free(memory);
}

void tr_clients_show(const tr_clients *clients, tr_asker to, Troupe__Response__ResultCase result,
                     const tr_mapping *mapping, const void *from) {
    tr_mapping_memory memory = {0};
    void *message = tr_mapping_write(mapping, from, &memory);
    tr_clients_respond(clients, to, result, message, &memory);
}
