/* Matches on their way into the catalogue: bound to their models and controllers, stored, then
 * begun or refused. A match reported as begun is on disk. For the loop's thread. */
#pragma once

#include "server/match/matches.h"

typedef struct tr_match_coming tr_match_coming;

typedef struct tr_match_starts {
    const tr_match_services *services;
    /* The match is in the catalogue and is answered after this call. False: it does not begin now,
     * and the contest was not taken. */
    bool (*begin)(void *context, tr_contest *take_contest);
    void *context;
    int count;
    tr_match_coming *first;
} tr_match_starts;

/* Makes a contest of a match that may start, and stores it; now_ns: since 1970. Answers failures,
 * now or later. */
void tr_match_starts_put(tr_match_starts *starts, const tr_match_start *start, int64_t now_ns);

/* The number of worlds that this account's matches among them will need. */
int tr_match_starts_worlds(const tr_match_starts *starts, uint64_t maker);
