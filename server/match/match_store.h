/* Matches and the catalogue: the jobs in which a match is put, its results are stored, and matches
 * that were interrupted come back.
 *
 * Every function hands a job to the catalogue's thread and returns; the callback comes on the loop
 * when it has been done, with a status, and what it then tells is on disk. The loop's thread. */
#ifndef TROUPE_SERVER_MATCH_STORE_H
#define TROUPE_SERVER_MATCH_STORE_H

#include "server/match/contest.h"

/* `error->status` tells how it went. */
typedef void (*tr_match_stored)(void *context, tr_contest *contest, const tr_error *error);

/* Puts the match of `contest` with the bytes of its definition, which it shares; sets its row's
 * id. TR_RESOURCE_EXHAUSTED: the catalogue has too much to do; nothing will come. */
tr_status tr_match_store_put(tr_catalogue_thread *thread, tr_contest *contest,
                             tr_packet *definition, tr_match_stored stored,
                             void *context) TR_NODISCARD;

/* Stores the contest's unsaved results, and its end unless `state` is running, all or none. On
 * success they are counted as saved before the callback. */
typedef struct tr_match_save {
    tr_contest *contest;
    tr_match_state state;
    const char *reason; /* copied */
    int64_t now_ns;     /* since 1970 */
    tr_match_stored stored;
    void *context;
} tr_match_save;
tr_status tr_match_store_save(tr_catalogue_thread *thread, const tr_match_save *save) TR_NODISCARD;

/* A match that did not end before the daemon did; its results are recalled. `error` tells what
 * keeps it from going on (the definition does not decode any more); `def` then holds nothing. */
typedef void (*tr_match_found)(void *context, tr_contest *take_contest, const tr_error *error);

/* Calls `found` for every match that was interrupted, in the order in which they were put; then
 * `ended`, whose error tells when the catalogue could not be read to the end. */
typedef struct tr_match_recall {
    tr_match_found found;
    void (*ended)(void *context, const tr_error *error);
    void *context;
} tr_match_recall;
tr_status tr_match_store_recall(tr_catalogue_thread *thread,
                                const tr_match_recall *recall) TR_NODISCARD;

#endif
