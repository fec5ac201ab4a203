/* Matches and the catalogue: the jobs that store a match, store its results, and read interrupted
 * matches back.
 *
 * Every function hands a job to the catalogue's thread and returns. When the job is done, the
 * callback is called on the loop with a status; what it reports is on disk. For the loop's
 * thread. */
#pragma once

#include "server/match/contest.h"

/* `error->status` is the outcome. */
typedef void (*tr_match_stored)(void *context, tr_contest *contest, const tr_error *error);

/* Stores the match of `contest` with the bytes of its definition, which it shares; sets its row's
 * id. TR_RESOURCE_EXHAUSTED: the catalogue is busy; the callback will not be called. */
tr_status tr_match_store_put(tr_catalogue_thread *thread, tr_contest *contest,
                             tr_packet *definition, tr_match_stored stored,
                             void *context) TR_NODISCARD;

/* Stores the contest's unsaved results, and its end unless `state` is running; all or nothing. On
 * success they are counted as stored before the callback. */
typedef struct tr_match_save {
    tr_contest *contest;
    tr_match_state state;
    const char *reason; /* copied */
    int64_t now_ns;     /* since 1970 */
    tr_match_stored stored;
    void *context;
} tr_match_save;
tr_status tr_match_store_save(tr_catalogue_thread *thread, const tr_match_save *save) TR_NODISCARD;

/* A match that was still running when the daemon ended, with its stored results added. `error` says
 * why it cannot continue (its definition no longer decodes); `def` is then empty. */
typedef void (*tr_match_found)(void *context, tr_contest *take_contest, const tr_error *error);

/* Calls `found` for every interrupted match, in the order in which they were stored; then `ended`,
 * with an error if the catalogue could not be read to the end. */
typedef struct tr_match_recall {
    tr_match_found found;
    void (*ended)(void *context, const tr_error *error);
    void *context;
} tr_match_recall;
tr_status tr_match_store_recall(tr_catalogue_thread *thread,
                                const tr_match_recall *recall) TR_NODISCARD;
