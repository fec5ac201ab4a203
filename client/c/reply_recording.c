/* Recordings and replays: from messages to plain structs. */
#include "client/c/reply.h"

const tr_mapping tr_client_recording_mapping =
    TR_MAPPING(tr_client_recording, troupe__recording,
               TR_COPY(tr_client_recording, Troupe__Recording, name, state, world, daemon_version,
                       created_unix_s),
               TR_COPY_AS(tr_client_recording, size, Troupe__Recording, size_bytes),
               TR_COPY(tr_client_recording, Troupe__Recording, step_s, length),
               TR_COPY_STATUS(tr_client_recording, ended, Troupe__Recording, code),
               TR_COPY(tr_client_recording, Troupe__Recording, message));

static const tr_mapping recordings_mapping =
    TR_MAPPING(tr_client_reply, troupe__recording_list,
               TR_COPY_LIST(tr_client_reply, count, recordings, Troupe__RecordingList, recordings,
                            tr_client_recording_mapping),
               TR_COPY(tr_client_reply, Troupe__RecordingList, next_page_token));

static const tr_mapping part_mapping =
    TR_MAPPING(tr_client_recording_part, troupe__recording_part,
               TR_COPY_BYTES(tr_client_recording_part, size, data, Troupe__RecordingPart, data),
               TR_COPY_AS(tr_client_recording_part, file_size, Troupe__RecordingPart, size_bytes));

const tr_mapping tr_client_divergence_mapping =
    TR_MAPPING(tr_client_divergence, troupe__divergence,
               TR_COPY(tr_client_divergence, Troupe__Divergence, position, tick, same_at, body_at,
                       entity, label, body, body_name, what));

static const tr_mapping event_mapping =
    TR_MAPPING(tr_client_replay_event, troupe__replay_event,
               TR_COPY(tr_client_replay_event, Troupe__ReplayEvent, position));

const tr_mapping tr_client_replay_info_mapping = TR_MAPPING(
    tr_client_replay_info, troupe__replay_info,
    TR_COPY_ONE(tr_client_replay_info, recording, Troupe__ReplayInfo, recording,
                tr_client_recording_mapping),
    TR_COPY(tr_client_replay_info, Troupe__ReplayInfo, position, length, first_tick, loop, working,
            verified, whole),
    TR_COPY_ONE(tr_client_replay_info, divergence, Troupe__ReplayInfo, divergence,
                tr_client_divergence_mapping),
    TR_COPY_PRESENT(tr_client_replay_info, divergence.found, Troupe__ReplayInfo, divergence),
    TR_COPY_LIST(tr_client_replay_info, event_count, events, Troupe__ReplayInfo, events,
                 event_mapping),
    TR_COPY(tr_client_replay_info, Troupe__ReplayInfo, events_left_out));

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
    TR_RESULT_LIST(RECORDING_LIST, RECORDINGS, recordings_mapping),
    TR_RESULT(RECORDING, RECORDING, recording, tr_client_recording_mapping),
    TR_RESULT(RECORDING_PART, RECORDING_PART, part, part_mapping),
    TR_RESULT_THEN(REPLAY_INFO, REPLAY, replay, tr_client_replay_info_mapping, finish_replay),
    TR_RESULTS_END};
