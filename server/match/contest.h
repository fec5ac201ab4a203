/* A contest: the books of one match that has not ended.
 *
 * It knows which bouts are still to be handed out, which results wait to be stored, and what the
 * stored ones come to. Positions are handed out in rising order; how many fight at once and in what
 * order they end changes nothing in the results, only in when they come. The loop's thread alone;
 * plain memory, no threads, no clock.
 *
 *     free --- tr_contest_hand_out ---> fighting --- tr_contest_add ---> unsaved --- saved ---> stored
 *       ^                                  |
 *       +------- tr_contest_hand_back -----+
 *
 * Invariant: stored + unsaved + fighting + free = bout_count. */
#ifndef TROUPE_SERVER_CONTEST_H
#define TROUPE_SERVER_CONTEST_H

#include "db/tables/matches.h"
#include "server/catalogue/library.h"
#include "server/match/match.h"
#include "server/match/match_statistics.h"
#include "server/match/spectators.h"

enum {
    TR_CONTEST_UNSAVED_MAX = 128, /* results that wait to be stored; more bouts wait for them */
    TR_CONTEST_HOLD_MAX = TR_CAST_CONTROLLER_MAX + TR_CAST_MODEL_MAX
};

/* How far it is; the catalogue's word for its end is a tr_match_state. */
typedef enum tr_contest_phase {
    TR_CONTEST_RUNNING,   /* bouts are fought and stored; when all are stored it is done */
    TR_CONTEST_CANCELLED, /* no more bouts; this end is to be stored */
    TR_CONTEST_FAILED,    /* the same; `reason` says why */
    TR_CONTEST_OVER       /* its end is stored, but a runner still fights one of its bouts */
} tr_contest_phase;

typedef enum tr_contest_storing {
    TR_STORING_NOTHING,
    TR_STORING_NOW,   /* a job has its results */
    TR_STORING_FAILED /* they are still here, and are tried again later */
} tr_contest_storing;

/* Whom an answer is for. */
typedef struct tr_match_asker {
    uint64_t session, request;
} tr_match_asker;

typedef struct tr_contest {
    tr_match_row row;
    tr_match_def def;
    uint8_t *taken; /* a bit a position: not free; owned */
    int lowest;     /* no position below it is free */
    int fighting, stored;
    int unsaved_count;
    tr_bout_row unsaved[TR_CONTEST_UNSAVED_MAX]; /* in the order in which they came */
    tr_match_statistics statistics;              /* of the stored ones, in the order they came in */
    tr_bout_row last;                            /* stored last; position -1: none */
    int hold_count;
    tr_library_item *hold[TR_CONTEST_HOLD_MAX]; /* kept for the models and controllers of `def` */

    /* Of matches.c. */
    tr_contest_phase phase;
    tr_contest_storing storing;
    char reason[TR_SHORT_TEXT_MAX];
    bool untold;              /* watchers have not heard of what was stored last */
    uint32_t world;           /* hosted: its id; 0: none */
    uint64_t maker;           /* account whose world that is; 0: nobody's, as after a restart */
    tr_match_asker canceller; /* session 0: none */
    tr_spectators spectators;
    struct tr_contest *next;
} tr_contest;

/* The books of a match of which nothing is stored. row and def are copied. NULL: no memory. */
tr_contest *tr_contest_create(const tr_match_row *row, const tr_match_def *def);
void tr_contest_destroy(tr_contest *contest); /* holds nothing any more; NULL is fine */

/* Results found in the catalogue: before anything is handed out. */
void tr_contest_recall(tr_contest *contest, const tr_bout_row *bout);

/* The next position to fight; false: none now, because all are taken or too much waits to be
 * stored. */
bool tr_contest_hand_out(tr_contest *contest, int *out_position);
void tr_contest_hand_back(tr_contest *contest, int position);

/* A bout that was handed out has ended. Where there is no place for its result it is free again. */
void tr_contest_add(tr_contest *contest, int position, const tr_bout_result *result);

/* The first `count` of the unsaved are in the catalogue. */
void tr_contest_saved(tr_contest *contest, int count);

/* As the catalogue has it, or is to have it next: done when every result is stored or unsaved. Not for
 * one that is over. */
tr_match_state tr_contest_state(const tr_contest *contest);

/* Hosted, of this account, and without a world yet: it will take one. */
bool tr_contest_needs_world(const tr_contest *contest, uint64_t maker);

/* Finds what the names of its match stand for in the library and keeps it, on failure maybe a part;
 * tr_contest_release lets it go. A match that is in the catalogue needs what it began with:
 * TR_FAILED_PRECONDITION else; a new one (row.cast_hash 0) has its row's hash set. TR_NOT_FOUND: it
 * is not in the library; TR_RESOURCE_EXHAUSTED: too many names. */
tr_status tr_contest_bind(tr_contest *contest, tr_library *library, tr_error *error) TR_NODISCARD;
void tr_contest_release(tr_contest *contest, tr_library *library);

#endif
