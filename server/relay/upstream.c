#include "server/relay/upstream.h"

#include "client/c/connection.h"
#include "client/c/key_login.h"
#include "proto/limits.h"
#include "proto/message.h"
#include "server/config/log.h"
#include "server/net/frame_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONNECT_TIMEOUT_MS = 5000,
    RETRY_FIRST_MS = 500,
    RETRY_LAST_MS = 5000,
    PING_MS = 2000,
    PINGS_UNHEARD = 3 /* pings in a row after which a silent daemon is lost */
};

struct tr_upstream {
    tr_upstream_def def;
    tr_connection *connection; /* NULL: waiting */
    tr_key_login login;
    bool challenged, proving, open, closing; /* proving: of this connection */
    uint64_t attempt;                        /* counts connections */
    uv_timer_t retry, pulse;
    uint64_t retry_ms;
    uint64_t heard_ms; /* when the last message came, by the loop's clock */
    int unheard;       /* pings since then */
    uint64_t last_request;
    uint64_t session; /* the last session's id there */
    int pending;      /* connections not released, proofs, and the timers */
};

/* --- end --- */

static void one_less(tr_upstream *upstream) {
    if (--upstream->pending > 0)
        return;
    upstream->def.closed(upstream->def.context);
    free(upstream);
}

static void on_timer_closed(uv_handle_t *handle) {
    one_less(handle->data);
}

static void on_released(void *user) {
    one_less(user);
}

void tr_upstream_close(tr_upstream *upstream) {
    upstream->closing = true;
    upstream->open = false;
    uv_close((uv_handle_t *)&upstream->retry, on_timer_closed);
    uv_close((uv_handle_t *)&upstream->pulse, on_timer_closed);
    if (upstream->connection)
        tr_connection_close(upstream->connection);
}

static void connect_again(uv_timer_t *timer);

static void on_ended(void *user, tr_status status, const char *reason) {
    tr_upstream *upstream = user;
    tr_connection *connection = upstream->connection;
    const char *why = reason[0] != '\0' ? reason : tr_status_text(status);
    upstream->connection = NULL;
    upstream->open = false;
    if (!upstream->closing) {
        uv_timer_stop(&upstream->pulse);
        char quoted[256];
        tr_log_quote(why, quoted, sizeof quoted);
        tr_log_line(TR_LOG_WARN, "relay.lost", "upstream=%s:%d reason=\"%s\"", upstream->def.host,
                    upstream->def.port, quoted);
        uv_timer_start(&upstream->retry, connect_again, upstream->retry_ms, 0);
        upstream->retry_ms =
            2 * upstream->retry_ms > RETRY_LAST_MS ? RETRY_LAST_MS : 2 * upstream->retry_ms;
        upstream->def.lost(upstream->def.context, why);
    }
    if (connection)
        tr_connection_close(connection);
}

/* --- the handshake, and pings --- */

static void end(tr_upstream *upstream, tr_status status, const char *reason) {
    if (upstream->connection)
        tr_connection_end(upstream->connection, status, reason);
}

static tr_status send_as(tr_upstream *upstream, Troupe__ClientMessage *message) {
    uint8_t *frame = NULL;
    size_t size = 0;
    message->request_id = ++upstream->last_request;
    tr_status status = tr_message_frame(&message->base, TR_FRAME_CLIENT_MAX, &frame, &size);
    return status ? status : tr_connection_send(upstream->connection, frame, size);
}

static tr_status send_body(tr_upstream *upstream, ProtobufCMessage *body) {
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT;
    tr_message_choose(&message.base, body);
    return send_as(upstream, &message);
}

static void greet(tr_upstream *upstream, const char *scram_first) {
    Troupe__Hello hello = {TR_MESSAGE_BASE(hello), .protocol_major = TR_PROTOCOL_MAJOR,
                           .protocol_minor = TR_PROTOCOL_MINOR,
                           .client_name = tr_wire_text("relay"),
                           .scram_first = tr_wire_text(scram_first)};
    if (send_body(upstream, &hello.base))
        end(upstream, TR_UNAVAILABLE, "cannot send the greeting");
}

static void on_challenge(tr_upstream *upstream, const Troupe__Challenge *challenge) {
    char first[TR_SCRAM_MESSAGE_MAX];
    tr_error error = {0};
    if (upstream->challenged)
        return;
    upstream->challenged = true;
    if (!upstream->login.wanted)
        greet(upstream, "");
    else if (tr_key_login_first(&upstream->login, upstream->connection, challenge, first, &error))
        end(upstream, error.status, error.message);
    else
        greet(upstream, first);
}

