/* Requests about recordings and replays, and the commands that go with them. */
#include "client/c/command.h"

static char *text(const char *given) {
    return tr_request_text(given);
}

/* --- commands --- */

uint64_t tr_client_start_recording(tr_client *client, tr_client_at at,
                                   const tr_client_record_def *def) {
    return TR_COMMAND(client, at, StartRecording, start_recording, .name = text(def->name),
                      .check_every = def->check_every, .key_every = def->key_every);
}

uint64_t tr_client_stop_recording(tr_client *client, tr_client_at at) {
    return TR_COMMAND_EMPTY(client, at, StopRecording, stop_recording);
}

uint64_t tr_client_seek(tr_client *client, uint32_t world, int64_t position) {
    return TR_COMMAND(client, TR_NOW(world), Seek, seek, .position = position);
}

uint64_t tr_client_set_loop(tr_client *client, uint32_t world, bool loop) {
    return TR_COMMAND(client, TR_NOW(world), SetLoop, set_loop, .loop = loop);
}

uint64_t tr_client_verify(tr_client *client, uint32_t world) {
    return TR_COMMAND_EMPTY(client, TR_NOW(world), Verify, verify);
}

/* --- files --- */

uint64_t tr_client_list_recordings(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST(client, ListRecordings, list_recordings, .page = TR_PAGE(q),
                      .prefix = text(q->prefix));
}

TR_REQUEST_BY_NAME(GetRecording, get_recording)
TR_REQUEST_BY_NAME(DeleteRecording, delete_recording)

uint64_t tr_client_download_recording(tr_client *client, const char *name, uint64_t offset) {
    return TR_REQUEST(client, DownloadRecording, download_recording, .name = text(name),
                      .offset = offset);
}

uint64_t tr_client_upload_recording(tr_client *client, const tr_client_upload_def *def) {
    return TR_REQUEST(client, UploadRecording, upload_recording, .name = text(def->name),
                      .offset = def->offset, .data = tr_request_bytes(def->data, def->size),
                      .last = def->last);
}

/* --- replays --- */

uint64_t tr_client_replay(tr_client *client, const tr_client_replay_def *def) {
    return TR_REQUEST(client, Replay, replay, .recording = text(def->recording),
                      .world = text(def->world), .rate = def->rate, .paused = def->paused,
                      .loop = def->loop);
}

TR_REQUEST_OF_WORLD(GetReplay, get_replay)
