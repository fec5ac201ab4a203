/* Matches in the catalogue: running and ended ones, and the result of every bout.
 *
 * Unlike the other nouns a match is a job: its state changes, and bouts are added when they end.
 * Its definition never changes, and `digest` covers it. The definition is stored as bytes that this
 * folder does not interpret. Bouts are numbered from 0; each is stored once, whole, and never
 * changes. A match that runs when the catalogue is opened was interrupted: its missing bouts are to
 * be fought again. See catalogue.h for threading, statuses and errors. */
#pragma once

#include "db/store/catalogue.h"
#include "model/model.h"

#include <stddef.h>

enum {
    TR_MATCH_DEFINITION_MAX = 1 << 20, /* bytes */
    TR_BOUT_SCORE_MAX = 8,             /* teams */
    TR_BOUT_TEXT_MAX = 128,            /* bytes with terminator: a reason */
    TR_MATCH_BOUT_MAX = 100000
};

typedef enum tr_match_state {
    TR_MATCH_RUNNING, /* or waiting for its turn */
    TR_MATCH_DONE,
    TR_MATCH_CANCELLED,
    TR_MATCH_FAILED
} tr_match_state;

typedef struct tr_match_row {
    tr_row_id id; /* not read by put */
    char name[TR_NAME_MAX];
    char rule[TR_NAME_MAX];
    uint64_t seed;
    int bout_count, team_count;
    uint64_t cast_hash;   /* of the models and controllers that its names meant at the start */
    tr_match_state state; /* put: running */
    char reason[TR_SHORT_TEXT_MAX]; /* of a failure; not read by put */
    int64_t created_ns, ended_ns;   /* ended: 0 while it runs, not read by put */
    int bouts_stored;               /* not read by put */
    tr_digest digest;               /* not read by put */
} tr_match_row;

typedef struct tr_bout_row {
    int position;
    uint64_t seed;
    int outcome; /* 0 won, 1 drawn, 2 void */
    int winner;  /* team; -1: none */
    int64_t ticks;
    uint64_t hash;                   /* of the world's complete state at the end */
    double score[TR_BOUT_SCORE_MAX]; /* [team_count] */
    char reason[TR_BOUT_TEXT_MAX];
} tr_bout_row;

/* TR_ALREADY_EXISTS: the name is taken by any match. */
tr_status tr_matches_put(tr_catalogue *catalogue, const tr_match_row *match, const void *definition,
                         size_t size, tr_row_id *out_id, tr_error *error) TR_NODISCARD;

TR_NOUN_READERS(matches, match)

typedef struct tr_match_filter {
    tr_row_id after; /* matches stored after this one; 0: from the first */
    bool running;    /* only those that have not ended */
} tr_match_filter;

/* In the order in which they were stored. *count: room, 1 to TR_LIST_MAX; then the rows written. */
tr_status tr_matches_list(tr_catalogue *catalogue, const tr_match_filter *filter,
                          tr_match_row *out_rows, int *count, tr_error *error) TR_NODISCARD;

/* The stored definition; the caller frees it with free(). */
tr_status tr_matches_definition(tr_catalogue *catalogue, tr_row_id id, void **out, size_t *out_size,
                                tr_error *error) TR_NODISCARD;

/* Stores results, all or none: [count]. A bout that exists already does not change. */
tr_status tr_matches_add_bouts(tr_catalogue *catalogue, tr_row_id id, const tr_bout_row *bouts,
                               int count, tr_error *error) TR_NODISCARD;

/* In order of positions, from `first` on. *count: room, at least 1; then the rows written. */
tr_status tr_matches_bouts(tr_catalogue *catalogue, tr_row_id id, int first, tr_bout_row *out_rows,
                           int *count, tr_error *error) TR_NODISCARD;

/* Ends a running match: `state` is one of the end states. TR_FAILED_PRECONDITION: it has ended. */
tr_status tr_matches_end(tr_catalogue *catalogue, tr_row_id id, tr_match_state state,
                         const char *reason, int64_t ended_ns, tr_error *error) TR_NODISCARD;

/* Removes a match with its bouts. TR_FAILED_PRECONDITION while it runs. */
tr_status tr_matches_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) TR_NODISCARD;
