/* The recorder of a world: a part of its loop that tells a recorder (recorder.h) what happens, and
 * hands over what that writes.
 *
 * At the end of a turn, half a second after the last time, what was recorded becomes a tr_recorded
 * for the event loop. Without `deliver` it waits for tr_recorder_part_take. When the recording has
 * ended, however it ended, the last tr_recorded says so and the part is gone. The world's thread. */
#ifndef TROUPE_SERVER_RECORDER_PART_H
#define TROUPE_SERVER_RECORDER_PART_H

#include "server/recording/recording.h"
#include "server/world/world_loop.h"

/* What a turn brought for the file that the world is recorded to. */
typedef struct tr_recorded {
    tr_delivery delivery; /* first: it is delivered as this */
    void *context;        /* of tr_recorder_part_def */
    uint64_t id;          /* of the file */
    tr_packet *bytes;     /* whole chunks; owned; may be NULL */
    bool ended;           /* no more comes */
    int64_t length;       /* ended: steps in all */
    tr_status status;     /* ended: TR_OK: as asked */
    char why[TR_RECORDING_TEXT_MAX];
} tr_recorded;

void tr_recorded_destroy(tr_recorded *recorded); /* NULL is fine */

typedef struct tr_recorder_part_def {
    uint64_t id; /* of the file */
    char world[TR_NAME_MAX];
    int64_t created_unix;                   /* s */
    int check_every, key_every;             /* ticks; as tr_recorder_def */
    void (*deliver)(tr_delivery *delivery); /* on the event loop; gets a tr_recorded */
    void *context;
} tr_recorder_part_def;

/* Records the world from here on. TR_FAILED_PRECONDITION: it is being recorded;
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_recorder_part_start(tr_world_loop *loop, const tr_recorder_part_def *def,
                                 tr_error *error) TR_NODISCARD;

/* Ends the recording with this status and reason. TR_FAILED_PRECONDITION: there is none. */
tr_status tr_recorder_part_stop(tr_world_loop *loop, tr_status status, const char *why,
                                tr_error *error) TR_NODISCARD;

/* What has been recorded and not taken; NULL: nothing. The caller's. */
tr_recorded *tr_recorder_part_take(tr_world_loop *loop);

#endif
