/* Matches on their way into the catalogue: bound to what their names stand for, put, and then begun or
 * refused. What is told as begun is on disk. The loop's thread. */
#ifndef TROUPE_SERVER_MATCH_STARTS_H
#define TROUPE_SERVER_MATCH_STARTS_H

#include "server/match/matches.h"

typedef struct tr_match_coming tr_match_coming;

typedef struct tr_match_starts {
    const tr_match_services *services;
    /* The match is in the catalogue, and is answered after this. False: it does not begin now, and
     * the contest was not taken. */
    bool (*begin)(void *context, tr_contest *take_contest);
    void *context;
    int count;
    tr_match_coming *first;
} tr_match_starts;

/* Makes a contest of what may start, and puts it; now_ns: since 1970. Answers on failure, now or
 * later. */
void tr_match_starts_put(tr_match_starts *starts, const tr_match_start *start, int64_t now_ns);

/* Worlds that this account's matches among them will need. */
int tr_match_starts_worlds(const tr_match_starts *starts, uint64_t maker);

#endif
