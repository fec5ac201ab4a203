#include "server/requests/dispatch.h"

#include "proto/message.h"
#include "server/requests/request_row.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void tr_request_refuse(const tr_request *request, tr_status status, const char *format, ...) {
    tr_error error = {.status = status};
    va_list args;
    va_start(args, format);
    vsnprintf(error.message, sizeof error.message, format, args);
    va_end(args);
    tr_session_refuse(request->session, request->id, &error);
}

tr_asker tr_request_asker(const tr_request *request) {
    return (tr_asker){tr_session_id(request->session), request->id};
}

tr_hosted *tr_request_world(const tr_request *request, uint32_t id) {
    tr_hosted *hosted = tr_worlds_find(request->server->worlds, id);
    if (!hosted)
        tr_request_refuse(request, TR_NOT_FOUND, "world %u: not found", id);
    return hosted;
}

void tr_request_respond(const tr_request *request, Troupe__Response__ResultCase result,
                        void *message) {
    Troupe__Response response = tr_response_of(request->id, result, message);
    tr_session_respond(request->session, &response);
}

void tr_request_show(const tr_request *request, Troupe__Response__ResultCase result,
                     const tr_mapping *mapping, const void *from) {
    tr_mapping_memory memory = {0};
    void *message = tr_mapping_write(mapping, from, &memory);
    if (memory.failed)
        tr_request_refuse(request, TR_RESOURCE_EXHAUSTED, "out of memory");
    else
        tr_request_respond(request, result, message);
    tr_mapping_free(&memory);
}

void tr_request_done(const tr_request *request) {
    tr_request_respond(request, TROUPE__RESPONSE__RESULT__NOT_SET, NULL);
}

/* Is it the expected message of the handshake: Hello, or Authenticate after a Hello with a key? */
static bool is_greeting(const tr_session *session, Troupe__ClientMessage__RequestCase kind) {
    return kind == TROUPE__CLIENT_MESSAGE__REQUEST_HELLO ||
           (kind == TROUPE__CLIENT_MESSAGE__REQUEST_AUTHENTICATE && tr_session_greeting(session));
}

/* Checks that this client may send this request, and now. The handshake is complete. */
static tr_status check_member(const tr_request *request, size_t size, tr_error *error) {
    tr_member *member = tr_session_member(request->session);
    tr_role role = request->row ? request->row->role : TR_ROLE_ADMIN;
    tr_status status = tr_session_begin_request(request->session, request->id, error);
    if (!status)
        status = tr_member_spend(member, size, uv_now(request->server->loop), error);
    if (!status && member->role < role)
        status = tr_fail(error, TR_PERMISSION_DENIED, "not for the role %s: expected %s or more",
                         tr_role_name(member->role), tr_role_name(role));
    if (!status && request->row && request->row->in_drain == TR_REFUSED)
        status = tr_worlds_check_drain(request->server->worlds, error);
    return status;
}

/* Refuses requests that may not be handled and returns false. A client without Hello, or with an
 * expired key, is disconnected. */
static bool may_handle(const tr_request *request, size_t size) {
    tr_session *session = request->session;
    bool welcome = tr_session_is_welcome(session);
    tr_error error = {0};
    tr_status parting = TR_OK, status = TR_OK;
    if (welcome)
        parting = tr_member_check(tr_session_member(session), (int64_t)time(NULL), &error);
    else if (!is_greeting(session, request->message->request_case))
        parting = tr_fail(&error, TR_FAILED_PRECONDITION, "expected Hello first");
    if (!parting)
        status = welcome ? check_member(request, size, &error)
                         : tr_session_begin_request(session, request->id, &error);
    if (!parting && !status)
        return true;
    tr_session_refuse(session, request->id, &error);
    if (parting)
        tr_session_leave(session, error.status, error.message);
    return false;
}

void tr_dispatch(void *context, const uint8_t *data, size_t size) {
    ProtobufCMessage *message = NULL;
    tr_session *session = context;
    tr_server *server = tr_session_daemon(session);
    server->tally.frames_in++;
    server->tally.bytes_in += size;
    tr_status status = tr_message_decode(&troupe__client_message__descriptor, data, size, &message);
    if (status) {
        tr_session_leave(session, status,
                         status == TR_RESOURCE_EXHAUSTED
                             ? "a message takes more memory to decode than the limit"
                             : "a frame holds no message of this protocol");
        return;
    }
    Troupe__ClientMessage *wire = (Troupe__ClientMessage *)message;
    tr_request request = {.server = server,
                          .session = session,
                          .id = wire->request_id,
                          .message = wire,
                          .row = tr_request_row_find(wire->request_case)};
    tr_session_count_request(session, (unsigned)wire->request_case);
    if (may_handle(&request, size)) {
        if (request.row && server->relay)
            tr_handle_relayed(&request);
        else if (request.row)
            request.row->handle(&request);
        else
            tr_request_refuse(&request, TR_UNIMPLEMENTED,
                              "unknown request: not one that this daemon knows");
    }
    if (request.message)
        tr_message_destroy(&request.message->base);
}
