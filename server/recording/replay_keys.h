/* States that a replay keeps while it runs, so that seeking need not begin at the start.
 *
 * They are `spacing` steps apart. When they exceed TR_REPLAY_KEYS_BYTES_MAX, the spacing doubles
 * and every other state is dropped. Plain data of one replay. */
#pragma once

#include "server/recording/recording.h"

/* A place in a recording: the next record, and the rest of the current steps record. */
typedef struct tr_replay_place {
    int64_t position;
    int64_t same_at; /* last position at which the whole state was known to be equal */
    tr_recording_cursor cursor;
    const uint8_t *traces; /* [left][width] */
    uint32_t width, left;
} tr_replay_place;

typedef struct tr_replay_key {
    tr_replay_place place;
    tr_packet *snapshot;
} tr_replay_key;

typedef struct tr_replay_keys {
    int count, capacity;
    tr_replay_key *key; /* by position */
    size_t bytes;
    int64_t spacing;
} tr_replay_keys;

tr_replay_keys tr_replay_keys_start(void);
void tr_replay_keys_deinit(tr_replay_keys *keys);

bool tr_replay_keys_wants(const tr_replay_keys *keys, int64_t position);

/* Adds a state and shares `snapshot`. Without memory the state is not kept. */
void tr_replay_keys_add(tr_replay_keys *keys, const tr_replay_place *place, tr_packet *snapshot);

/* The last state at or before `position`; NULL: none. */
const tr_replay_key *tr_replay_keys_before(const tr_replay_keys *keys, int64_t position);
