/* A daemon controlled by the test: it listens on a loop, passes each message to the test, and sends
 * the test's replies. */
#pragma once

#include "proto/frame.h"
#include "troupe/envelope.pb-c.h"

#include <stdbool.h>
#include <uv.h>

typedef struct tr_partner tr_partner;
typedef void tr_partner_handler(tr_partner *partner, const Troupe__ClientMessage *message);

/* One connection at a time. */
struct tr_partner {
    uv_loop_t *loop;
    uv_tcp_t listener, peer;
    bool peer_open;
    int port; /* chosen by the system */
    tr_frame_decoder decoder;
    char input[65536];
    tr_partner_handler *handler;
    void *user;
    uint64_t last_id; /* of the last message */
    bool ids_rise;    /* so far */
    int messages;
};

void tr_partner_start(tr_partner *partner, uv_loop_t *loop, tr_partner_handler *handler,
                      void *user);
void tr_partner_stop(tr_partner *partner); /* closes everything; the loop must run once more */

void tr_partner_send(tr_partner *partner, const Troupe__ServerMessage *message);
void tr_partner_send_bytes(tr_partner *partner, const void *bytes, size_t size);
void tr_partner_hang_up(tr_partner *partner);

/* Responses. code 0 and no result: done. */
void tr_partner_welcome(tr_partner *partner, uint64_t request_id);
void tr_partner_respond(tr_partner *partner, uint64_t request_id, Troupe__StatusCode code,
                        const char *text);
void tr_partner_apply(tr_partner *partner, uint64_t request_id, int64_t tick);
