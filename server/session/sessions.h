/* The sessions of a daemon, by id. Code that uses a session later keeps its id and looks it up
 * here. For the loop's thread only. */
#pragma once

#include "server/access/gate.h"
#include "server/config/tally.h"
#include "server/net/clients.h"
#include "server/net/ledger.h"
#include "server/recording/recordings.h"
#include "server/world/worlds.h"

typedef struct tr_session tr_session;
typedef struct tr_sessions tr_sessions;

/* The services that sessions use, and their calls to the daemon. */
typedef struct tr_sessions_def {
    uv_loop_t *loop;
    tr_gate *gate;
    tr_worlds *worlds;         /* NULL until tr_sessions_admit */
    tr_recordings *recordings; /* as worlds */
    tr_tally *tally;
    int max; /* largest number of sessions; a few more get the reason of their refusal */

    /* A tr_session has received a frame: data[size], valid during the call. */
    void (*frame)(void *session, const uint8_t *data, size_t size);
    void *daemon; /* tr_session_daemon */
} tr_sessions_def;

/* TR_RESOURCE_EXHAUSTED; TR_INTERNAL: no random bytes. */
tr_status tr_sessions_create(const tr_sessions_def *def, tr_sessions **out) TR_NODISCARD;
void tr_sessions_destroy(tr_sessions *sessions); /* call when all have closed; NULL is allowed */

/* From now on clients get sessions; those before were told that the daemon is starting. */
void tr_sessions_admit(tr_sessions *sessions, tr_worlds *worlds, tr_recordings *recordings);

tr_session *tr_sessions_find(tr_sessions *sessions, uint64_t id); /* NULL: ended or leaving */
int tr_sessions_count(const tr_sessions *sessions);
int tr_sessions_count_kind(const tr_sessions *sessions, const char *channel_kind);

/* The sessions as the folders below see them; valid as long as `sessions`. */
tr_clients tr_sessions_clients(tr_sessions *sessions);

/* Sends Goodbye to sessions whose keys are no longer valid. Call after the gate's reload, and
 * regularly, because keys expire. */
void tr_sessions_review(tr_sessions *sessions);

/* Sends Goodbye to all; `closed` is called once, when the last is freed. */
void tr_sessions_close(tr_sessions *sessions, void (*closed)(void *context), void *context);

/* --- for a session (session.c) --- */

/* A random number of this run of the daemon, for clients that connect again; never 0. */
uint64_t tr_sessions_instance(const tr_sessions *sessions);
const tr_sessions_def *tr_sessions_definition(const tr_sessions *sessions);

bool tr_sessions_has_place(const tr_sessions *sessions);  /* for one more */
bool tr_sessions_is_crowded(const tr_sessions *sessions); /* more than the limit */

/* Adds a session and returns its id. Requires tr_sessions_has_place. */
uint64_t tr_sessions_add(tr_sessions *sessions, tr_session *session);
void tr_sessions_remove(tr_sessions *sessions, const tr_session *session); /* when it is freed */

tr_ledger *tr_sessions_input(tr_sessions *sessions);  /* bytes received and not used yet */
tr_ledger *tr_sessions_unread(tr_sessions *sessions); /* bytes that wait to be read by clients */

/* The table, and the session whose turn it is. */
void tr_sessions_must_hold(tr_sessions *sessions, uint64_t turn, tr_invariant *broken);
