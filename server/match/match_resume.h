/* Resumes matches that a restart interrupted: reads them from the catalogue, with their models and
 * controllers. For the loop's thread. */
#pragma once

#include "server/match/match_services.h"
#include "server/match/match_store.h"

/* Calls what->found for each of them: ready to continue, or with an error that says why not; then
 * what->ended. If the daemon ends or the catalogue cannot be read, they are left for the next
 * start; the log reports the latter. All calls come later, or before this returns. */
void tr_match_resume_all(const tr_match_services *services, const tr_match_recall *what);
