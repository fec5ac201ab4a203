/* Answers to requests about matches. They are sent by the session's id: it may be gone by then, and
 * nothing comes of it. The loop's thread. */
#ifndef TROUPE_SERVER_MATCH_ANSWER_H
#define TROUPE_SERVER_MATCH_ANSWER_H

#include "server/match/contest.h"
#include "server/match/match_services.h"

/* With the MatchInfo of `contest` in `state`; NULL: with nothing but that it is done. */
void tr_match_answer(const tr_match_services *services, tr_match_asker to,
                     const tr_contest *contest, tr_match_state state);

void tr_match_refuse(const tr_match_services *services, tr_match_asker to, const tr_error *error);

/* No match of this name runs: refuses, when the catalogue has told why. FAILED_PRECONDITION: it has
 * ended; UNAVAILABLE: it is being taken up again after a restart; NOT_FOUND: there is none. */
void tr_match_refuse_absent(const tr_match_services *services, tr_match_asker to, const char *name);

#endif
