#include "server/recording/encode_recording.h"

static const uint32_t states[] = {
    [TR_RECORDING_ENDED] = TROUPE__RECORDING_STATE__RECORDING_STATE_ENDED,
    [TR_RECORDING_RUNNING] = TROUPE__RECORDING_STATE__RECORDING_STATE_RUNNING,
    [TR_RECORDING_CUT] = TROUPE__RECORDING_STATE__RECORDING_STATE_CUT,
};

const tr_mapping tr_recording_mapping =
    TR_MAPPING(tr_recording_entry, Recording, recording, TR_COPY(name, world, step_s, length),
               TR_COPY_CHOICE(state, states), TR_COPY_AS(daemon, daemon_version),
               TR_COPY_AS(created_unix, created_unix_s), TR_COPY_AS(size, size_bytes),
               TR_COPY_STATUS(ended, code), TR_COPY_AS(ended_text, message));

static const tr_mapping divergence_mapping =
    TR_MAPPING(tr_divergence, Divergence, divergence,
               TR_COPY(position, tick, same_at, body_at, entity, label, body, body_name, what));

static const tr_mapping event_mapping =
    TR_MAPPING(tr_recording_event, ReplayEvent, replay_event, TR_COPY(position),
               TR_COPY_ONE(event, tr_event_mapping));

const tr_mapping tr_replay_view_mapping = TR_MAPPING(
    tr_replay_view, ReplayInfo, replay_info, TR_COPY_ONE_AS(entry, recording, tr_recording_mapping),
    TR_COPY_IN(info, position, loop, working, verified),
    TR_COPY(length, first_tick, whole, events_left_out),
    TR_COPY_POINTER(divergence, divergence_mapping),
    TR_COPY_LIST(event_count, events, event_mapping));

void tr_replay_view_recording(tr_replay_view *view, const tr_recording *recording) {
    const tr_recording_info *from = tr_recording_describe(recording);
    int count = from->event_count < TR_REPLAY_EVENTS_MAX ? from->event_count : TR_REPLAY_EVENTS_MAX;
    view->length = from->length;
    view->first_tick = from->first_tick;
    view->whole = from->whole;
    view->event_count = count;
    view->events = from->event;
    view->events_left_out = from->event_count - count + from->event_dropped;
}