/* The proof of the key, made on another thread: the daemon chooses how many iterations it takes, up
 * to a fifth of a second, in which the relay's readers would wait. */
typedef struct proof {
    uv_work_t work; /* first */
    tr_upstream *upstream;
    uint64_t attempt;
    tr_key_login login;
    char server_first[TR_SCRAM_MESSAGE_MAX], final[TR_SCRAM_MESSAGE_MAX];
    tr_status status;
} proof;

static void make_proof(uv_work_t *work) {
    proof *p = (proof *)work;
    p->status = tr_key_login_final(&p->login, p->server_first, p->final);
}

static void on_proof(uv_work_t *work, int status) {
    proof *p = (proof *)work;
    tr_upstream *upstream = p->upstream;
    /* Closing releases the connection, which may be gone by now. */
    bool awaited = !upstream->closing && upstream->connection && upstream->attempt == p->attempt &&
                   status == 0;
    if (awaited && p->status) {
        end(upstream, TR_DATA_LOSS, "cannot read the answer to the login");
    } else if (awaited) {
        upstream->login = p->login;
        Troupe__Authenticate authenticate = {TR_MESSAGE_BASE(authenticate),
                                             .scram_final = p->final};
        if (send_body(upstream, &authenticate.base))
            end(upstream, TR_UNAVAILABLE, "cannot send the login");
    }
    explicit_bzero(p, sizeof *p);
    free(p);
    one_less(upstream);
}

static void prove(tr_upstream *upstream, const Troupe__LoginChallenge *challenge) {
    /* One proof a connection: it costs a thread of the pool a fifth of a second. */
    proof *p = upstream->login.wanted && !upstream->proving ? calloc(1, sizeof *p) : NULL;
    if (!p || strlen(challenge->scram_first) >= sizeof p->server_first) {
        free(p);
        end(upstream, TR_DATA_LOSS, "cannot read the answer to the login");
        return;
    }
    p->upstream = upstream;
    p->attempt = upstream->attempt;
    p->login = upstream->login;
    upstream->login = (tr_key_login){.wanted = true}; /* the key is in one place */
    snprintf(p->server_first, sizeof p->server_first, "%s", challenge->scram_first);
    upstream->proving = true;
    upstream->pending++;
    if (uv_queue_work(upstream->def.loop, &p->work, make_proof, on_proof) != 0)
        on_proof(&p->work, UV_ECANCELED);
}

/* A daemon that hangs keeps its connections: without an answer the link is lost. Pings are counted,
 * not seconds, so that a relay that was stopped itself hears what has come meanwhile. */
static void on_pulse(uv_timer_t *timer) {
    tr_upstream *upstream = timer->data;
    Troupe__Ping ping = {TR_MESSAGE_BASE(ping)};
    if (!upstream->open)
        return;
    if (++upstream->unheard > PINGS_UNHEARD)
        end(upstream, TR_UNAVAILABLE, "it does not answer");
    else if (send_body(upstream, &ping.base))
        end(upstream, TR_UNAVAILABLE, "cannot send");
}

static void hear(tr_upstream *upstream) {
    upstream->heard_ms = uv_now(upstream->def.loop);
    upstream->unheard = 0;
}

static void on_welcome(tr_upstream *upstream, const Troupe__HelloResult *result) {
    if (!tr_key_login_is_proved(&upstream->login, result->scram_final)) {
        end(upstream, TR_UNAUTHENTICATED, "the daemon does not know the key that it accepted");
        return;
    }
    const tr_upstream_welcome welcome = {.instance = result->instance_id,
                                         .ids_fell = result->session_id <= upstream->session,
                                         .subscriptions_max = result->subscriptions_max};
    upstream->session = result->session_id;
    upstream->open = true;
    upstream->retry_ms = RETRY_FIRST_MS;
    tr_connection_welcome(upstream->connection);
    uv_timer_start(&upstream->pulse, on_pulse, PING_MS, PING_MS);
    char version[64];
    tr_log_quote(result->server_version, version, sizeof version);
    tr_log_line(TR_LOG_INFO, "relay.open", "upstream=%s:%d version=\"%s\"", upstream->def.host,
                upstream->def.port, version);
    upstream->def.opened(upstream->def.context, &welcome);
}

