/* A contest: the books of one match that has not ended.
 *
 * It knows which bouts are still to be handed out, which results wait to be stored, and the
 * statistics of the stored ones. Positions are handed out in rising order. How many bouts are
 * fought in parallel and in what order they end changes when results arrive, never the results. For
 * the loop's thread only; plain memory, no threads, no clock.
 *
 *     free --- tr_contest_hand_out ---> fighting --- tr_contest_add ---> unsaved --- saved ---> stored
 *       ^                                  |
 *       +------- tr_contest_hand_back -----+
 *
 * Invariant: stored + unsaved + fighting + free = bout_count. */
#pragma once

#include "db/tables/matches.h"
#include "proto/invariant.h"
#include "server/catalogue/library.h"
#include "server/match/match.h"
#include "server/match/match_statistics.h"
#include "server/match/spectators.h"

enum {
    TR_CONTEST_UNSAVED_MAX =
        128 /* results that wait to be stored; further bouts wait until there is room */
};

/* How far the match is; the catalogue stores its end as a tr_match_state. */
typedef enum tr_contest_phase {
    TR_CONTEST_RUNNING,   /* bouts are fought and stored; when all are stored it is done */
    TR_CONTEST_CANCELLED, /* no more bouts; this end is to be stored */
    TR_CONTEST_FAILED,    /* the same; `reason` says why */
    TR_CONTEST_OVER,      /* its end is stored, but a runner still fights one of its bouts */
    TR_CONTEST_COMING     /* on its way into the catalogue: what is reported as begun is on disk */
} tr_contest_phase;

typedef enum tr_contest_storing {
    TR_STORING_NOTHING,
    TR_STORING_NOW,   /* a job has its results */
    TR_STORING_FAILED /* they are kept, and tried again later */
} tr_contest_storing;

typedef struct tr_contest {
    tr_invariant invariant; /* the match fails if it does not hold */
    tr_match_row row;
    tr_match_def def;
    uint8_t *taken; /* a bit a position: not free; owned */
    int lowest;     /* no position below it is free */
    int fighting, stored;
    int unsaved_count;
    tr_bout_row unsaved[TR_CONTEST_UNSAVED_MAX]; /* in order of arrival */
    tr_match_statistics statistics;              /* of the stored ones, in order of arrival */
    tr_bout_row last;                            /* stored last; position -1: none */
    tr_library_needs needs; /* the models and controllers of `def`, from tr_contest_fetch on */
    tr_holds holds;         /* of them */

    /* Of matches.c. */
    tr_contest_phase phase;
    tr_contest_storing storing;
    char reason[TR_SHORT_TEXT_MAX];
    bool unreported; /* the results stored last have not been reported to watchers */
    uint32_t world;  /* hosted: its id; 0: none */
    uint64_t maker;  /* account that owns that world; 0: no account, for example after a restart */
    tr_asker asker;  /* who waits for its start or its cancellation; session 0: none */
    tr_spectators spectators;
    struct tr_contest *next;
} tr_contest;

/* The row of a match that begins; now_ns: since 1970. */
tr_match_row tr_contest_row(const tr_match_def *def, int64_t now_ns);

/* Creates the books of a match without stored results. row and def are copied. NULL: no memory. */
tr_contest *tr_contest_create(const tr_match_row *row, const tr_match_def *def);
void tr_contest_destroy(tr_contest *contest); /* before the library; NULL is allowed */

/* Adds a result found in the catalogue. Call before anything is handed out. */
void tr_contest_recall(tr_contest *contest, const tr_bout_row *bout);

/* The next position to fight. False: all are taken, or too many results wait to be stored. */
bool tr_contest_hand_out(tr_contest *contest, int *out_position);
void tr_contest_hand_back(tr_contest *contest, int position);

/* The row of a bout with this result. */
tr_bout_row tr_contest_bout(const tr_match_def *def, int position, const tr_bout_result *result);

/* Adds the result of a bout that was handed out. Without room for the result its position is free
 * again. */
void tr_contest_add(tr_contest *contest, int position, const tr_bout_result *result);

/* Counts the first `count` unsaved results as stored in the catalogue. */
void tr_contest_saved(tr_contest *contest, int count);

void tr_contest_must_hold(tr_contest *contest);

/* The state that the catalogue has or gets next: done when every result is stored or unsaved. Not
 * for a contest that is over. */
tr_match_state tr_contest_state(const tr_contest *contest);

/* Is it hosted, of this account, and still without a world? It will then count as one more
 * world. */
bool tr_contest_needs_world(const tr_contest *contest, uint64_t maker);

/* Fetches the models and controllers of its match: as tr_library_fetch, and TR_RESOURCE_EXHAUSTED: too
 * many names. */
tr_status tr_contest_fetch(tr_contest *contest, tr_library *library, tr_library_fetched fetched,
                           void *context) TR_NODISCARD;

/* Finds them in the library and keeps them until it is destroyed. TR_FAILED_PRECONDITION: a match that is
 * in the catalogue began with other ones. A new match (row.cast_hash 0) has its row's hash set.
 * TR_NOT_FOUND: not in the library; TR_RESOURCE_EXHAUSTED: too many names. */
tr_status tr_contest_bind(tr_contest *contest, tr_library *library, tr_error *error) TR_NODISCARD;
