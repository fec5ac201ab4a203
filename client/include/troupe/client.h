/* A client of trouped, the server of physics-based characters.
 *
 * It connects over TCP, sends requests (spawn this character, push it, step the world) and receives
 * states and events of the worlds it subscribes to. All data is in plain structs; a game needs
 * neither protobuf nor the daemon's headers.
 *
 *     tr_client_def def = tr_client_def_default();
 *     tr_client *client;
 *     const tr_client_reply *reply;
 *     tr_error error;
 *     if (tr_client_connect(&def, &client, &error))
 *         return fail(error.message);
 *     tr_client_at here = {.world = world}; // from tr_client_create_world or tr_client_list_worlds
 *     tr_client_spawn_def runner = {.controller = "run"};
 *     uint64_t request = tr_client_spawn_character(client, here, &runner);
 *     if (tr_client_await(client, request, 5000, &reply, &error))
 *         return fail(error.message);
 *     printf("entity %u at tick %lld\n", reply->applied.entity, (long long)reply->applied.tick);
 *
 * There are two ways to use it. Blocking: tr_client_connect, then tr_client_await (or
 * tr_client_ask) around each request, and tr_client_run to receive. Asynchronous: set your libuv
 * loop in the definition, call tr_client_open, and tr_client_on_reply for each request; everything
 * then happens in callbacks on that loop. Both may be mixed, but never await from within a
 * callback.
 *
 * This header has the connection and the replies; it includes the others, which have one noun each:
 * world.h, character.h, object.h and scenery.h make and change worlds, state.h and event.h are what
 * the daemon sends of them, advance.h steps many characters in one request, catalogue.h lists
 * models and controllers, match.h, recording.h and training.h are about matches, recordings and
 * replays, and trainings.
 *
 * Every request function sends one request and returns its number, or 0 if it could not be made.
 * Pass the number, also 0, to tr_client_await, tr_client_ask or tr_client_on_reply; for 0 they
 * return the reason. Do this for every request, because its reply is kept until then.
 *
 * Statuses are negative codes of google.rpc.Code (status.h): those of the daemon (PROTOCOL.md), and
 * from this library TR_UNAVAILABLE (no connection), TR_DEADLINE_EXCEEDED (no answer in time),
 * TR_CANCELLED (closed before the answer), TR_RESOURCE_EXHAUSTED (256 requests unanswered or
 * unclaimed, no memory), TR_DATA_LOSS (invalid data from the daemon).
 *
 * Units are SI, z is up, x forward, quaternions are (w, x, y, z). Strings passed in may be NULL for
 * empty and are copied; strings received are valid as long as the reply, state or event that holds
 * them. A client belongs to the thread of its loop. The library never prints. */
#ifndef TROUPE_CLIENT_H
#define TROUPE_CLIENT_H

#include "troupe/advance.h"
#include "troupe/catalogue.h"
#include "troupe/character.h"
#include "troupe/event.h"
#include "troupe/match.h"
#include "troupe/object.h"
#include "troupe/recording.h"
#include "troupe/request.h"
#include "troupe/scenery.h"
#include "troupe/state.h"
#include "troupe/status.h"
#include "troupe/training.h"
#include "troupe/world.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

struct uv_loop_s;

/* --- connection --- */

typedef struct tr_client_def {
    const char *host;       /* name or address; NULL: 127.0.0.1 */
    int port;               /* 0: 7400 */
    const char *name;       /* the client's name in the daemon's log; NULL: "client" */
    const char *key;        /* NAME.SECRET, as printed by trouped --make-key; NULL: none */
    bool tls;               /* use TLS 1.3; the certificate must be for `host` */
    const char *ca;         /* PEM file of its signer; NULL: the signers that the system trusts */
    int connect_timeout_ms; /* until the handshake is complete; 0: 5000 */
    int reply_timeout_ms;   /* of tr_client_ask; 0: 10000 */
    struct uv_loop_s *loop; /* borrowed; NULL: the client makes one */
    void *user;             /* passed to the callbacks; each of them may be NULL */
    void (*on_open)(void *user, tr_client *client);
    void (*on_state)(void *user, tr_client *client, const tr_client_state *state);
    void (*on_event)(void *user, tr_client *client, const tr_client_event *event);
    void (*on_match)(void *user, tr_client *client, const tr_client_match_progress *progress);
    /* Called once; not after tr_client_close. */
    void (*on_close)(void *user, tr_client *client, tr_status status, const char *reason);
} tr_client_def;

