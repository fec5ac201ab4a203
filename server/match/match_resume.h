/* Resumes matches that a restart interrupted: reads them from the catalogue, with their models and
 * controllers. For the loop's thread. */
#pragma once

#include "server/match/match_services.h"
#include "server/match/match_store.h"

/* Calls `found` for each of them, now or later: ready to continue, or with an error that says why
 * not. If the daemon ends or the catalogue cannot be read, they are left for the next start; the
 * log reports the latter. */
void tr_match_resume_all(const tr_match_services *services, tr_match_found found, void *context);
