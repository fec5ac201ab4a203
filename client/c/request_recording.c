/* Requests about recordings and replays, and the commands that go with them. */
#include "client/c/command.h"

static char *text(const char *given) {
    return tr_request_text(given);
}

/* --- commands --- */

uint64_t tr_client_start_recording(tr_client *client, tr_client_at at,
                                   const tr_client_record_def *def) {
    return TR_COMMAND(
        client, at, START_RECORDING, start_recording,
        &(Troupe__StartRecording){TR_MESSAGE(start_recording), .name = text(def->name),
                                  .check_every = def->check_every, .key_every = def->key_every});
}

uint64_t tr_client_stop_recording(tr_client *client, tr_client_at at) {
    return TR_COMMAND(client, at, STOP_RECORDING, stop_recording,
                      &(Troupe__StopRecording){TR_MESSAGE(stop_recording)});
}

uint64_t tr_client_seek(tr_client *client, uint32_t world, int64_t position) {
    return TR_COMMAND(client, ((tr_client_at){.world = world}), SEEK, seek,
                      &(Troupe__Seek){TR_MESSAGE(seek), .position = position});
}

uint64_t tr_client_set_loop(tr_client *client, uint32_t world, bool loop) {
    return TR_COMMAND(client, ((tr_client_at){.world = world}), SET_LOOP, set_loop,
                      &(Troupe__SetLoop){TR_MESSAGE(set_loop), .loop = loop});
}

uint64_t tr_client_verify(tr_client *client, uint32_t world) {
    return TR_COMMAND(client, ((tr_client_at){.world = world}), VERIFY, verify,
                      &(Troupe__Verify){TR_MESSAGE(verify)});
}

/* --- files --- */

uint64_t tr_client_list_recordings(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST(client, LIST_RECORDINGS, list_recordings,
                      &(Troupe__ListRecordings){TR_MESSAGE(list_recordings), .page = TR_PAGE(q),
                                                .prefix = text(q->prefix)});
}

uint64_t tr_client_get_recording(tr_client *client, const char *name) {
    return TR_REQUEST(client, GET_RECORDING, get_recording,
                      &(Troupe__GetRecording){TR_MESSAGE(get_recording), .name = text(name)});
}

uint64_t tr_client_delete_recording(tr_client *client, const char *name) {
    return TR_REQUEST(client, DELETE_RECORDING, delete_recording,
                      &(Troupe__DeleteRecording){TR_MESSAGE(delete_recording), .name = text(name)});
}

uint64_t tr_client_download_recording(tr_client *client, const char *name, uint64_t offset) {
    return TR_REQUEST(client, DOWNLOAD_RECORDING, download_recording,
                      &(Troupe__DownloadRecording){TR_MESSAGE(download_recording),
                                                   .name = text(name), .offset = offset});
}

uint64_t tr_client_upload_recording(tr_client *client, const tr_client_upload_def *def) {
    return TR_REQUEST(client, UPLOAD_RECORDING, upload_recording,
                      &(Troupe__UploadRecording){TR_MESSAGE(upload_recording),
                                                 .name = text(def->name), .offset = def->offset,
                                                 .data = tr_request_bytes(def->data, def->size),
                                                 .last = def->last});
}

/* --- replays --- */

uint64_t tr_client_replay(tr_client *client, const tr_client_replay_def *def) {
    return TR_REQUEST(client, REPLAY, replay,
                      &(Troupe__Replay){TR_MESSAGE(replay), .recording = text(def->recording),
                                        .world = text(def->world), .rate = def->rate,
                                        .paused = def->paused, .loop = def->loop});
}

uint64_t tr_client_get_replay(tr_client *client, uint32_t world) {
    return TR_REQUEST(client, GET_REPLAY, get_replay,
                      &(Troupe__GetReplay){TR_MESSAGE(get_replay), .world = world});
}
