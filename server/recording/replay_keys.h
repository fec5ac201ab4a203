/* States that a replay keeps in passing, so that seeking need not begin at the start.
 *
 * They lie `spacing` steps apart. When they take more than TR_REPLAY_KEYS_BYTES_MAX, the spacing
 * doubles and every other one goes. Plain data of one replay. */
#ifndef TROUPE_SERVER_REPLAY_KEYS_H
#define TROUPE_SERVER_REPLAY_KEYS_H

#include "server/recording/recording.h"

/* A place in a recording: what to read next, and how much is left of the steps in hand. */
typedef struct tr_replay_place {
    int64_t position;
    int64_t same_at; /* the last at which the whole state was known to be the recorded one */
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

/* Shares `snapshot`. Without memory it is not kept. */
void tr_replay_keys_add(tr_replay_keys *keys, const tr_replay_place *place, tr_packet *snapshot);

/* The last at or before `position`; NULL: none. */
const tr_replay_key *tr_replay_keys_before(const tr_replay_keys *keys, int64_t position);

#endif
