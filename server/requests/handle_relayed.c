/* The requests to a relay: sessions and subscriptions are its own, other questions are passed on. */
#include "server/requests/dispatch.h"
#include "server/requests/request_row.h"

static void refuse(const tr_request *request, tr_status status, const char *what) {
    tr_request_refuse(request, status, "this daemon is a relay, %s: ask %s", what,
                      tr_relay_upstream(request->server->relay));
}

void tr_handle_relayed(tr_request *request) {
    tr_relay *relay = request->server->relay;
    switch (request->message->request_case) {
    case TROUPE__CLIENT_MESSAGE__REQUEST_HELLO:
    case TROUPE__CLIENT_MESSAGE__REQUEST_AUTHENTICATE:
    case TROUPE__CLIENT_MESSAGE__REQUEST_PING:
    case TROUPE__CLIENT_MESSAGE__REQUEST_UNSUBSCRIBE:
        request->row->handle(request);
        return;
    case TROUPE__CLIENT_MESSAGE__REQUEST_SUBSCRIBE:
        tr_relay_subscribe(relay, request->session, request->id, request->message->subscribe);
        return;
    case TROUPE__CLIENT_MESSAGE__REQUEST_WATCH_MATCH:
    case TROUPE__CLIENT_MESSAGE__REQUEST_UNWATCH_MATCH:
        refuse(request, TR_UNIMPLEMENTED, "which does not pass on the progress of matches");
        return;
    default:
        if (request->row->role > TR_ROLE_SPECTATOR)
            refuse(request, TR_PERMISSION_DENIED, "which is read-only");
        else
            tr_relay_ask(relay, request->session, request->message);
    }
}
