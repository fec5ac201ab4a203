#include "server/requests/world_news.h"

#include "server/requests/server.h"

void tr_world_replied(void *context, const tr_reply *reply) {
    tr_server *server = context;
    if (reply->kind == TR_COMMAND_SPAWN_CHARACTER)
        tr_gate_spawned(server->gate, reply->account);
    if (reply->kind == TR_COMMAND_START_RECORDING && reply->error.status)
        tr_recordings_abandon(server->recordings, reply->hash);
    tr_session *session = tr_sessions_find(server->sessions, reply->session);
    if (session)
        tr_session_answer(session, reply);
}

void tr_world_recorded(void *context, tr_recorded *recorded) {
    tr_server *server = context;
    if (recorded->bytes)
        tr_recordings_append(server->recordings, recorded->id, recorded->bytes);
    recorded->bytes = NULL;
    if (recorded->ended)
        tr_recordings_end(server->recordings, recorded->id, recorded->length, recorded->status,
                          recorded->why);
}

void tr_world_closed(void *context, uint32_t world) {
    tr_server *server = context;
    tr_recordings_leave(server->recordings, world);
    tr_replays_remove(&server->replays, world);
}