/* The defaults: 127.0.0.1, port 7400, no key, 5 s to connect and 10 s for a reply. */
TR_API tr_client_def tr_client_def_default(void);

/* Begins to connect and returns immediately. Requests may be made before the handshake is complete
 * and are sent after it. The key never leaves this process: the login is SCRAM-SHA-256, bound to
 * the connection if it uses TLS. TR_INVALID_ARGUMENT: the host name or client name is too long, the
 * port is out of range, the key is malformed, or the file of certificates cannot be read;
 * TR_RESOURCE_EXHAUSTED. error may be NULL. */
TR_API tr_status tr_client_open(const tr_client_def *def, tr_client **out,
                                tr_error *error) TR_NODISCARD;

/* As tr_client_open, and waits until the handshake is complete. TR_UNAVAILABLE: no daemon listens
 * there; TR_FAILED_PRECONDITION: the daemon has another protocol version (the message names both);
 * TR_UNAUTHENTICATED: it does not know the key, or requires one; TR_DATA_LOSS: its certificate is
 * not trusted, or it does not use TLS 1.3; TR_DEADLINE_EXCEEDED. */
TR_API tr_status tr_client_connect(const tr_client_def *def, tr_client **out,
                                   tr_error *error) TR_NODISCARD;

/* Ends the connection and the client; replies not yet claimed are dropped, callbacks of unanswered
 * requests get TR_CANCELLED. May be called from a callback. On the caller's loop, the memory is
 * freed when that loop next runs. NULL is allowed. */
TR_API void tr_client_close(tr_client *client);

/* Is the handshake complete, and the connection open? */
TR_API bool tr_client_is_open(const tr_client *client);

/* The daemon's version, and this session's id there. Before the handshake is complete: "" and 0. */
TR_API const char *tr_client_server_version(const tr_client *client);
TR_API uint64_t tr_client_session(const tr_client *client);

/* This client's role: "spectator", "player", "director" or "admin"; "" before the handshake is
 * complete and from a daemon without roles. Static text. */
TR_API const char *tr_client_role(const tr_client *client);

/* Runs the loop for `duration_ms` (negative: no limit), or until the connection ends or
 * tr_client_stop is called from a callback. TR_OK: the time is over, or tr_client_stop was called;
 * TR_UNAVAILABLE or another status: the connection ended. */
TR_API tr_status tr_client_run(tr_client *client, int duration_ms, tr_error *error) TR_NODISCARD;

/* Ends the current tr_client_run after the callback that calls this. */
TR_API void tr_client_stop(tr_client *client);

/* --- replies --- */

typedef struct tr_client_pong {
    const char *server_version;
    double uptime_s;
    uint32_t sessions, worlds;
} tr_client_pong;

