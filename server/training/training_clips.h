/* The list of clips that may be learned: read on a thread of the pool, because their
 * folder may be slow, and kept for two seconds. For the loop's thread; zeroed at first. */
#pragma once

#include "server/net/clients.h"
#include "server/training/training_place.h"

#include <uv.h>

typedef struct tr_training_clips {
    uv_loop_t *loop;
    const char *folder; /* "": none */
    void (*answer)(void *context, tr_asker asker);
    void *context;

    int count; /* known when `answer` is called */
    char name[TR_TRAINING_CLIPS_LISTED][TR_TRAINING_CLIP_MAX];

    bool reading; /* then the pool's thread has count and name */
    uint64_t read_ms;
    uv_work_t work;
    int waiting_count, waiting_room;
    tr_asker *waiting; /* its owner frees it when the loop has ended */
} tr_training_clips;

/* Calls `answer` now, or when the clips are read. TR_RESOURCE_EXHAUSTED: too many wait. */
tr_status tr_training_clips_ask(tr_training_clips *clips, tr_asker asker) TR_NODISCARD;
