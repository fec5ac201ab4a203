/* Recordings of bouts: fights a bout whose result is stored again, with the same bits, and keeps it
 * as a recording.
 *
 *   request -> catalogue's thread: definition and result -> library: the cast -> world threads: the
 *   bout again, in short turns, with a recorder -> compared with the stored result -> recordings
 *
 * So a batch of any size takes no more disk space than its results, and every bout of it can still
 * be watched. For the loop's thread only. */
#pragma once

#include "proto/status.h"
#include "server/match/match_services.h"

typedef struct tr_bout_recordings tr_bout_recordings;

enum { TR_BOUT_RECORDINGS_MAX = 4 }; /* made in parallel */

tr_status tr_bout_recordings_create(const tr_match_services *services,
                                    tr_bout_recordings **out) TR_NODISCARD;

/* Cancels the recordings being made. NULL is allowed. */
void tr_bout_recordings_stop(tr_bout_recordings *recordings);

/* Call after the pool and the catalogue's thread have ended; the loop frees the rest. NULL is
 * allowed. */
void tr_bout_recordings_destroy(tr_bout_recordings *recordings);

/* Answers the request with a Recording when it is made, or with a failure. TR_DATA_LOSS: the result
 * differs from the stored one; TR_FAILED_PRECONDITION: the bout cannot be fought again, because
 * clients commanded a team, it never began, or a name now means another row. */
typedef struct tr_bout_recording_order {
    tr_asker asker;
    const char *match, *recording; /* copied */
    uint32_t position;
} tr_bout_recording_order;
void tr_bout_recordings_make(tr_bout_recordings *recordings, const tr_bout_recording_order *order);
