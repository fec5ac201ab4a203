#include "server/requests/dispatch.h"

#include "proto/message.h"
#include "server/access/gate.h"
#include "server/access/permission.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

typedef void (*handler)(tr_request *request);

static const struct {
    Troupe__ClientMessage__RequestCase request;
    handler handle;
} handlers[] = {
    {TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND, tr_handle_command},
    {TROUPE__CLIENT_MESSAGE__REQUEST_HELLO, tr_handle_hello},
    {TROUPE__CLIENT_MESSAGE__REQUEST_PING, tr_handle_ping},
    {TROUPE__CLIENT_MESSAGE__REQUEST_LIST_MODELS, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_MODEL, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_LIST_CLIPS, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_CLIP, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_LIST_RUNS, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_RUN, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_LIST_CONTROLLERS, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_CONTROLLER, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_LINEAGE, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_CERTIFICATE, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_CREATE_WORLD, tr_handle_create_world},
    {TROUPE__CLIENT_MESSAGE__REQUEST_LIST_WORLDS, tr_handle_list_worlds},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_WORLD, tr_handle_get_world},
    {TROUPE__CLIENT_MESSAGE__REQUEST_DESTROY_WORLD, tr_handle_destroy_world},
    {TROUPE__CLIENT_MESSAGE__REQUEST_SUBSCRIBE, tr_handle_subscribe},
    {TROUPE__CLIENT_MESSAGE__REQUEST_UNSUBSCRIBE, tr_handle_unsubscribe},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_STATE, tr_handle_get_state},
    {TROUPE__CLIENT_MESSAGE__REQUEST_START_MATCH, tr_handle_start_match},
    {TROUPE__CLIENT_MESSAGE__REQUEST_LIST_MATCHES, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_MATCH, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_WATCH_MATCH, tr_handle_watch_match},
    {TROUPE__CLIENT_MESSAGE__REQUEST_UNWATCH_MATCH, tr_handle_unwatch_match},
    {TROUPE__CLIENT_MESSAGE__REQUEST_CANCEL_MATCH, tr_handle_cancel_match},
    {TROUPE__CLIENT_MESSAGE__REQUEST_REMOVE_MATCH, tr_handle_query},
    {TROUPE__CLIENT_MESSAGE__REQUEST_RECORD_BOUT, tr_handle_record_bout},
    {TROUPE__CLIENT_MESSAGE__REQUEST_LIST_RECORDINGS, tr_handle_list_recordings},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_RECORDING, tr_handle_get_recording},
    {TROUPE__CLIENT_MESSAGE__REQUEST_DOWNLOAD_RECORDING, tr_handle_download_recording},
    {TROUPE__CLIENT_MESSAGE__REQUEST_UPLOAD_RECORDING, tr_handle_upload_recording},
    {TROUPE__CLIENT_MESSAGE__REQUEST_DELETE_RECORDING, tr_handle_delete_recording},
    {TROUPE__CLIENT_MESSAGE__REQUEST_REPLAY, tr_handle_replay},
    {TROUPE__CLIENT_MESSAGE__REQUEST_GET_REPLAY, tr_handle_get_replay},
};

static handler find_handler(Troupe__ClientMessage__RequestCase request) {
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
        if (handlers[i].request == request)
            return handlers[i].handle;
    return NULL;
}

void tr_request_refuse(const tr_request *request, tr_status status, const char *format, ...) {
    tr_error error = {.status = status};
    va_list args;
    va_start(args, format);
    vsnprintf(error.message, sizeof error.message, format, args);
    va_end(args);
    tr_session_refuse(request->session, request->id, &error);
}

tr_hosted *tr_request_world(const tr_request *request, uint32_t id) {
    tr_hosted *hosted = tr_worlds_find(request->server->worlds, id);
    if (hosted == NULL)
        tr_request_refuse(request, TR_NOT_FOUND, "world %u: not found", id);
    return hosted;
}

void tr_request_respond(const tr_request *request, Troupe__Response *response) {
    response->request_id = request->id;
    tr_session_respond(request->session, response);
}

/* A request of a session that is welcome: may this client send it, and now? */
static tr_status check(const tr_request *request, size_t size, tr_error *error) {
    tr_session *session = request->session;
    tr_member *member = tr_session_member(session);
    Troupe__ClientMessage__RequestCase kind = request->message->request_case;
    tr_status status = tr_session_begin_request(session, request->id, error);
    if (status == TR_OK)
        status = tr_member_spend(member, size, uv_now(request->server->loop), error);
    if (status == TR_OK && member->role < tr_request_role(kind))
        status = tr_fail(error, TR_PERMISSION_DENIED, "not for the role %s: expected %s or more",
                         tr_role_name(member->role), tr_role_name(tr_request_role(kind)));
    return status;
}

static void handle(tr_request *request, size_t size) {
    tr_session *session = request->session;
    Troupe__ClientMessage__RequestCase kind = request->message->request_case;
    tr_error error = {0};
    tr_session_count_request(session, (unsigned)kind);
    if (!tr_session_is_welcome(session) && kind != TROUPE__CLIENT_MESSAGE__REQUEST_HELLO) {
        tr_request_refuse(request, TR_FAILED_PRECONDITION, "Hello comes first");
        tr_session_leave(session, TR_FAILED_PRECONDITION, "Hello comes first");
        return;
    }
    bool welcome = tr_session_is_welcome(session);
    if (welcome &&
        tr_member_check(tr_session_member(session), (int64_t)time(NULL), &error) != TR_OK) {
        tr_session_refuse(session, request->id, &error);
        tr_session_leave(session, error.status, error.message);
        return;
    }
    tr_status status = welcome ? check(request, size, &error)
                               : tr_session_begin_request(session, request->id, &error);
    if (status != TR_OK) {
        tr_session_refuse(session, request->id, &error);
        return;
    }
    handler found = find_handler(kind);
    if (found != NULL)
        found(request);
    else
        tr_request_refuse(request, TR_UNIMPLEMENTED, "no request that this daemon knows");
}

void tr_dispatch(void *context, tr_session *session, const uint8_t *data, size_t size) {
    ProtobufCMessage *message = NULL;
    tr_server *server = context;
    tr_tally *tally = &server->tally;
    tally->frames_in++;
    tally->bytes_in += size;
    tr_status status = tr_message_decode(&troupe__client_message__descriptor, data, size, &message);
    if (status != TR_OK) {
        tr_session_leave(session, status, "a frame holds no message of this protocol");
        return;
    }
    Troupe__ClientMessage *wire = (Troupe__ClientMessage *)message;
    tr_request request = {server, session, wire->request_id, wire};
    handle(&request, size);
    if (request.message != NULL)
        tr_message_destroy(&request.message->base);
}
