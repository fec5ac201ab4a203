/* The sessions of a daemon, by id. Whoever speaks of a session later than now keeps its id and asks here
 * whether it is still there. The loop's thread alone. */
#ifndef TROUPE_SERVER_SESSIONS_H
#define TROUPE_SERVER_SESSIONS_H

#include "server/daemon/server.h"

typedef struct tr_session tr_session;
typedef struct tr_sessions tr_sessions;

/* `max` sessions at once, and a few more to be told that they are too many. */
tr_status tr_sessions_create(tr_server *server, int max, tr_sessions **out) TR_NODISCARD;
void tr_sessions_destroy(tr_sessions *sessions); /* when all have closed; NULL is fine */

tr_session *tr_sessions_find(tr_sessions *sessions, uint64_t id); /* NULL: gone or leaving */
int tr_sessions_count(const tr_sessions *sessions);
int tr_sessions_count_kind(const tr_sessions *sessions, const char *channel_kind);
tr_server *tr_sessions_server(const tr_sessions *sessions);

/* Says Goodbye to those whose keys are no longer good: after the gate's reload, and from time to
 * time, since keys expire. */
void tr_sessions_review(tr_sessions *sessions);

/* Says Goodbye to all; `closed` is called once when the last is freed. */
void tr_sessions_close(tr_sessions *sessions, void (*closed)(void *context), void *context);

/* --- for a session (session.c) --- */

bool tr_sessions_has_place(const tr_sessions *sessions);  /* for one more */
bool tr_sessions_is_crowded(const tr_sessions *sessions); /* the last is one too many */

/* Its id, which it has from here on. There is a place. */
uint64_t tr_sessions_add(tr_sessions *sessions, tr_session *session);
void tr_sessions_remove(tr_sessions *sessions, const tr_session *session); /* as it is freed */

size_t *tr_sessions_unread(tr_sessions *sessions); /* bytes queued in all outlets */

#endif
