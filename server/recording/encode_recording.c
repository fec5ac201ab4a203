#include "server/recording/encode_recording.h"

static const uint32_t states[] = {
    [TR_RECORDING_ENDED] = TROUPE__RECORDING_STATE__RECORDING_STATE_ENDED,
    [TR_RECORDING_RUNNING] = TROUPE__RECORDING_STATE__RECORDING_STATE_RUNNING,
    [TR_RECORDING_CUT] = TROUPE__RECORDING_STATE__RECORDING_STATE_CUT,
};

const tr_mapping tr_recording_mapping =
    TR_MAPPING(tr_recording_entry, troupe__recording,
               TR_COPY(tr_recording_entry, Troupe__Recording, name, world, step_s, length),
               TR_COPY_CHOICE(tr_recording_entry, state, Troupe__Recording, state, states),
               TR_COPY_AS(tr_recording_entry, daemon, Troupe__Recording, daemon_version),
               TR_COPY_AS(tr_recording_entry, created_unix, Troupe__Recording, created_unix_s),
               TR_COPY_AS(tr_recording_entry, size, Troupe__Recording, size_bytes),
               TR_COPY_STATUS(tr_recording_entry, ended, Troupe__Recording, code),
               TR_COPY_AS(tr_recording_entry, ended_text, Troupe__Recording, message));

static const tr_mapping divergence_mapping =
    TR_MAPPING(tr_divergence, troupe__divergence,
               TR_COPY(tr_divergence, Troupe__Divergence, position, tick, same_at, body_at, entity,
                       label, body, body_name, what));

static const tr_mapping event_mapping = TR_MAPPING(
    tr_recording_event, troupe__replay_event,
    TR_COPY(tr_recording_event, Troupe__ReplayEvent, position),
    TR_COPY_ONE(tr_recording_event, event, Troupe__ReplayEvent, event, tr_event_mapping));

const tr_mapping tr_replay_view_mapping = TR_MAPPING(
    tr_replay_view, troupe__replay_info,
    TR_COPY_ONE(tr_replay_view, entry, Troupe__ReplayInfo, recording, tr_recording_mapping),
    TR_COPY_AS(tr_replay_view, info.position, Troupe__ReplayInfo, position),
    TR_COPY_AS(tr_replay_view, info.loop, Troupe__ReplayInfo, loop),
    TR_COPY_AS(tr_replay_view, info.working, Troupe__ReplayInfo, working),
    TR_COPY_AS(tr_replay_view, info.verified, Troupe__ReplayInfo, verified),
    TR_COPY(tr_replay_view, Troupe__ReplayInfo, length, first_tick, whole, events_left_out),
    TR_COPY_POINTER(tr_replay_view, divergence, Troupe__ReplayInfo, divergence, divergence_mapping),
    TR_COPY_LIST(tr_replay_view, event_count, events, Troupe__ReplayInfo, events, event_mapping));

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