static void on_response(tr_upstream *upstream, const Troupe__Response *response) {
    if (response->code != TROUPE__STATUS_CODE__STATUS_CODE_OK)
        end(upstream, TR_UNAVAILABLE, response->message);
    else if (response->result_case == TROUPE__RESPONSE__RESULT_LOGIN_CHALLENGE)
        prove(upstream, response->login_challenge);
    else if (response->result_case == TROUPE__RESPONSE__RESULT_HELLO)
        on_welcome(upstream, response->hello);
}

/* A message of the handshake, or the last one. */
static void on_greeting(tr_upstream *upstream, const uint8_t *data, size_t size) {
    ProtobufCMessage *base = NULL;
    if (tr_message_decode(&troupe__server_message__descriptor, data, size, &base)) {
        end(upstream, TR_DATA_LOSS, "no message of this protocol");
        return;
    }
    const Troupe__ServerMessage *message = (const Troupe__ServerMessage *)base;
    if (message->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_CHALLENGE)
        on_challenge(upstream, message->challenge);
    else if (message->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE)
        on_response(upstream, message->response);
    else if (message->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_GOODBYE)
        end(upstream, TR_UNAVAILABLE, message->goodbye->reason);
    tr_message_destroy(base);
}

static void on_frame(void *user, const uint8_t *data, size_t size) {
    enum { GOODBYE_TAG = 4 << 3 | 2 }; /* of ServerMessage, encoded */
    tr_upstream *upstream = user;
    hear(upstream);
    if (upstream->open && (size == 0 || data[0] != GOODBYE_TAG))
        upstream->def.frame(upstream->def.context, data, size);
    else
        on_greeting(upstream, data, size);
}

/* --- start --- */

static void on_connected(void *user) {
    (void)user; /* the daemon speaks first */
}

static tr_status begin(tr_upstream *upstream) {
    const tr_upstream_def *def = &upstream->def;
    const tr_connection_def connection = {.loop = def->loop,
                                          .host = def->host,
                                          .port = def->port,
                                          .connect_timeout_ms = CONNECT_TIMEOUT_MS,
                                          .tls = def->tls,
                                          .user = upstream,
                                          .on_connected = on_connected,
                                          .on_frame = on_frame,
                                          .on_ended = on_ended,
                                          .on_released = on_released};
    upstream->login = (tr_key_login){.wanted = def->key != NULL};
    if (def->key)
        upstream->login.key = *def->key;
    upstream->challenged = upstream->proving = false;
    upstream->attempt++;
    upstream->last_request = 0;
    tr_status status = tr_connection_open(&connection, &upstream->connection);
    upstream->pending += !status;
    return status;
}

static void connect_again(uv_timer_t *timer) {
    tr_upstream *upstream = timer->data;
    if (begin(upstream))
        uv_timer_start(timer, connect_again, RETRY_LAST_MS, 0);
}

tr_status tr_upstream_open(const tr_upstream_def *def, tr_upstream **out) {
    tr_upstream *upstream = calloc(1, sizeof *upstream);
    if (!upstream)
        return TR_RESOURCE_EXHAUSTED;
    upstream->def = *def;
    upstream->retry_ms = RETRY_FIRST_MS;
    upstream->heard_ms = uv_now(def->loop);
    if (begin(upstream)) {
        free(upstream);
        return TR_RESOURCE_EXHAUSTED;
    }
    uv_timer_init(def->loop, &upstream->retry);
    uv_timer_init(def->loop, &upstream->pulse);
    upstream->retry.data = upstream->pulse.data = upstream;
    upstream->pending += 2;
    *out = upstream;
    return TR_OK;
}

uint64_t tr_upstream_silent_ms(const tr_upstream *upstream) {
    return uv_now(upstream->def.loop) - upstream->heard_ms;
}

bool tr_upstream_is_open(const tr_upstream *upstream) {
    return upstream->open;
}

uint64_t tr_upstream_send(tr_upstream *upstream, Troupe__ClientMessage *message) {
    if (!upstream->open || send_as(upstream, message))
        return 0;
    return upstream->last_request;
}

uint64_t tr_upstream_request(tr_upstream *upstream, ProtobufCMessage *body) {
    if (!upstream->open || send_body(upstream, body))
        return 0;
    return upstream->last_request;
}
