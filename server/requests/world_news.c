#include "server/requests/world_news.h"

#include "server/requests/server.h"

void tr_world_replied(void *context, const tr_reply *reply) {
    tr_server *server = context;
    if (reply->kind->answered)
        reply->kind->answered(server, reply);
    tr_session *session = tr_sessions_find(server->sessions, reply->session);
    if (session)
        tr_session_answer(session, reply);
}

void tr_world_closed(void *context, uint32_t world) {
    tr_server *server = context;
    tr_recordings_leave(server->recordings, world);
    tr_replays_remove(&server->replays, world);
}
