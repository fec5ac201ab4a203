#include "client/c/exchange.h"

#include "proto/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONNECT_TIMEOUT_MS = 5000,
    REPLY_TIMEOUT_MS = 10000,
    HELLO_REQUEST = 1,
    AUTHENTICATE_REQUEST
};

/* --- messages of the daemon --- */

/* Is the greeting accepted? Otherwise ends the connection with the reason. */
static bool is_welcome(tr_client *client, const Troupe__Response *response) {
    tr_status status = tr_mapping_status(response->code);
    char reason[128];
    if (status) {
        tr_connection_end(client->connection, status, response->message);
    } else if (response->result_case != TROUPE__RESPONSE__RESULT_HELLO) {
        tr_connection_end(client->connection, TR_DATA_LOSS, "the server's welcome is empty");
    } else if (response->hello->protocol_major != TR_PROTOCOL_MAJOR) {
        snprintf(reason, sizeof reason,
                 "this client has protocol version %d.%d, the server answered with %u.%u",
                 TR_PROTOCOL_MAJOR, TR_PROTOCOL_MINOR, response->hello->protocol_major,
                 response->hello->protocol_minor);
        tr_connection_end(client->connection, TR_FAILED_PRECONDITION, reason);
    } else if (!tr_key_login_is_proved(&client->login, response->hello->scram_final)) {
        tr_connection_end(client->connection, TR_UNAUTHENTICATED,
                          "the server has not proved that it knows this client's key: it may be "
                          "a different server");
    }
    return !client->ended;
}

static void on_welcome(tr_client *client, const Troupe__Response *response) {
    if (!is_welcome(client, response))
        return;
    tr_connection_welcome(client->connection);
    client->session = response->hello->session_id;
    client->role = (uint32_t)response->hello->role;
    snprintf(client->server_version, sizeof client->server_version, "%s",
             response->hello->server_version);
    client->open = true;
    tr_exchange_send_held(client);
    if (client->def.on_open && !client->ended)
        client->def.on_open(client->def.user, client);
}

/* The answer to a request. Takes the box. */
static void on_response(tr_client *client, tr_reply_box *take_box) {
    tr_status status = tr_reply_decode(take_box);
    tr_pending *slot = tr_exchange_find(client, take_box->reply.request);
    bool awaited = !status && take_box->reply.request != 0 && slot && !slot->box;
    if (awaited)
        tr_exchange_deliver(client, slot, take_box);
    else
        tr_reply_box_destroy(take_box); /* of a request that was dropped */
    if (status)
        tr_connection_end(client->connection, status, "cannot read a response of the server");
}

static void on_events(tr_client *client, const Troupe__EventBatch *batch) {
    for (size_t i = 0; i < batch->n_events && client->def.on_event && !client->closing; i++) {
        tr_client_event event = tr_reply_event(batch->world, batch->events[i]);
        client->def.on_event(client->def.user, client, &event);
    }
}

static void on_match(tr_client *client, const Troupe__MatchProgress *message) {
    if (!client->def.on_match)
        return;
    tr_client_match_progress progress = tr_reply_match_progress(message);
    client->def.on_match(client->def.user, client, &progress);
}

static void on_goodbye(tr_client *client, const Troupe__Goodbye *goodbye) {
    tr_status status = tr_mapping_status(goodbye->code);
    tr_connection_end(client->connection, status ? status : TR_UNAVAILABLE, goodbye->reason);
}

/* --- the greeting --- */

static void send_greeting(tr_client *client, ProtobufCMessage *body, uint64_t request) {
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT;
    uint8_t *frame = NULL;
    size_t size = 0;
    message.request_id = request;
    tr_message_choose(&message.base, body);
    tr_status status = tr_message_frame(&message.base, TR_FRAME_BEFORE_HELLO_MAX, &frame, &size);
    if (!status)
        status = tr_connection_send(client->connection, frame, size);
    if (status)
        tr_connection_end(client->connection, status, "cannot send the greeting");
}

