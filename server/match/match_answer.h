/* Answers to requests about matches. They are addressed by the session's id; if the session has
 * ended by then, the answer is dropped. For the loop's thread. */
#pragma once

#include "server/match/contest.h"
#include "server/match/match_services.h"

/* Answers with the MatchInfo of `contest` in `state`. */
void tr_match_answer(const tr_match_services *services, tr_asker to, const tr_contest *contest,
                     tr_match_state state);

void tr_match_refuse(const tr_match_services *services, tr_asker to, const tr_error *error);

/* Refuses a request about a match that does not run, after asking the catalogue why.
 * FAILED_PRECONDITION: it has ended; UNAVAILABLE: it is still being resumed after a restart;
 * NOT_FOUND: no such match. */
void tr_match_refuse_absent(const tr_match_services *services, tr_asker to, const char *name);
