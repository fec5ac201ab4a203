/* Handlers of the session itself: hello and ping. */
#include "server/access/gate.h"
#include "server/config/log.h"
#include "server/config/version.h"
#include "server/requests/dispatch.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* The lower of both sides' minor versions is spoken. */
static uint32_t common_minor(uint32_t client_minor) {
    const uint32_t ours = TR_PROTOCOL_MINOR;
    return client_minor > ours ? ours : client_minor;
}

static void welcome(const tr_request *request, const Troupe__Hello *hello, tr_member *take_member) {
    tr_session_welcome(request->session, hello->client_name, take_member);
    Troupe__HelloResult result = TROUPE__HELLO_RESULT__INIT;
    result.protocol_major = TR_PROTOCOL_MAJOR;
    result.protocol_minor = common_minor(hello->protocol_minor);
    result.server_version = tr_wire_text(TR_SERVER_VERSION);
    result.session_id = tr_session_id(request->session);
    result.frame_max = (uint32_t)tr_member_frame_max(take_member);
    result.server_frame_max = TR_FRAME_SERVER_MAX;
    result.requests_max = TR_REQUESTS_MAX;
    result.role = (Troupe__Role)take_member->role;
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.result_case = TROUPE__RESPONSE__RESULT_HELLO;
    response.hello = &result;
    tr_request_respond(request, &response);
}

static void log_in(const tr_request *request, const Troupe__Hello *hello) {
    tr_session *session = request->session;
    tr_server *server = request->server;
    tr_error error = {0};
    tr_member *member = NULL;
    const tr_login login = {.key_name = hello->key_name,
                            .proof = hello->key_proof.data,
                            .proof_size = hello->key_proof.len,
                            .challenge = tr_session_challenge(session),
                            .address = tr_session_peer(session),
                            .now_ms = uv_now(server->loop),
                            .now_s = (int64_t)time(NULL)};
    if (tr_gate_login(server->gate, &login, &member, &error) == TR_OK) {
        welcome(request, hello, member);
        return;
    }
    char key[TR_NAME_MAX];
    tr_log_quote(login.key_name, key, sizeof key);
    tr_log_line(TR_LOG_WARN, "session.refused", "session=%llu peer=%s key=\"%s\" reason=\"%s\"",
                (unsigned long long)tr_session_id(session), login.address, key, error.message);
    tr_session_refuse(session, request->id, &error);
    tr_session_leave(session, error.status, error.message);
}

void tr_handle_hello(tr_request *request) {
    const Troupe__Hello *hello = request->message->hello;
    size_t name_size = strlen(hello->client_name);
    if (tr_session_is_welcome(request->session)) {
        tr_request_refuse(request, TR_FAILED_PRECONDITION, "this session has said Hello already");
        return;
    }
    if (hello->protocol_major != TR_PROTOCOL_MAJOR) {
        char reason[128];
        snprintf(reason, sizeof reason, "the client speaks protocol %u.%u, this daemon %d.%d",
                 hello->protocol_major, hello->protocol_minor, TR_PROTOCOL_MAJOR,
                 TR_PROTOCOL_MINOR);
        tr_request_refuse(request, TR_FAILED_PRECONDITION, "%s", reason);
        tr_session_leave(request->session, TR_FAILED_PRECONDITION, reason);
        return;
    }
    if (name_size == 0 || name_size > TR_CLIENT_NAME_MAX ||
        strlen(hello->client_version) > TR_CLIENT_NAME_MAX) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT,
                          "client_name: expected 1 to %d bytes; client_version: at most %d",
                          TR_CLIENT_NAME_MAX, TR_CLIENT_NAME_MAX);
        tr_session_leave(request->session, TR_INVALID_ARGUMENT, "Hello was not accepted");
        return;
    }
    log_in(request, hello);
}

void tr_handle_ping(tr_request *request) {
    const Troupe__Ping *ping = request->message->ping;
    const tr_server *server = request->server;
    if (ping->payload.len > TR_PING_PAYLOAD_MAX) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT, "payload: expected at most %d bytes",
                          TR_PING_PAYLOAD_MAX);
        return;
    }
    Troupe__Pong pong = TROUPE__PONG__INIT;
    pong.payload = ping->payload;
    pong.server_version = tr_wire_text(TR_SERVER_VERSION);
    pong.uptime_s = (double)(uv_hrtime() - server->started_ns) * 1e-9;
    pong.sessions = (uint32_t)tr_sessions_count(server->sessions);
    pong.worlds = (uint32_t)tr_worlds_count(server->worlds);
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.result_case = TROUPE__RESPONSE__RESULT_PONG;
    response.pong = &pong;
    tr_request_respond(request, &response);
}
