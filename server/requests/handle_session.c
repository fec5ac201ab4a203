/* Handlers of the session itself: hello, authenticate and ping. */
#include "proto/message.h"
#include "server/access/gate.h"
#include "server/config/log.h"
#include "server/config/version.h"
#include "server/requests/dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The session uses the lower of both minor versions. */
static uint32_t common_minor(uint32_t client_minor) {
    const uint32_t ours = TR_PROTOCOL_MINOR;
    return client_minor > ours ? ours : client_minor;
}

/* A relay is read-only. */
static tr_role role_here(const tr_server *server, const tr_member *member) {
    return server->relay && member->role > TR_ROLE_SPECTATOR ? TR_ROLE_SPECTATOR : member->role;
}

/* `server_final`: from a login, else "". */
static void welcome(const tr_request *request, const char *client_name, uint32_t minor,
                    const char *server_final, tr_member *take_member) {
    tr_session_welcome(request->session, client_name, take_member);
    Troupe__HelloResult result = {TR_MESSAGE_BASE(hello_result),
                                  .protocol_major = TR_PROTOCOL_MAJOR,
                                  .protocol_minor = common_minor(minor),
                                  .server_version = tr_wire_text(TR_SERVER_VERSION),
                                  .session_id = tr_session_id(request->session),
                                  .instance_id = tr_sessions_instance(request->server->sessions),
                                  .frame_max = (uint32_t)tr_member_frame_max(take_member),
                                  .server_frame_max = TR_FRAME_SERVER_MAX,
                                  .requests_max = TR_REQUESTS_MAX,
                                  .subscriptions_max = (uint32_t)take_member->limits.subscriptions,
                                  .role = (Troupe__Role)role_here(request->server, take_member),
                                  .scram_final = tr_wire_text(server_final)};
    tr_request_respond(request, TROUPE__RESPONSE__RESULT_HELLO, &result);
}

static void end(const tr_request *request, tr_status status, const char *reason) {
    tr_request_refuse(request, status, "%s", reason);
    tr_session_leave(request->session, status, reason);
}

static void refuse_login(const tr_request *request, const char *key_name, const tr_error *error) {
    tr_session *session = request->session;
    char key[TR_NAME_MAX];
    tr_log_quote(key_name, key, sizeof key);
    tr_log_line(TR_LOG_WARN, "session.refused", "session=%llu peer=%s key=\"%s\" reason=\"%s\"",
                (unsigned long long)tr_session_id(session), tr_session_channel(session)->peer, key,
                error->message);
    end(request, error->status, error->message);
}

static void admit(const tr_request *request, const Troupe__Hello *hello) {
    tr_error error = {0};
    tr_member *member = NULL;
    if (tr_gate_admit(request->server->gate, &member, &error))
        refuse_login(request, "", &error);
    else
        welcome(request, hello->client_name, hello->protocol_minor, "", member);
}

/* SCRAM's client-first is answered with server-first; Authenticate follows. */
static void begin_login(const tr_request *request, const Troupe__Hello *hello) {
    tr_session *session = request->session;
    char server_first[TR_SCRAM_MESSAGE_MAX];
    tr_error error = {0};
    tr_greeting *greeting = calloc(1, sizeof *greeting);
    if (!greeting) {
        end(request, TR_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    if (tr_gate_challenge(request->server->gate, tr_session_channel(session), hello->scram_first,
                          &greeting->scram, server_first, &error)) {
        free(greeting);
        refuse_login(request, "", &error);
        return;
    }
    snprintf(greeting->client_name, sizeof greeting->client_name, "%s", hello->client_name);
    greeting->minor = hello->protocol_minor;
    tr_session_greeted(session, greeting);
    Troupe__LoginChallenge challenge = {TR_MESSAGE_BASE(login_challenge),
                                        .scram_first = server_first};
    tr_request_respond(request, TROUPE__RESPONSE__RESULT_LOGIN_CHALLENGE, &challenge);
}

static bool is_well_formed(const tr_request *request, const Troupe__Hello *hello) {
    size_t name_size = strlen(hello->client_name);
    if (hello->protocol_major != TR_PROTOCOL_MAJOR) {
        char reason[128];
        snprintf(reason, sizeof reason, "the client has protocol version %u.%u, this daemon %d.%d",
                 hello->protocol_major, hello->protocol_minor, TR_PROTOCOL_MAJOR,
                 TR_PROTOCOL_MINOR);
        end(request, TR_FAILED_PRECONDITION, reason);
        return false;
    }
    if (name_size > 0 && name_size <= TR_CLIENT_NAME_MAX &&
        strlen(hello->client_version) <= TR_CLIENT_NAME_MAX)
        return true;
    tr_request_refuse(request, TR_INVALID_ARGUMENT,
                      "client_name: expected 1 to %d bytes; client_version: at most %d",
                      TR_CLIENT_NAME_MAX, TR_CLIENT_NAME_MAX);
    tr_session_leave(request->session, TR_INVALID_ARGUMENT, "Hello was not accepted");
    return false;
}

void tr_handle_hello(tr_request *request) {
    const Troupe__Hello *hello = request->message->hello;
    static const tr_error too_old = {TR_UNAUTHENTICATED,
                                     "this client is older than SCRAM-SHA-256, the only login that "
                                     "this daemon accepts: update the client"};
    if (tr_session_is_welcome(request->session))
        tr_request_refuse(request, TR_FAILED_PRECONDITION, "this session has already sent Hello");
    else if (tr_session_greeting(request->session))
        end(request, TR_FAILED_PRECONDITION, "expected Authenticate next");
    else if (!is_well_formed(request, hello))
        return;
    else if (hello->scram_first[0] != '\0')
        begin_login(request, hello);
    else if (hello->key_name[0] != '\0')
        refuse_login(request, hello->key_name, &too_old);
    else
        admit(request, hello);
}

void tr_handle_authenticate(tr_request *request) {
    tr_session *session = request->session;
    const tr_greeting *greeting = tr_session_greeting(session);
    char server_final[TR_SCRAM_MESSAGE_MAX];
    tr_error error = {0};
    tr_member *member = NULL;
    if (!greeting) {
        tr_request_refuse(request, TR_FAILED_PRECONDITION, "this session has already logged in");
        return;
    }
    const tr_login login = {.scram = &greeting->scram,
                            .channel = tr_session_channel(session),
                            .client_final = request->message->authenticate->scram_final,
                            .now_ms = uv_now(request->server->loop),
                            .now_s = (int64_t)time(NULL)};
    if (tr_gate_login(request->server->gate, &login, server_final, &member, &error))
        refuse_login(request, greeting->scram.name, &error);
    else
        welcome(request, greeting->client_name, greeting->minor, server_final, member);
}

void tr_handle_ping(tr_request *request) {
    const Troupe__Ping *ping = request->message->ping;
    const tr_server *server = request->server;
    if (ping->payload.len > TR_PING_PAYLOAD_MAX) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT, "payload: expected at most %d bytes",
                          TR_PING_PAYLOAD_MAX);
        return;
    }
    Troupe__Pong pong = {TR_MESSAGE_BASE(pong),
                         .payload = ping->payload,
                         .server_version = tr_wire_text(TR_SERVER_VERSION),
                         .uptime_s = (double)(uv_hrtime() - server->started_ns) * 1e-9,
                         .sessions = (uint32_t)tr_sessions_count(server->sessions),
                         .worlds = (uint32_t)tr_worlds_count(server->worlds)};
    tr_request_respond(request, TROUPE__RESPONSE__RESULT_PONG, &pong);
}
