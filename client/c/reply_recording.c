/* Recordings and replays: from messages to plain structs. */
#include "client/c/reply.h"

static const tr_record_field recording_fields[] = {
    TR_COPY(tr_client_recording, Troupe__Recording, name),
    TR_COPY(tr_client_recording, Troupe__Recording, state),
    TR_COPY(tr_client_recording, Troupe__Recording, world),
    TR_COPY(tr_client_recording, Troupe__Recording, daemon_version),
    TR_COPY(tr_client_recording, Troupe__Recording, created_unix_s),
    TR_COPY_AS(tr_client_recording, size, Troupe__Recording, size_bytes),
    TR_COPY(tr_client_recording, Troupe__Recording, step_s),
    TR_COPY(tr_client_recording, Troupe__Recording, length),
    TR_COPY_STATUS(tr_client_recording, ended, Troupe__Recording, code),
    TR_COPY(tr_client_recording, Troupe__Recording, message),
    TR_RECORD_END};
static const tr_record recording_record =
    TR_RECORD(tr_client_recording, troupe__recording, recording_fields);

static const tr_record_field recordings_fields[] = {
    TR_COPY_LIST(tr_client_reply, count, recordings, Troupe__RecordingList, recordings,
                 recording_record),
    TR_COPY(tr_client_reply, Troupe__RecordingList, next_page_token), TR_RECORD_END};
static const tr_record recordings_record =
    TR_RECORD(tr_client_reply, troupe__recording_list, recordings_fields);

static const tr_record_field part_fields[] = {
    TR_COPY_BYTES(tr_client_recording_part, size, data, Troupe__RecordingPart, data),
    TR_COPY_AS(tr_client_recording_part, file_size, Troupe__RecordingPart, size_bytes),
    TR_RECORD_END};
static const tr_record part_record =
    TR_RECORD(tr_client_recording_part, troupe__recording_part, part_fields);

static const tr_record_field divergence_fields[] = {
    TR_COPY(tr_client_divergence, Troupe__Divergence, position),
    TR_COPY(tr_client_divergence, Troupe__Divergence, tick),
    TR_COPY(tr_client_divergence, Troupe__Divergence, same_at),
    TR_COPY(tr_client_divergence, Troupe__Divergence, body_at),
    TR_COPY(tr_client_divergence, Troupe__Divergence, entity),
    TR_COPY(tr_client_divergence, Troupe__Divergence, label),
    TR_COPY(tr_client_divergence, Troupe__Divergence, body),
    TR_COPY(tr_client_divergence, Troupe__Divergence, body_name),
    TR_COPY(tr_client_divergence, Troupe__Divergence, what),
    TR_RECORD_END};
static const tr_record divergence_record =
    TR_RECORD(tr_client_divergence, troupe__divergence, divergence_fields);

static const tr_record_field event_fields[] = {
    TR_COPY(tr_client_replay_event, Troupe__ReplayEvent, position), TR_RECORD_END};
static const tr_record event_record =
    TR_RECORD(tr_client_replay_event, troupe__replay_event, event_fields);

static const tr_record_field replay_fields[] = {
    TR_COPY_ONE(tr_client_replay_info, recording, Troupe__ReplayInfo, recording, recording_record),
    TR_COPY(tr_client_replay_info, Troupe__ReplayInfo, position),
    TR_COPY(tr_client_replay_info, Troupe__ReplayInfo, length),
    TR_COPY(tr_client_replay_info, Troupe__ReplayInfo, first_tick),
    TR_COPY(tr_client_replay_info, Troupe__ReplayInfo, loop),
    TR_COPY(tr_client_replay_info, Troupe__ReplayInfo, working),
    TR_COPY(tr_client_replay_info, Troupe__ReplayInfo, verified),
    TR_COPY(tr_client_replay_info, Troupe__ReplayInfo, whole),
    TR_COPY_ONE(tr_client_replay_info, divergence, Troupe__ReplayInfo, divergence,
                divergence_record),
    TR_COPY_PRESENT(tr_client_replay_info, divergence.found, Troupe__ReplayInfo, divergence),
    TR_COPY_LIST(tr_client_replay_info, event_count, events, Troupe__ReplayInfo, events,
                 event_record),
    TR_COPY(tr_client_replay_info, Troupe__ReplayInfo, events_left_out),
    TR_RECORD_END};
static const tr_record replay_record =
    TR_RECORD(tr_client_replay_info, troupe__replay_info, replay_fields);

static void finish_replay(tr_reply_box *box, const void *message) {
    static const Troupe__Event nothing = TROUPE__EVENT__INIT;
    const Troupe__ReplayInfo *from = message;
    tr_client_replay_info *info = &box->reply.replay;
    tr_client_replay_event *events = (tr_client_replay_event *)info->events;
    for (int i = 0; i < info->event_count; i++)
        events[i].event =
            tr_reply_event(0, from->events[i]->event ? from->events[i]->event : &nothing);
    if (!info->divergence.found)
        info->divergence.body = -1;
}

const tr_result_row tr_recording_results[] = {
    TR_RESULT_LIST(RECORDING_LIST, RECORDINGS, recordings_record),
    TR_RESULT(RECORDING, RECORDING, recording, recording_record),
    TR_RESULT(RECORDING_PART, RECORDING_PART, part, part_record),
    TR_RESULT_THEN(REPLAY_INFO, REPLAY, replay, replay_record, finish_replay), TR_RESULTS_END};
