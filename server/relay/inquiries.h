/* The requests that a relay passes on. Equal requests are sent upstream once: those that come while
 * the first waits, and those within a second after its answer, get the same answer. So the daemon
 * upstream answers one request a second for each question, however many readers ask.
 *
 * For the event loop's thread. */
#pragma once

#include "proto/invariant.h"
#include "server/relay/upstream.h"

enum {
    TR_INQUIRIES_MAX = 64,
    TR_INQUIRY_KEEP_MS = 1000,
    TR_INQUIRY_KEEP_BYTES = 64 << 10 /* longer answers are not kept, nor snapshots */
};

/* Who waits: a request of a session, with what `answered` needs besides. */
typedef struct tr_inquirer {
    uint64_t session, request;
    Troupe__Subscribe subscribe; /* world 0: none */
} tr_inquirer;

typedef struct tr_relay_inquiry tr_relay_inquiry;

typedef struct tr_inquiries {
    void *context;
    /* The answer, which the callee may change during the call, for one that waits. */
    void (*answered)(void *context, const tr_inquirer *who, Troupe__Response *response);
    void (*failed)(void *context, const tr_inquirer *who, const tr_error *error);
    tr_relay_inquiry *first;
    int count;
} tr_inquiries;

/* Sends the question upstream, or waits for an equal one, or answers from one. TR_UNAVAILABLE: no
 * connection; TR_RESOURCE_EXHAUSTED: too many different ones wait. */
tr_status tr_inquiries_ask(tr_inquiries *all, tr_upstream *upstream,
                           Troupe__ClientMessage *question, const tr_inquirer *who, uint64_t now_ms,
                           tr_error *error) TR_NODISCARD;

/* The response, of `size` bytes, to an upstream request. Returns false, and does not take the message, if no inquiry
 * waits for it. */
bool tr_inquiries_take(tr_inquiries *all, Troupe__ServerMessage *take_message, size_t size,
                       uint64_t now_ms);

void tr_inquiries_must_hold(const tr_inquiries *all, tr_invariant *broken);

/* The connection is lost: everyone who waits gets this error. */
void tr_inquiries_fail(tr_inquiries *all, const tr_error *error);
void tr_inquiries_deinit(tr_inquiries *all); /* answers nobody */
