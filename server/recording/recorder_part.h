/* The recorder of a world: a part of its loop that calls a recorder (recorder.h) and hands over its
 * bytes.
 *
 * At the end of a turn, at most every half second, the recorded bytes become a tr_recorded for the
 * event loop. Without `deliver` they wait for tr_recorder_part_take. When the recording has ended
 * or failed, the last tr_recorded says so and the part removes itself. For the world's thread. */
#pragma once

#include "server/recording/recording.h"
#include "server/world/world_loop.h"

/* The bytes of a turn for the file that the world is recorded to. */
typedef struct tr_recorded {
    tr_delivery delivery; /* first: delivered by this member */
    void *context;        /* from tr_recorder_part_def */
    uint64_t id;          /* of the file */
    tr_packet *bytes;     /* whole chunks; owned; may be NULL */
    bool ended;           /* this is the last one */
    int64_t length;       /* if ended: total steps */
    tr_status status;     /* if ended: TR_OK: on request */
    char why[TR_RECORDING_TEXT_MAX];
} tr_recorded;

void tr_recorded_destroy(tr_recorded *recorded); /* NULL is allowed */

typedef struct tr_recorder_part_def {
    uint64_t id; /* of the file */
    char world[TR_NAME_MAX];
    int64_t created_unix;                   /* s */
    int check_every, key_every;             /* ticks; as tr_recorder_def */
    void (*deliver)(tr_delivery *delivery); /* on the event loop; gets a tr_recorded */
    void *context;
} tr_recorder_part_def;

/* Records the world from now on. TR_FAILED_PRECONDITION: it is already being recorded;
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_recorder_part_start(tr_world_loop *loop, const tr_recorder_part_def *def,
                                 tr_error *error) TR_NODISCARD;

/* Ends the recording with this status and reason. TR_FAILED_PRECONDITION: the world is not being
 * recorded. */
tr_status tr_recorder_part_stop(tr_world_loop *loop, tr_status status, const char *why,
                                tr_error *error) TR_NODISCARD;

/* Takes what was recorded since the last call, owned by the caller; NULL: nothing. */
tr_recorded *tr_recorder_part_take(tr_world_loop *loop);