/* `scram_first`: SCRAM's client-first; "": the client has no key. */
static void greet(tr_client *client, const char *scram_first) {
    Troupe__Hello hello = {TR_MESSAGE_BASE(hello), .protocol_major = TR_PROTOCOL_MAJOR,
                           .protocol_minor = TR_PROTOCOL_MINOR, .client_name = client->name,
                           .scram_first = tr_request_text(scram_first)};
    send_greeting(client, &hello.base, HELLO_REQUEST);
}

/* The first challenge begins the login. */
static void on_challenge(tr_client *client, const Troupe__Challenge *challenge) {
    char first[TR_SCRAM_MESSAGE_MAX];
    tr_error error;
    if (client->challenged)
        return;
    client->challenged = true;
    if (!client->login.wanted)
        return;
    if (tr_key_login_first(&client->login, client->connection, challenge, first, &error))
        tr_connection_end(client->connection, error.status, error.message);
    else
        greet(client, first);
}

static void on_login_challenge(tr_client *client, const Troupe__LoginChallenge *challenge) {
    char final[TR_SCRAM_MESSAGE_MAX];
    if (!client->login.wanted ||
        tr_key_login_final(&client->login, challenge->scram_first, final)) {
        tr_connection_end(client->connection, TR_DATA_LOSS,
                          "cannot read the server's answer to the login");
        return;
    }
    Troupe__Authenticate authenticate = {TR_MESSAGE_BASE(authenticate), .scram_final = final};
    send_greeting(client, &authenticate.base, AUTHENTICATE_REQUEST);
}

/* The answer to Hello or Authenticate. */
static void on_greeted(tr_client *client, const Troupe__Response *response) {
    if (response->result_case == TROUPE__RESPONSE__RESULT_LOGIN_CHALLENGE && !client->login.shown)
        on_login_challenge(client, response->login_challenge);
    else
        on_welcome(client, response);
}

static bool is_of_greeting(const tr_client *client, uint64_t request) {
    return !client->open && (request == HELLO_REQUEST || request == AUTHENTICATE_REQUEST);
}

/* The answer to the greeting or to a request. Takes the box. */
static void on_answer(tr_client *client, tr_reply_box *take_box) {
    const Troupe__Response *response = take_box->message->response;
    if (!is_of_greeting(client, response->request_id)) {
        on_response(client, take_box);
        return;
    }
    on_greeted(client, response);
    tr_reply_box_destroy(take_box);
}

/* Ignores kinds of messages that a newer daemon may add. */
static void on_frame(void *user, const uint8_t *data, size_t size) {
    tr_client *client = user;
    ProtobufCMessage *decoded = NULL;
    tr_client_state state;
    tr_status status = tr_message_decode(&troupe__server_message__descriptor, data, size, &decoded);
    Troupe__ServerMessage *message = (Troupe__ServerMessage *)decoded;
    tr_reply_box *box = status ? NULL : tr_reply_box_create(message);
    if (!box) {
        tr_connection_end(client->connection, TR_DATA_LOSS,
                          "the server sent something that is not a message");
        return;
    }
    switch (message->message_case) {
    case TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE:
        on_answer(client, box);
        return;
    case TROUPE__SERVER_MESSAGE__MESSAGE_STATE:
        if (!client->def.on_state)
            break;
        status = tr_reply_state(box, message->state, &state);
        if (status)
            tr_connection_end(client->connection, status, "cannot read a state of the server");
        else
            client->def.on_state(client->def.user, client, &state);
        break;
    case TROUPE__SERVER_MESSAGE__MESSAGE_EVENTS:
        on_events(client, message->events);
        break;
    case TROUPE__SERVER_MESSAGE__MESSAGE_MATCH_PROGRESS:
        on_match(client, message->match_progress);
        break;
    case TROUPE__SERVER_MESSAGE__MESSAGE_CHALLENGE:
        on_challenge(client, message->challenge);
        break;
    case TROUPE__SERVER_MESSAGE__MESSAGE_GOODBYE:
        on_goodbye(client, message->goodbye);
        break;
    default:
        break;
    }
    tr_reply_box_destroy(box);
}

/* --- the connection's beginning and end --- */

