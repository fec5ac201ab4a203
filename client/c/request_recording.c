/* Requests about recordings and replays, and the commands that go with them. */
#include "client/c/command.h"

/* --- commands --- */

uint64_t tr_client_start_recording(tr_client *client, tr_client_at at,
                                   const tr_client_record_def *def) {
    Troupe__StartRecording start = TROUPE__START_RECORDING__INIT;
    start.name = tr_request_text(def->name);
    start.check_every = def->check_every;
    start.key_every = def->key_every;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_START_RECORDING);
    command.start_recording = &start;
    return tr_command_send(client, &command);
}

uint64_t tr_client_stop_recording(tr_client *client, tr_client_at at) {
    Troupe__StopRecording stop = TROUPE__STOP_RECORDING__INIT;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_STOP_RECORDING);
    command.stop_recording = &stop;
    return tr_command_send(client, &command);
}

uint64_t tr_client_seek(tr_client *client, uint32_t world, int64_t position) {
    Troupe__Seek seek = TROUPE__SEEK__INIT;
    tr_client_at at = {.world = world};
    seek.position = position;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_SEEK);
    command.seek = &seek;
    return tr_command_send(client, &command);
}

uint64_t tr_client_set_loop(tr_client *client, uint32_t world, bool loop) {
    Troupe__SetLoop set = TROUPE__SET_LOOP__INIT;
    tr_client_at at = {.world = world};
    set.loop = loop;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_SET_LOOP);
    command.set_loop = &set;
    return tr_command_send(client, &command);
}

uint64_t tr_client_verify(tr_client *client, uint32_t world) {
    Troupe__Verify verify = TROUPE__VERIFY__INIT;
    tr_client_at at = {.world = world};
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_VERIFY);
    command.verify = &verify;
    return tr_command_send(client, &command);
}

/* --- files --- */

uint64_t tr_client_list_recordings(tr_client *client, const tr_client_query *query) {
    static const tr_client_query everything = {0};
    query = query ? query : &everything;
    Troupe__Page page = TROUPE__PAGE__INIT;
    page.size = query->page_size;
    page.token = tr_request_text(query->page_token);
    Troupe__ListRecordings list = TROUPE__LIST_RECORDINGS__INIT;
    list.page = &page;
    list.prefix = tr_request_text(query->prefix);
    Troupe__ClientMessage message =
        tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_LIST_RECORDINGS);
    message.list_recordings = &list;
    return tr_request_send(client, &message);
}

uint64_t tr_client_get_recording(tr_client *client, const char *name) {
    Troupe__GetRecording get = TROUPE__GET_RECORDING__INIT;
    get.name = tr_request_text(name);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_RECORDING);
    message.get_recording = &get;
    return tr_request_send(client, &message);
}

uint64_t tr_client_delete_recording(tr_client *client, const char *name) {
    Troupe__DeleteRecording gone = TROUPE__DELETE_RECORDING__INIT;
    gone.name = tr_request_text(name);
    Troupe__ClientMessage message =
        tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_DELETE_RECORDING);
    message.delete_recording = &gone;
    return tr_request_send(client, &message);
}

uint64_t tr_client_download_recording(tr_client *client, const char *name, uint64_t offset) {
    Troupe__DownloadRecording download = TROUPE__DOWNLOAD_RECORDING__INIT;
    download.name = tr_request_text(name);
    download.offset = offset;
    Troupe__ClientMessage message =
        tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_DOWNLOAD_RECORDING);
    message.download_recording = &download;
    return tr_request_send(client, &message);
}

uint64_t tr_client_upload_recording(tr_client *client, const tr_client_upload_def *def) {
    Troupe__UploadRecording upload = TROUPE__UPLOAD_RECORDING__INIT;
    upload.name = tr_request_text(def->name);
    upload.offset = def->offset;
    upload.data.data = (uint8_t *)def->data;
    upload.data.len = def->size;
    upload.last = def->last;
    Troupe__ClientMessage message =
        tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_UPLOAD_RECORDING);
    message.upload_recording = &upload;
    return tr_request_send(client, &message);
}

/* --- replays --- */

uint64_t tr_client_replay(tr_client *client, const tr_client_replay_def *def) {
    Troupe__Replay replay = TROUPE__REPLAY__INIT;
    replay.recording = tr_request_text(def->recording);
    replay.world = tr_request_text(def->world);
    replay.rate = def->rate;
    replay.paused = def->paused;
    replay.loop = def->loop;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_REPLAY);
    message.replay = &replay;
    return tr_request_send(client, &message);
}

uint64_t tr_client_get_replay(tr_client *client, uint32_t world) {
    Troupe__GetReplay get = TROUPE__GET_REPLAY__INIT;
    get.world = world;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_REPLAY);
    message.get_replay = &get;
    return tr_request_send(client, &message);
}
