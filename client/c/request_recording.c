/* Requests about recordings and replays, and the commands that go with them. */
#include "client/c/command.h"

/* --- commands --- */

TR_COMMAND_OF_DEF(StartRecording, start_recording, record_def,
                  TR_COPY(name, check_every, key_every))

TR_COMMAND_ALONE(StopRecording, stop_recording)

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

TR_REQUEST_OF_QUERY(ListRecordings, list_recordings, TR_COPY(prefix))
TR_REQUEST_BY_NAME(GetRecording, get_recording)
TR_REQUEST_BY_NAME(DeleteRecording, delete_recording)

uint64_t tr_client_download_recording(tr_client *client, const char *name, uint64_t offset) {
    return TR_REQUEST(client, DownloadRecording, download_recording, .name = tr_request_text(name),
                      .offset = offset);
}

TR_REQUEST_OF_DEF(UploadRecording, upload_recording, upload_def, TR_COPY(name, offset, last),
                  TR_COPY_BYTES(size, data))

/* --- replays --- */

uint64_t tr_client_replay(tr_client *client, const tr_client_replay_def *def) {
    return TR_REQUEST(client, Replay, replay, .recording = tr_request_text(def->recording),
                      .world = tr_request_text(def->world),
                      .has_rate_case = TROUPE__REPLAY__HAS_RATE_RATE, .rate = def->rate,
                      .paused = def->paused, .loop = def->loop);
}

TR_REQUEST_OF_WORLD(GetReplay, get_replay)
