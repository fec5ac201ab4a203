#include "server/session/sessions.h"

#include "proto/key.h"
#include "proto/limits.h"
#include "server/session/session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Connections above the limit that get the reason; further ones are closed without an answer. */
enum { REFUSED_MAX = 16 };

struct tr_sessions {
    tr_sessions_def def;
    int count, capacity;
    tr_session **session; /* [count], sorted by id */
    uint64_t next_id, instance;
    void (*closed)(void *context);
    void *closed_context;
    tr_ledger input, unread;
};

tr_status tr_sessions_create(const tr_sessions_def *def, tr_sessions **out) {
    tr_sessions *sessions = calloc(1, sizeof *sessions);
    if (!sessions)
        return TR_RESOURCE_EXHAUSTED;
    sessions->def = *def;
    tr_status status = tr_key_random((uint8_t *)&sessions->instance, sizeof sessions->instance);
    if (status) {
        free(sessions);
        return status;
    }
    sessions->instance |= 1; /* 0 means none */
    sessions->capacity = def->max + REFUSED_MAX;
    sessions->session = calloc((size_t)sessions->capacity, sizeof(tr_session *));
    if (!sessions->session) {
        tr_sessions_destroy(sessions);
        return TR_RESOURCE_EXHAUSTED;
    }
    sessions->input.total_max = TR_INPUT_TOTAL_MAX;
    sessions->input.party_max = TR_INPUT_PARTY_MAX;
    sessions->unread.total_max = sessions->unread.party_max = TR_UNREAD_TOTAL_MAX;
    *out = sessions;
    return TR_OK;
}

void tr_sessions_destroy(tr_sessions *sessions) {
    if (!sessions)
        return;
    free(sessions->session);
    free(sessions);
}

void tr_sessions_admit(tr_sessions *sessions, tr_worlds *worlds, tr_recordings *recordings) {
    sessions->def.worlds = worlds;
    sessions->def.recordings = recordings;
}

/* Index of the first session with an id not below `id`. */
static int lower_bound(const tr_sessions *sessions, uint64_t id) {
    int low = 0, high = sessions->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (tr_session_id(sessions->session[middle]) < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

tr_session *tr_sessions_find(tr_sessions *sessions, uint64_t id) {
    int at = lower_bound(sessions, id);
    if (at == sessions->count || tr_session_id(sessions->session[at]) != id)
        return NULL;
    tr_session *session = sessions->session[at];
    return tr_session_is_welcome(session) ? session : NULL;
}

uint64_t tr_sessions_instance(const tr_sessions *sessions) {
    return sessions->instance;
}

int tr_sessions_count(const tr_sessions *sessions) {
    return sessions->count;
}

int tr_sessions_count_kind(const tr_sessions *sessions, const char *channel_kind) {
    int count = 0;
    for (int i = 0; i < sessions->count; i++)
        count += strcmp(tr_session_channel(sessions->session[i])->kind->name, channel_kind) == 0;
    return count;
}

const tr_sessions_def *tr_sessions_definition(const tr_sessions *sessions) {
    return &sessions->def;
}

void tr_sessions_review(tr_sessions *sessions) {
    for (int i = 0; i < sessions->count; i++)
        tr_session_review(sessions->session[i], (int64_t)time(NULL));
}

/* --- for the folders below --- */

static bool is_connected(void *context, uint64_t id) {
    return tr_sessions_find(context, id) != NULL;
}

static void respond(void *context, uint64_t id, Troupe__Response *response) {
    tr_session *session = tr_sessions_find(context, id);
    if (session)
        tr_session_respond(session, response);
}

static void refuse(void *context, uint64_t id, uint64_t request, const tr_error *error) {
    tr_session *session = tr_sessions_find(context, id);
    if (session)
        tr_session_refuse(session, request, error);
}

static void notify(void *context, uint64_t id, tr_packet *packet, bool needed) {
    tr_session *session = tr_sessions_find(context, id);
    if (session)
        tr_session_tell(session, packet, needed);
}

tr_clients tr_sessions_clients(tr_sessions *sessions) {
    return (tr_clients){.context = sessions,
                        .is_connected = is_connected,
                        .respond = respond,
                        .refuse = refuse,
                        .notify = notify};
}

/* --- closing --- */

static void tell_closed(tr_sessions *sessions) {
    void (*closed)(void *) = sessions->closed;
    if (sessions->count > 0 || !closed)
        return;
    sessions->closed = NULL;
    closed(sessions->closed_context);
}

void tr_sessions_close(tr_sessions *sessions, void (*closed)(void *context), void *context) {
    sessions->closed = closed;
    sessions->closed_context = context;
    for (int i = 0; i < sessions->count; i++)
        tr_session_leave(sessions->session[i], TR_UNAVAILABLE, "the daemon is shutting down");
    tell_closed(sessions);
}

/* --- for a session --- */

bool tr_sessions_has_place(const tr_sessions *sessions) {
    return sessions->count < sessions->capacity;
}

bool tr_sessions_is_crowded(const tr_sessions *sessions) {
    return sessions->count > sessions->def.max;
}

uint64_t tr_sessions_add(tr_sessions *sessions, tr_session *session) {
    sessions->session[sessions->count++] = session;
    return ++sessions->next_id;
}

void tr_sessions_remove(tr_sessions *sessions, const tr_session *session) {
    int at = lower_bound(sessions, tr_session_id(session));
    sessions->count--;
    memmove(&sessions->session[at], &sessions->session[at + 1],
            (size_t)(sessions->count - at) * sizeof(tr_session *));
    tell_closed(sessions);
}

tr_ledger *tr_sessions_input(tr_sessions *sessions) {
    return &sessions->input;
}

tr_ledger *tr_sessions_unread(tr_sessions *sessions) {
    return &sessions->unread;
}

void tr_sessions_must_hold(tr_sessions *sessions, uint64_t turn, tr_invariant *broken) {
    TR_MUST(broken, sessions->count >= 0 && sessions->count <= sessions->capacity);
    if (sessions->count == 0)
        return;
    int at = (int)(turn % (uint64_t)sessions->count);
    uint64_t before = at > 0 ? tr_session_id(sessions->session[at - 1]) : 0;
    TR_MUST_BE(broken, before, <, tr_session_id(sessions->session[at]));
    tr_session_must_hold(sessions->session[at]);
}
