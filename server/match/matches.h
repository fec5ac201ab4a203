/* The matches of the daemon: who fights, who watches, and what has been stored.
 *
 *   start   handle_match.c -> tr_matches_start: names found -> row put -> running
 *   run     headless: bout runners on the world threads; else a referee in a hosted world
 *   store   results -> catalogue's thread, as many at once as have come -> progress to watchers
 *   end     the last result with its state, in one transaction; or cancelled; or failed
 *
 * What watchers and clients are told is on disk. A match that is running when the daemon ends,
 * however it ends, is found by tr_matches_resume and goes on: its missing bouts are fought again,
 * with the same results. When the catalogue cannot store, results wait and are tried again each
 * second, and no more bouts begin than may wait. The loop's thread alone. */
#ifndef TROUPE_SERVER_MATCHES_H
#define TROUPE_SERVER_MATCHES_H

#include "server/access/member.h"
#include "server/match/contest.h"
#include "server/match/match_services.h"
#include "server/net/packet.h"

typedef struct tr_matches tr_matches;

/* `runner_count` headless bouts at once: as many as world threads. On failure *out may be set too. */
tr_status tr_matches_create(const tr_match_services *services, int runner_count,
                            tr_matches **out) TR_NODISCARD;

/* Goes on with what was interrupted. */
void tr_matches_resume(tr_matches *matches);

/* No more bouts begin, and hosted ones are given up for the next start; results that have come are
 * still handed to the catalogue. Before the worlds are closed. NULL is fine. */
void tr_matches_stop(tr_matches *matches);

/* When the pool has ended: hands over what came since. Before the catalogue's thread stops. */
void tr_matches_flush(tr_matches *matches);

/* After the catalogue's thread has stopped; the loop frees the rest. NULL is fine. */
void tr_matches_destroy(tr_matches *matches);

/* Name of the match that is fought in this world; NULL: none. */
const char *tr_matches_in_world(const tr_matches *matches, uint32_t world);

int tr_matches_count(const tr_matches *matches); /* not ended */

/* Bouts whose results have been stored since the start of the daemon. */
int64_t tr_matches_bouts_stored(const tr_matches *matches);

/* Answers with a MatchInfo or a failure, now or when the match is in the catalogue. The names of
 * `def` are in the library, or not in the catalogue; definition: the bytes of the Match, which it
 * shares. */
typedef struct tr_match_start {
    tr_match_asker asker;
    const tr_member *member; /* whose world a hosted match takes; read in the call alone */
    const tr_match_def *def;
    tr_packet *definition;
} tr_match_start;
void tr_matches_start(tr_matches *matches, const tr_match_start *start);

/* These answer too. Refused as tr_match_refuse_absent tells. */
void tr_matches_watch(tr_matches *matches, const char *name, tr_match_asker asker);
void tr_matches_unwatch(tr_matches *matches, const char *name, tr_match_asker asker);
void tr_matches_cancel(tr_matches *matches, const char *name, tr_match_asker asker);

#endif
