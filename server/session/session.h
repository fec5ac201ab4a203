/* A session: one client's connection from its first byte to its last.
 *
 *     (channel)
 *        | tr_session_open
 *        v
 *     GREETING ----- no good key, other Hello, anything else, broken frame, 3 s +
 *        | tr_session_welcome: Hello of the same major version               |
 *        v                                                                   |
 *      READY ------- broken frame, 10 s in one frame, shutdown --------------+
 *      |   ^                                                                 |
 *      |   | tr_session_resume                                               |
 *      v   | (tr_session_pause: the request in hand needs the catalogue)     |
 *      BUSY -------- shutdown -----------------------------------------------+
 *                                                                            | tr_session_leave
 *     CLOSING <----- Goodbye was read, or LINGER_MS have passed ---------- LEAVING
 *        | the channel and the timer are closed
 *        v
 *     (freed)
 *
 * BUSY is READY with a flag. A broken connection, and a client that leaves its responses unread,
 * lead from any state to CLOSING. The ledgers of the sessions count the input and output that each
 * holds; a session that must free its share ends. Memory is freed only in the last close callback,
 * so that callbacks of the loop never use a freed session; all other code refers to sessions by id.
 *
 * Requests are dispatched one by one in order. While BUSY nothing is read, so a client cannot send
 * work faster than the catalogue does it. For the loop's thread only. */
#pragma once

#include "server/access/member.h"
#include "server/net/channel.h"
#include "server/session/sessions.h"
#include "server/world/encode.h"
#include "server/world/worlds.h"

#include <stdbool.h>
#include <uv.h>

/* --- start and end --- */

/* Makes a session for a channel, which it takes; refuses it immediately if there are too many. */
void tr_session_open(tr_sessions *sessions, tr_channel *channel);

/* Sends Goodbye and closes. */
void tr_session_leave(tr_session *session, tr_status code, const char *reason);

/* Ends it from the loop if what it is made of contradicts itself: a fault of this program. */
void tr_session_must_hold(tr_session *session);

/* --- properties --- */

uint64_t tr_session_id(const tr_session *session);
void *tr_session_daemon(const tr_session *session); /* tr_sessions_def.daemon */

/* The Hello of a client with a key, kept until the login is complete. */
typedef struct tr_greeting {
    char client_name[TR_CLIENT_NAME_MAX + 1];
    uint32_t minor;
    tr_scram_server scram;
} tr_greeting;

/* Takes it. */
void tr_session_greeted(tr_session *session, tr_greeting *take_greeting);
const tr_greeting *
tr_session_greeting(const tr_session *session); /* NULL: none, or the handshake is complete */

/* Completes the handshake with this member, which is taken and released with the session. `name` is
 * for the logs. */
void tr_session_welcome(tr_session *session, const char *name, tr_member *take_member);
bool tr_session_is_welcome(const tr_session *session);

/* Applies the present limits of its member, or sends Goodbye if the key is no longer valid. */
void tr_session_review(tr_session *session, int64_t now_s);

tr_member *tr_session_member(const tr_session *session); /* NULL before the handshake is complete */
const tr_channel *tr_session_channel(const tr_session *session);

/* Counts a request until it is answered. */
void tr_session_count_request(tr_session *session, unsigned field_number);

/* May this request be handled? TR_INVALID_ARGUMENT: the id does not rise; TR_RESOURCE_EXHAUSTED:
 * too many wait. */
tr_status tr_session_begin_request(tr_session *session, uint64_t request_id,
                                   tr_error *error) TR_NODISCARD;

/* Each request is answered once by one of these, now or later. They take the packet; if memory runs
 * out or the answer is too long, they answer with a failure. */
void tr_session_respond(tr_session *session, Troupe__Response *response);
void tr_session_respond_packet(tr_session *session, tr_packet *packet);
void tr_session_answer(tr_session *session, const tr_reply *reply);
void tr_session_refuse(tr_session *session, uint64_t request_id, const tr_error *error);

/* Reads no further requests until resumed, while another thread works on the current one. */
void tr_session_pause(tr_session *session);
void tr_session_resume(tr_session *session);

tr_subscription *tr_session_subscription(tr_session *session, uint32_t world); /* NULL: none */

/* Subscribes to a world: a state with these fields every `every_ticks` (0: none), and events.
 * Replaces the session's subscription to the same world. TR_RESOURCE_EXHAUSTED: the session has
 * TR_SUBSCRIPTIONS_MAX or what its role may have; or TR_STATE_CLASS_MAX different kinds of
 * subscription are in use in that world. */
tr_status tr_session_subscribe(tr_session *session, tr_subscriptions *all, uint32_t every_ticks,
                               uint32_t fields, bool events, tr_error *error) TR_NODISCARD;

/* Call before the session becomes a stepper of a world: reserves the memory for telling the world
 * when the session ends. TR_RESOURCE_EXHAUSTED. */
tr_status tr_session_will_part(tr_session *session, uint32_t world) TR_NODISCARD;

/* Sends a frame that answers no request, and shares it. If the client reads too slowly, a frame
 * that is not `needed` is left out, and for a needed one the client is cut off. */
void tr_session_tell(tr_session *session, tr_packet *packet, bool needed);