/* With a key, the greeting waits for the challenge. */
static void on_connected(void *user) {
    tr_client *client = user;
    if (!client->login.wanted)
        greet(client, "");
}

static void on_ended(void *user, tr_status status, const char *reason) {
    tr_client *client = user;
    client->open = false;
    client->ended = true;
    (void)tr_fail(&client->end, status, "%s", reason[0] ? reason : tr_status_text(status));
    tr_exchange_drop_held(client);
    tr_exchange_fail_all(client, client->end.status, client->end.message);
    if (client->def.on_close && !client->closing)
        client->def.on_close(client->def.user, client, client->end.status, client->end.message);
}

/* --- lifetime --- */

tr_client_def tr_client_def_default(void) {
    return (tr_client_def){.host = "127.0.0.1",
                           .port = TR_DEFAULT_PORT,
                           .name = "client",
                           .connect_timeout_ms = CONNECT_TIMEOUT_MS,
                           .reply_timeout_ms = REPLY_TIMEOUT_MS};
}

/* Frees the client when nothing holds it. A client that made its loop is freed by close_own_loop,
 * which runs that loop. */
static void free_when_done(tr_client *client) {
    if (client->pending == 0 && client->running == 0 && client->loop != &client->own_loop)
        free(client);
}

static void on_connection_released(void *user) {
    tr_client *client = user;
    tr_tls_destroy(client->tls);
    client->tls = NULL;
    client->pending--;
    free_when_done(client);
}

static void on_timer_closed(uv_handle_t *handle) {
    tr_client *client = handle->data;
    client->pending--;
    free_when_done(client);
}

/* Runs the client's own loop until all its handles are closed, and frees the client. */
static void close_own_loop(tr_client *client) {
    while (client->pending > 0)
        uv_run(client->loop, UV_RUN_ONCE);
    uv_loop_close(client->loop);
    free(client);
}

void tr_client_close(tr_client *client) {
    if (!client || client->closing)
        return;
    client->closing = true;
    (void)tr_fail(&client->end, TR_CANCELLED, "closed by the client");
    tr_exchange_fail_all(client, TR_CANCELLED, client->end.message);
    for (int i = 0; i < TR_EXCHANGE_SLOT_MAX; i++)
        tr_reply_box_destroy(tr_exchange_claim(&client->slot[i]));
    tr_reply_box_destroy(client->awaited);
    client->awaited = NULL;
    tr_exchange_drop_held(client);
    bool own = client->loop == &client->own_loop, running = client->running > 0;
    uv_close((uv_handle_t *)&client->timer, on_timer_closed);
    tr_connection_close(client->connection);
    if (own && !running)
        close_own_loop(client);
}

static tr_status check_definition(const tr_client_def *def, tr_error *error) {
    if (strlen(def->host) > TR_CONNECTION_HOST_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "host name: at most %d bytes",
                       (int)TR_CONNECTION_HOST_MAX);
    if (def->port < 1 || def->port > 65535)
        return tr_fail(error, TR_INVALID_ARGUMENT, "port %d: expected 1 to 65535", def->port);
    if (strlen(def->name) > TR_CLIENT_NAME_MAX || !tr_text_is_utf8(def->name))
        return tr_fail(error, TR_INVALID_ARGUMENT, "client name: expected UTF-8, at most %d bytes",
                       (int)TR_CLIENT_NAME_MAX);
    return TR_OK;
}

/* Prepares a login from the text of a key; NULL: no key. */
static tr_status prepare_login(const char *key, tr_key_login *out, tr_error *error) {
    *out = (tr_key_login){.wanted = key != NULL};
    if (key && tr_key_parse(key, &out->key))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "key: expected NAME.SECRET, as printed by trouped --make-key");
    return TR_OK;
}

/* The definition with its defaults filled in. */
static tr_client_def complete(const tr_client_def *given) {
    tr_client_def def = *given, preset = tr_client_def_default();
    def.host = def.host ? def.host : preset.host;
    def.port = def.port ? def.port : preset.port;
    def.name = def.name && def.name[0] ? def.name : preset.name;
    def.connect_timeout_ms =
        def.connect_timeout_ms > 0 ? def.connect_timeout_ms : preset.connect_timeout_ms;
    def.reply_timeout_ms =
        def.reply_timeout_ms > 0 ? def.reply_timeout_ms : preset.reply_timeout_ms;
    return def;
}

