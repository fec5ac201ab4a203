/* Requests about recordings and replays, and the commands that go with them. */
#include "client/c/command.h"

static char *text(const char *given) {
    return tr_request_text(given);
}

/* --- commands --- */

uint64_t tr_client_start_recording(tr_client *client, tr_client_at at,
                                   const tr_client_record_def *def) {
    return TR_COMMAND_WITH(client, at, START_RECORDING, start_recording, Troupe__StartRecording,
                           .name = text(def->name), .check_every = def->check_every,
                           .key_every = def->key_every);
}

uint64_t tr_client_stop_recording(tr_client *client, tr_client_at at) {
    return TR_COMMAND(client, at, STOP_RECORDING, stop_recording,
                      &(Troupe__StopRecording){TR_MESSAGE(stop_recording)});
}

uint64_t tr_client_seek(tr_client *client, uint32_t world, int64_t position) {
    return TR_COMMAND_WITH(client, ((tr_client_at){.world = world}), SEEK, seek, Troupe__Seek,
                           .position = position);
}

uint64_t tr_client_set_loop(tr_client *client, uint32_t world, bool loop) {
    return TR_COMMAND_WITH(client, ((tr_client_at){.world = world}), SET_LOOP, set_loop,
                           Troupe__SetLoop, .loop = loop);
}

uint64_t tr_client_verify(tr_client *client, uint32_t world) {
    return TR_COMMAND(client, ((tr_client_at){.world = world}), VERIFY, verify,
                      &(Troupe__Verify){TR_MESSAGE(verify)});
}

/* --- files --- */

uint64_t tr_client_list_recordings(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST_WITH(client, LIST_RECORDINGS, list_recordings, Troupe__ListRecordings,
                           .page = TR_PAGE(q), .prefix = text(q->prefix));
}

uint64_t tr_client_get_recording(tr_client *client, const char *name) {
    return TR_REQUEST_WITH(client, GET_RECORDING, get_recording, Troupe__GetRecording,
                           .name = text(name));
}

uint64_t tr_client_delete_recording(tr_client *client, const char *name) {
    return TR_REQUEST_WITH(client, DELETE_RECORDING, delete_recording, Troupe__DeleteRecording,
                           .name = text(name));
}

uint64_t tr_client_download_recording(tr_client *client, const char *name, uint64_t offset) {
    return TR_REQUEST_WITH(client, DOWNLOAD_RECORDING, download_recording,
                           Troupe__DownloadRecording, .name = text(name), .offset = offset);
}

uint64_t tr_client_upload_recording(tr_client *client, const tr_client_upload_def *def) {
    return TR_REQUEST_WITH(client, UPLOAD_RECORDING, upload_recording, Troupe__UploadRecording,
                           .name = text(def->name), .offset = def->offset,
                           .data = tr_request_bytes(def->data, def->size), .last = def->last);
}

/* --- replays --- */

uint64_t tr_client_replay(tr_client *client, const tr_client_replay_def *def) {
    return TR_REQUEST_WITH(client, REPLAY, replay, Troupe__Replay,
                           .recording = text(def->recording), .world = text(def->world),
                           .rate = def->rate, .paused = def->paused, .loop = def->loop);
}

uint64_t tr_client_get_replay(tr_client *client, uint32_t world) {
    return TR_REQUEST_WITH(client, GET_REPLAY, get_replay, Troupe__GetReplay, .world = world);
}
