#include "server/relay/inquiries.h"

#include "proto/message.h"

#include <stdlib.h>
#include <string.h>

typedef struct waiter {
    tr_inquirer who;
    struct waiter *next;
} waiter;

struct tr_relay_inquiry {
    tr_relay_inquiry *next;
    uint8_t *question; /* the message with request id 0 */
    size_t size;
    uint64_t request;              /* upstream */
    Troupe__ServerMessage *answer; /* NULL: not yet */
    uint64_t answered_ms;
    waiter *waiters, **end;
};

/* --- the table --- */

static void free_waiters(tr_relay_inquiry *inquiry) {
    for (waiter *next, *w = inquiry->waiters; w; w = next) {
        next = w->next;
        free(w);
    }
    inquiry->waiters = NULL;
    inquiry->end = &inquiry->waiters;
}

static void discard(tr_relay_inquiry *inquiry) {
    free_waiters(inquiry);
    if (inquiry->answer)
        tr_message_destroy(&inquiry->answer->base);
    free(inquiry->question);
    free(inquiry);
}

static void remove_at(tr_inquiries *all, tr_relay_inquiry **at) {
    tr_relay_inquiry *inquiry = *at;
    *at = inquiry->next;
    all->count--;
    discard(inquiry);
}

static void remove_one(tr_inquiries *all, const tr_relay_inquiry *inquiry) {
    tr_relay_inquiry **at = &all->first;
    while (*at != inquiry)
        at = &(*at)->next;
    remove_at(all, at);
}

static void forget_old(tr_inquiries *all, uint64_t now_ms) {
    for (tr_relay_inquiry **at = &all->first; *at;)
        if ((*at)->answer && now_ms - (*at)->answered_ms >= TR_INQUIRY_KEEP_MS)
            remove_at(all, at);
        else
            at = &(*at)->next;
}

/* Forgets the oldest answer if the table is full. Returns false if all of it waits. */
static bool make_room(tr_inquiries *all) {
    tr_relay_inquiry **oldest = NULL;
    if (all->count < TR_INQUIRIES_MAX)
        return true;
    for (tr_relay_inquiry **at = &all->first; *at; at = &(*at)->next)
        if ((*at)->answer)
            oldest = at;
    if (oldest)
        remove_at(all, oldest);
    return oldest != NULL;
}

static tr_relay_inquiry *find(const tr_inquiries *all, const uint8_t *question, size_t size) {
    for (tr_relay_inquiry *i = all->first; i; i = i->next)
        if (i->size == size && memcmp(i->question, question, size) == 0)
            return i;
    return NULL;
}

static bool add_waiter(tr_relay_inquiry *inquiry, const tr_inquirer *who) {
    waiter *w = calloc(1, sizeof *w);
    if (!w)
        return false;
    w->who = *who;
    *inquiry->end = w;
    inquiry->end = &w->next;
    return true;
}

/* --- asking --- */

static tr_status add(tr_inquiries *all, tr_upstream *upstream, Troupe__ClientMessage *question,
                     tr_relay_inquiry *take_inquiry, tr_error *error) {
    take_inquiry->request = tr_upstream_send(upstream, question);
    if (take_inquiry->request == 0) {
        discard(take_inquiry);
        return tr_fail(error, TR_UNAVAILABLE, "the relay has no connection to its daemon");
    }
    take_inquiry->next = all->first;
    all->first = take_inquiry;
    all->count++;
    return TR_OK;
}

static tr_relay_inquiry *make(const Troupe__ClientMessage *question, const tr_inquirer *who) {
    tr_relay_inquiry *inquiry = calloc(1, sizeof *inquiry);
    if (!inquiry)
        return NULL;
    inquiry->end = &inquiry->waiters;
    inquiry->size = protobuf_c_message_get_packed_size(&question->base);
    inquiry->question = malloc(inquiry->size + 1);
    if (!inquiry->question || !add_waiter(inquiry, who)) {
        free(inquiry->question);
        free(inquiry);
        return NULL;
    }
    protobuf_c_message_pack(&question->base, inquiry->question);
    return inquiry;
}

tr_status tr_inquiries_ask(tr_inquiries *all, tr_upstream *upstream,
                           Troupe__ClientMessage *question, const tr_inquirer *who, uint64_t now_ms,
                           tr_error *error) {
    forget_old(all, now_ms);
    question->request_id = 0;
    tr_relay_inquiry *inquiry = make(question, who);
    if (!inquiry)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_relay_inquiry *same = find(all, inquiry->question, inquiry->size);
    if (!same && !make_room(all)) {
        discard(inquiry);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "the relay waits for %d different answers",
                       TR_INQUIRIES_MAX);
    }
    if (!same)
        return add(all, upstream, question, inquiry, error);
    discard(inquiry);
    if (same->answer)
        all->answered(all->context, who, same->answer->response);
    else if (!add_waiter(same, who))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    return TR_OK;
}

/* --- answers --- */

/* Inputs follow a snapshot, which an old one lacks. */
static bool has_snapshot(const Troupe__Response *response) {
    return response->result_case == TROUPE__RESPONSE__RESULT_STATE &&
           response->state->snapshot.len > 0;
}

bool tr_inquiries_take(tr_inquiries *all, Troupe__ServerMessage *take_message, size_t size,
                       uint64_t now_ms) {
    tr_relay_inquiry *inquiry = all->first;
    while (inquiry && (inquiry->answer || inquiry->request != take_message->response->request_id))
        inquiry = inquiry->next;
    if (!inquiry)
        return false;
    inquiry->answer = take_message;
    inquiry->answered_ms = now_ms;
    waiter *waiters = inquiry->waiters;
    inquiry->waiters = NULL;
    inquiry->end = &inquiry->waiters;
    bool keeps = size <= TR_INQUIRY_KEEP_BYTES && !has_snapshot(take_message->response);
    for (waiter *next, *w = waiters; w; w = next) {
        next = w->next;
        all->answered(all->context, &w->who, take_message->response);
        free(w);
    }
    if (!keeps)
        remove_one(all, inquiry);
    return true;
}

void tr_inquiries_fail(tr_inquiries *all, const tr_error *error) {
    for (tr_relay_inquiry *i = all->first; i; i = i->next)
        for (const waiter *w = i->waiters; w; w = w->next)
            all->failed(all->context, &w->who, error);
    tr_inquiries_deinit(all);
}

void tr_inquiries_deinit(tr_inquiries *all) {
    while (all->first)
        remove_at(all, &all->first);
}

void tr_inquiries_must_hold(const tr_inquiries *all, tr_invariant *broken) {
    int count = 0;
    for (const tr_relay_inquiry *i = all->first; i; i = i->next) {
        count++;
        TR_MUST_BE(broken, !i->waiters, ==, i->answer != NULL);
    }
    TR_MUST_BE(broken, all->count, ==, count);
    TR_MUST_BE(broken, count, <=, TR_INQUIRIES_MAX);
}