static tr_status start(tr_client *client) {
    tr_connection_def def = {.loop = client->loop,
                             .host = client->def.host,
                             .port = client->def.port,
                             .connect_timeout_ms = client->def.connect_timeout_ms,
                             .tls = client->tls,
                             .user = client,
                             .on_connected = on_connected,
                             .on_frame = on_frame,
                             .on_ended = on_ended,
                             .on_released = on_connection_released};
    tr_status status = tr_connection_open(&def, &client->connection);
    if (status)
        return status;
    uv_timer_init(client->loop, &client->timer);
    client->timer.data = client;
    client->pending = 2; /* connection and timer */
    return TR_OK;
}

tr_status tr_client_open(const tr_client_def *given, tr_client **out, tr_error *error) {
    tr_client_def def = complete(given);
    tr_status status = check_definition(&def, error);
    if (status)
        return status;
    tr_key_login login;
    tr_tls *tls = NULL;
    if ((status = prepare_login(def.key, &login, error)))
        return status;
    if (def.tls && (status = tr_tls_connect(def.ca, &tls, error)))
        return status;
    tr_client *client = calloc(1, sizeof *client);
    if (!client) {
        tr_tls_destroy(tls);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for a client");
    }
    client->tls = tls;
    client->def = def;
    client->def.name = client->name;
    snprintf(client->name, sizeof client->name, "%s", def.name);
    client->login = login;
    client->def.key = client->def.ca = NULL; /* owned by the caller */
    client->held_tail = &client->held;
    client->next_request = AUTHENTICATE_REQUEST + 1;
    client->loop = def.loop ? def.loop : &client->own_loop;
    if (!def.loop && uv_loop_init(&client->own_loop) < 0)
        goto fail;
    if (start(client)) {
        if (!def.loop)
            uv_loop_close(&client->own_loop);
        goto fail;
    }
    client->def.host = NULL; /* owned by the caller, copied by the connection */
    *out = client;
    return TR_OK;
fail:
    tr_tls_destroy(tls);
    free(client);
    return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory or descriptors for a connection");
}

bool tr_client_is_open(const tr_client *client) {
    return client->open;
}

const char *tr_client_server_version(const tr_client *client) {
    return client->server_version;
}

const char *tr_client_role(const tr_client *client) {
    static const char *const names[] = {"", "spectator", "player", "director", "admin"};
    return client->role < sizeof names / sizeof names[0] ? names[client->role] : "";
}

uint64_t tr_client_session(const tr_client *client) {
    return client->session;
}

/* --- running the loop --- */

static void on_timer(uv_timer_t *timer) {
    tr_client *client = timer->data;
    client->timer_over = true;
}

/* Whether the awaited condition holds. */
typedef bool wait_condition(const tr_client *client, const tr_pending *slot);

static bool is_answered(const tr_client *client, const tr_pending *slot) {
    return slot->box || client->ended;
}

static bool is_settled(const tr_client *client, const tr_pending *slot) {
    (void)slot;
    return client->open || client->ended;
}

static bool is_over(const tr_client *client, const tr_pending *slot) {
    (void)slot;
    return client->stopped || client->ended;
}

/* Runs the loop until the condition holds, the time is over, or a callback closes the client.
 * Returns false if the client was closed. */
static bool wait_for(tr_client *client, wait_condition *condition, const tr_pending *slot,
                     int timeout_ms) {
    client->timer_over = false;
    if (timeout_ms >= 0)
        uv_timer_start(&client->timer, on_timer, (uint64_t)timeout_ms, 0);
    client->running++;
    while (!client->closing && !client->timer_over && !condition(client, slot))
        uv_run(client->loop, UV_RUN_ONCE);
    client->running--;
    if (!client->closing) {
        uv_timer_stop(&client->timer);
        return true;
    }
    if (client->loop == &client->own_loop)
        close_own_loop(client);
    else
        free_when_done(client);
    return false;
}

