/* Recordings of bouts: a bout whose result is stored is fought again, with the same bits, and kept
 * as a recording.
 *
 *   asked -> catalogue's thread: definition and result -> library: the cast -> world threads: the
 *   bout again, in short turns, with a recorder -> its result is the stored one -> recordings
 *
 * So a batch of any size costs no more on the disk than its results, and every bout of it can be
 * looked at. The loop's thread alone. */
#ifndef TROUPE_SERVER_BOUT_RECORDINGS_H
#define TROUPE_SERVER_BOUT_RECORDINGS_H

#include "proto/status.h"
#include "server/match/match_services.h"

typedef struct tr_bout_recordings tr_bout_recordings;

enum { TR_BOUT_RECORDINGS_MAX = 4 }; /* made at once */

tr_status tr_bout_recordings_create(const tr_match_services *services,
                                    tr_bout_recordings **out) TR_NODISCARD;

/* What is being made is given up. NULL is fine. */
void tr_bout_recordings_stop(tr_bout_recordings *recordings);

/* When the pool and the catalogue's thread have ended; the loop frees the rest. NULL is fine. */
void tr_bout_recordings_destroy(tr_bout_recordings *recordings);

/* Answers the request with a Recording or a failure when it is there. TR_DATA_LOSS: the bout came
 * out otherwise than stored; TR_FAILED_PRECONDITION: it cannot be fought again: clients commanded a
 * team, it never began, or a name stands for another row than then. */
typedef struct tr_bout_recording_order {
    uint64_t session, request;
    const char *match, *recording; /* copied */
    uint32_t position;
} tr_bout_recording_order;
void tr_bout_recordings_make(tr_bout_recordings *recordings, const tr_bout_recording_order *order);

#endif
