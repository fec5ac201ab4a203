/* Recordings and replays: from messages to plain structs. */
#include "client/c/reply.h"

const tr_mapping tr_client_recording_mapping = TR_MAPPING(
    tr_client_recording, Recording, recording,
    TR_COPY(name, state, world, daemon_version, created_unix_s), TR_COPY_AS(size, size_bytes),
    TR_COPY(step_s, length), TR_COPY_STATUS(ended, code), TR_COPY(message));

static const tr_mapping part_mapping =
    TR_MAPPING(tr_client_recording_part, RecordingPart, recording_part, TR_COPY_BYTES(size, data),
               TR_COPY_AS(file_size, size_bytes));

const tr_mapping tr_client_divergence_mapping =
    TR_MAPPING(tr_client_divergence, Divergence, divergence,
               TR_COPY(position, tick, same_at, body_at, entity, label, body, body_name, what));

static const tr_mapping event_mapping =
    TR_MAPPING(tr_client_replay_event, ReplayEvent, replay_event, TR_COPY(position));

const tr_mapping tr_client_replay_info_mapping =
    TR_MAPPING(tr_client_replay_info, ReplayInfo, replay_info,
               TR_COPY_ONE(recording, tr_client_recording_mapping),
               TR_COPY(position, length, first_tick, loop, working, verified, whole),
               TR_COPY_ONE(divergence, tr_client_divergence_mapping),
               TR_COPY_PRESENT(divergence.found, divergence),
               TR_COPY_LIST(event_count, events, event_mapping), TR_COPY(events_left_out));

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
    TR_RESULT_PAGE(RECORDING_LIST, RECORDINGS, RecordingList, recording_list, recordings,
                   tr_client_recording_mapping),
    TR_RESULT(RECORDING, RECORDING, recording, tr_client_recording_mapping),
    TR_RESULT(RECORDING_PART, RECORDING_PART, part, part_mapping),
    TR_RESULT_THEN(REPLAY_INFO, REPLAY, replay, tr_client_replay_info_mapping, finish_replay),
    TR_RESULTS_END};
