#include "client/c/exchange.h"

#include <stdio.h>
#include <stdlib.h>

/* --- slots: unanswered requests and unclaimed replies --- */

tr_pending *tr_exchange_find(tr_client *client, uint64_t request) {
    for (int i = 0; i < TR_EXCHANGE_SLOT_MAX; i++)
        if (client->slot[i].request == request)
            return &client->slot[i];
    return NULL;
}

tr_reply_box *tr_exchange_claim(tr_pending *slot) {
    tr_reply_box *box = slot->box;
    *slot = (tr_pending){0};
    return box;
}

void tr_exchange_deliver(tr_client *client, tr_pending *slot, tr_reply_box *take_box) {
    tr_pending request = *slot;
    if (!request.done && !request.dropped) {
        slot->box = take_box;
        return;
    }
    *slot = (tr_pending){0};
    if (request.done)
        request.done(request.user, client, &take_box->reply);
    tr_reply_box_destroy(take_box);
}

void tr_exchange_fail_all(tr_client *client, tr_status status, const char *message) {
    for (int i = 0; i < TR_EXCHANGE_SLOT_MAX; i++) {
        tr_pending *slot = &client->slot[i];
        tr_reply_box *box = slot->request && !slot->box ? tr_reply_box_create(NULL) : NULL;
        if (!box)
            continue;
        tr_reply_fail(box, slot->request, status, message);
        tr_exchange_deliver(client, slot, box);
    }
}

/* --- frames held until the handshake is complete --- */

void tr_exchange_drop_held(tr_client *client) {
    while (client->held) {
        tr_held_frame *held = client->held;
        client->held = held->next;
        free(held->frame);
        free(held);
    }
    client->held_tail = &client->held;
}

/* Takes the frame. */
static tr_status hold(tr_client *client, uint8_t *take_frame, size_t size) {
    tr_held_frame *held = malloc(sizeof *held);
    if (!held) {
        free(take_frame);
        return TR_RESOURCE_EXHAUSTED;
    }
    *held = (tr_held_frame){.frame = take_frame, .size = size};
    *client->held_tail = held;
    client->held_tail = &held->next;
    return TR_OK;
}

void tr_exchange_send_held(tr_client *client) {
    while (client->held && !client->ended) {
        tr_held_frame *held = client->held;
        client->held = held->next;
        tr_status status = tr_connection_send(client->connection, held->frame, held->size);
        free(held);
        if (status)
            tr_connection_end(client->connection, status,
                              "cannot send the requests made before the handshake was complete");
    }
    if (!client->held)
        client->held_tail = &client->held;
}

/* --- requests --- */

const tr_mapping tr_request_page = TR_MAPPING(
    tr_client_query, Page, page, TR_COPY_AS(page_size, size), TR_COPY_AS(page_token, token));

void *tr_request_array(const void *array) {
    union {
        const void *given;
        void *wanted;
    } pointer = {.given = array};
    return pointer.wanted;
}

char *tr_request_text(const char *text) {
    return tr_request_array(text ? text : "");
}

ProtobufCBinaryData tr_request_bytes(const uint8_t *data, size_t size) {
    return (ProtobufCBinaryData){.len = size, .data = tr_request_array(data)};
}

uint64_t tr_exchange_refuse(tr_client *client, tr_status status, const char *message) {
    (void)tr_fail(&client->refused, status, "%s", message);
    return 0;
}

uint64_t tr_request_send(tr_client *client, ProtobufCMessage *body) {
    if (client->ended || client->closing)
        return tr_exchange_refuse(client, TR_UNAVAILABLE, client->end.message);
    const char *text = tr_message_settle(body);
    if (text) {
        char message[80];
        snprintf(message, sizeof message, "%.60s: not UTF-8", text);
        return tr_exchange_refuse(client, TR_INVALID_ARGUMENT, message);
    }
    tr_pending *slot = tr_exchange_find(client, 0);
    if (!slot)
        return tr_exchange_refuse(client, TR_RESOURCE_EXHAUSTED,
                                  "256 requests are unanswered, or their replies unclaimed");
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT;
    message.request_id = client->next_request;
    tr_message_choose(&message.base, body);
    uint8_t *frame = NULL;
    size_t size = 0;
    tr_status status = tr_message_frame(&message.base, TR_FRAME_CLIENT_MAX, &frame, &size);
    if (status)
        return tr_exchange_refuse(client, status, "the request does not fit into a frame");
    status = client->open ? tr_connection_send(client->connection, frame, size)
                          : hold(client, frame, size);
    if (status)
        return tr_exchange_refuse(client, status, "the connection takes no more requests now");
    *slot = (tr_pending){.request = client->next_request++};
    return slot->request;
}

uint64_t tr_request_send_struct(tr_client *client, const tr_mapping *mapping, const void *from) {
    tr_mapping_memory memory = {0};
    ProtobufCMessage *body = tr_mapping_write(mapping, from, &memory);
    uint64_t request = memory.failed ? tr_exchange_refuse(client, TR_RESOURCE_EXHAUSTED,
                                                          "no memory for the request")
                                     : tr_request_send(client, body);
    tr_mapping_free(&memory);
    return request;
}