tr_status tr_client_connect(const tr_client_def *def, tr_client **out, tr_error *error) {
    tr_client *client = NULL;
    tr_status status = tr_client_open(def, &client, error);
    if (status)
        return status;
    assert(client);
    if (!wait_for(client, is_settled, NULL, -1))
        return tr_fail(error, TR_CANCELLED, "closed by the client");
    if (client->ended) {
        status = tr_fail(error, client->end.status, "%s", client->end.message);
        tr_client_close(client);
        return status;
    }
    *out = client;
    return TR_OK;
}

tr_status tr_client_run(tr_client *client, int duration_ms, tr_error *error) {
    client->stopped = false;
    if (!wait_for(client, is_over, NULL, duration_ms))
        return tr_fail(error, TR_CANCELLED, "closed by the client");
    return client->ended ? tr_fail(error, client->end.status, "%s", client->end.message) : TR_OK;
}

void tr_client_stop(tr_client *client) {
    client->stopped = true;
}

/* --- claiming replies --- */

/* The slot of a request that has not been claimed; NULL with the reason in `error`. */
static tr_pending *slot_to_claim(tr_client *client, uint64_t request, tr_error *error) {
    if (request == 0) {
        (void)tr_fail(error, client->refused.status, "%s", client->refused.message);
        return NULL;
    }
    tr_pending *slot = tr_exchange_find(client, request);
    if (!slot || slot->done || slot->dropped) {
        (void)tr_fail(error, TR_INVALID_ARGUMENT, "request %llu has already been claimed",
                      (unsigned long long)request);
        return NULL;
    }
    return slot;
}

/* Runs the loop until client->awaited is the reply to `request`, or `reason` says why there is
 * none. Returns false if the client was closed. */
static bool obtain(tr_client *client, uint64_t request, int timeout_ms, tr_error *reason) {
    tr_pending *slot = slot_to_claim(client, request, reason);
    if (!slot)
        return true;
    if (!wait_for(client, is_answered, slot, timeout_ms))
        return false;
    if (slot->box) {
        tr_reply_box_destroy(client->awaited);
        client->awaited = tr_exchange_claim(slot);
    } else if (client->ended) {
        *reason = client->end;
    } else {
        slot->dropped = true;
        (void)tr_fail(reason, TR_DEADLINE_EXCEEDED, "no reply within %d ms", timeout_ms);
    }
    return true;
}

tr_status tr_client_await(tr_client *client, uint64_t request, int timeout_ms,
                          const tr_client_reply **out_reply, tr_error *error) {
    tr_error reason = {0};
    if (!obtain(client, request, timeout_ms, &reason))
        return tr_fail(error, TR_CANCELLED, "closed by the client");
    if (reason.status)
        return tr_fail(error, reason.status, "%s", reason.message);
    const tr_client_reply *reply = &client->awaited->reply;
    if (reply->status)
        return tr_fail(error, reply->status, "%s", reply->message);
    if (out_reply)
        *out_reply = reply;
    return TR_OK;
}

const tr_client_reply *tr_client_ask(tr_client *client, uint64_t request) {
    static const tr_client_reply closed = {
        .status = TR_CANCELLED, .message = "closed by the client", .next_page_token = ""};
    tr_error reason = {0};
    if (!obtain(client, request, client->def.reply_timeout_ms, &reason))
        return &closed;
    if (!reason.status)
        return &client->awaited->reply;
    client->unanswered = reason;
    client->no_reply = (tr_client_reply){.request = request,
                                         .status = reason.status,
                                         .message = client->unanswered.message,
                                         .next_page_token = ""};
    return &client->no_reply;
}

tr_status tr_client_on_reply(tr_client *client, uint64_t request, tr_client_done *done,
                             void *user) {
    tr_error reason = {0};
    tr_pending *slot = slot_to_claim(client, request, &reason);
    if (!slot)
        return reason.status;
    slot->done = done;
    slot->user = user;
    slot->dropped = !done;
    if (slot->box) /* the connection ended, or the reply arrived, before this call */
        tr_exchange_deliver(client, slot, slot->box);
    return TR_OK;
}
