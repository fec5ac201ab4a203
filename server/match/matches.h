/* The matches of the daemon: which ones run, who watches them, and what has been stored.
 *
 *   start   handle_match.c -> tr_matches_start: names found -> row put -> running
 *   run     headless: bout runners on the world threads; else a referee in a hosted world
 *   store   results -> catalogue's thread, all that have arrived in one job -> progress to watchers
 *   end     the last result with its state, in one transaction; or cancelled; or failed
 *
 * Everything reported to watchers and clients is on disk. tr_matches_resume finds a match that was
 * running when the daemon ended or crashed, and continues it: its missing bouts are fought again,
 * with the same results. When the catalogue cannot store, results wait and are tried again each
 * second, and no more bouts begin than results may wait. For the loop's thread only. */
#pragma once

#include "server/access/member.h"
#include "server/match/contest.h"
#include "server/match/match_services.h"
#include "server/net/packet.h"

typedef struct tr_matches tr_matches;

/* Fights `runner_count` headless bouts in parallel: one per world thread. May set *out on failure
 * too. */
tr_status tr_matches_create(const tr_match_services *services, int runner_count,
                            tr_matches **out) TR_NODISCARD;

/* Continues the matches that a restart interrupted; calls `resumed` when every one of them can be
 * found, later or before it returns. No client may ask before: it would be told to try again. */
void tr_matches_resume(tr_matches *matches, void (*resumed)(void *context), void *context);

/* Starts no more bouts and leaves hosted ones for the next start; results that have arrived are
 * still handed to the catalogue. Call before the worlds are closed. NULL is allowed. */
void tr_matches_stop(tr_matches *matches);

/* Hands over the results that arrived since. Call after the pool has ended, before the catalogue's
 * thread stops. */
void tr_matches_flush(tr_matches *matches);

/* Call after the catalogue's thread has stopped; the loop frees the rest. NULL is allowed. */
void tr_matches_destroy(tr_matches *matches);

/* The name of the match fought in this world; NULL: none. */
const char *tr_matches_in_world(const tr_matches *matches, uint32_t world);

int tr_matches_count(const tr_matches *matches); /* those that have not ended */

/* The number of bouts whose results have been stored since the daemon started. */
int64_t tr_matches_bouts_stored(const tr_matches *matches);

/* Starts a match and answers with a MatchInfo or a failure, now or when the match is in the
 * catalogue. The names of `def` are in the library, or not in the catalogue. `definition`: the
 * bytes of the Match, which it shares. */
typedef struct tr_match_start {
    tr_asker asker;
    /* the account that a hosted match's world counts for; read during the call only */
    const tr_member *member;
    const tr_match_def *def;
    tr_packet *definition;
} tr_match_start;
void tr_matches_start(tr_matches *matches, const tr_match_start *start);

/* These answer too; statuses of a match that does not run as in tr_match_refuse_absent. */
void tr_matches_watch(tr_matches *matches, const char *name, tr_asker asker);
void tr_matches_unwatch(tr_matches *matches, const char *name, tr_asker asker);
void tr_matches_cancel(tr_matches *matches, const char *name, tr_asker asker);
