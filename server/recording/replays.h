/* The recordings that worlds show: one entry for each world that is a replay. Plain data; for the
 * event loop's thread. */
#pragma once

#include "proto/limits.h"
#include "server/recording/recordings.h"
#include "server/recording/replay.h"

typedef struct tr_shown {
    uint32_t world;
    char name[TR_NAME_MAX];  /* of the recording */
    tr_recording *recording; /* shared; its memory is borrowed (tr_recordings_borrow) */
    tr_replay *replay;       /* the world's */
} tr_shown;

typedef struct tr_replays {
    tr_recordings *recordings; /* gets the borrowed memory back */
    int count;
    tr_shown shown[TR_WORLD_PLACES]; /* [count] */
} tr_replays;

/* Adds a world that shows a recording; the recording is shared, and its memory was borrowed. Sets
 * the name. */
void tr_replays_add(tr_replays *replays, const tr_shown *shown, const char *name);

/* Removes a world that no longer exists and returns its memory. No effect for a world that is not a
 * replay. */
void tr_replays_remove(tr_replays *replays, uint32_t world);

/* NULL: the world is not a replay. Valid until the next world is added or removed. */
const tr_shown *tr_replays_find(const tr_replays *replays, uint32_t world);
