/* Recordings and replays on the wire: structs of what clients are shown, and how they become
 * messages. */
#pragma once

#include "server/recording/recordings.h"
#include "server/recording/replay.h"
#include "server/world/encode.h"

/* A Recording of a tr_recording_entry. */
extern const tr_mapping tr_recording_mapping;

/* A ReplayInfo. */
typedef struct tr_replay_view {
    tr_recording_entry entry;
    tr_replay_info info;
    const tr_divergence *divergence; /* NULL: none was found */
    int64_t length, first_tick;
    bool whole;
    int event_count; /* the first TR_REPLAY_EVENTS_MAX */
    const tr_recording_event *events;
    int64_t events_left_out;
} tr_replay_view;
extern const tr_mapping tr_replay_view_mapping;

/* Fills in what the recording itself says; it outlives the view. */
void tr_replay_view_recording(tr_replay_view *view, const tr_recording *recording);
