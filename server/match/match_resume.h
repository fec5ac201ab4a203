/* Matches that a restart interrupted come back: read from the catalogue, with the models and
 * controllers that their names stand for. The loop's thread. */
#ifndef TROUPE_SERVER_MATCH_RESUME_H
#define TROUPE_SERVER_MATCH_RESUME_H

#include "server/match/match_services.h"
#include "server/match/match_store.h"

/* Calls `found` for every one of them, now or later: ready to go on, or with what keeps it from
 * that. They are left for the next start when the daemon ends, and when the catalogue cannot be
 * read, which the log tells. */
void tr_match_resume_all(const tr_match_services *services, tr_match_found found, void *context);

#endif