typedef enum tr_client_reply_kind {
    TR_CLIENT_REPLY_EMPTY, /* done without a result, or failed */
    TR_CLIENT_REPLY_APPLIED,
    TR_CLIENT_REPLY_PONG,
    TR_CLIENT_REPLY_MODELS,
    TR_CLIENT_REPLY_MODEL,
    TR_CLIENT_REPLY_CLIPS,
    TR_CLIENT_REPLY_CLIP,
    TR_CLIENT_REPLY_RUNS,
    TR_CLIENT_REPLY_RUN,
    TR_CLIENT_REPLY_CONTROLLERS,
    TR_CLIENT_REPLY_CONTROLLER,
    TR_CLIENT_REPLY_LINEAGE,
    TR_CLIENT_REPLY_CERTIFICATE,
    TR_CLIENT_REPLY_WORLDS,
    TR_CLIENT_REPLY_WORLD,
    TR_CLIENT_REPLY_SUBSCRIPTION,
    TR_CLIENT_REPLY_STATE,
    TR_CLIENT_REPLY_MATCH,
    TR_CLIENT_REPLY_MATCHES,
    TR_CLIENT_REPLY_MATCH_DETAIL,
    TR_CLIENT_REPLY_RECORDINGS,
    TR_CLIENT_REPLY_RECORDING,
    TR_CLIENT_REPLY_RECORDING_PART,
    TR_CLIENT_REPLY_REPLAY,
    TR_CLIENT_REPLY_ADVANCED,
    TR_CLIENT_REPLY_TRAINING,
    TR_CLIENT_REPLY_TRAININGS
} tr_client_reply_kind;

/* The answer to a request. `kind` says which member is set. Lists have `count` rows and the token
 * of the next page. */
typedef struct tr_client_reply {
    uint64_t request;
    tr_status status;
    const char *message; /* "" unless it failed */
    tr_client_reply_kind kind;
    int count;
    const char *next_page_token; /* "": the last page */
    union {
        tr_client_applied applied;
        tr_client_pong pong;
        const tr_client_model *models; /* [count], and so on */
        tr_client_model_detail model;
        const tr_client_clip *clips;
        tr_client_clip clip;
        const tr_client_training_run *runs;
        tr_client_run_detail run;
        const tr_client_controller *controllers;
        tr_client_controller_detail controller;
        const tr_client_ancestor *lineage;
        tr_client_certificate certificate;
        const tr_client_world *worlds;
        tr_client_world world;
        tr_client_subscription subscription;
        tr_client_state state;
        tr_client_match match;
        const tr_client_match *matches;
        tr_client_match_detail match_detail;
        const tr_client_recording *recordings;
        tr_client_recording recording;
        tr_client_recording_part part;
        tr_client_replay_info replay;
        tr_client_advanced advanced;
        tr_client_training training;
        tr_client_training_list training_list;
    };
    int moved_count; /* WORLDS: worlds that have moved to other daemons, the newest last */
    const tr_client_moved_world *moved;
} tr_client_reply;

/* Runs the loop until the reply to `request` has arrived, at most `timeout_ms` (negative: no
 * limit). Returns the reply's status; if it failed, puts its message into `error`. *out_reply
 * (out_reply may be NULL) is valid until the next await, ask or close, and untouched on failure. A
 * request that timed out may still take effect; its reply is dropped. */
TR_API tr_status tr_client_await(tr_client *client, uint64_t request, int timeout_ms,
                                 const tr_client_reply **out_reply, tr_error *error) TR_NODISCARD;

/* As tr_client_await with the timeout of the definition, for programs that check replies one by
 * one. Never NULL: a failed reply has its status and message, and zeros for the rest, so that a
 * request made with them fails too. Valid until the next ask, await or close. */
TR_API const tr_client_reply *tr_client_ask(tr_client *client, uint64_t request);

/* Has `done` called with the reply, which is valid during the call. NULL: the reply is dropped. If
 * `request` is 0, returns why the request could not be made and does not call `done`. */
typedef void tr_client_done(void *user, tr_client *client, const tr_client_reply *reply);
TR_API tr_status tr_client_on_reply(tr_client *client, uint64_t request, tr_client_done *done,
                                    void *user);

/* Asks whether the daemon answers. The reply (PONG) has its version, the seconds since it started,
 * and how many sessions and worlds there are. */
TR_API uint64_t tr_client_ping(tr_client *client);

#if defined(__cplusplus)
}
#endif

#endif
