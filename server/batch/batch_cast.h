/* The models and controllers of a batch: fetched as a daemon fetches them, on a loop that runs for
 * this alone. */
#pragma once

#include "server/match/contest.h"

/* Reads `path`, closes it, and binds the contest to what its match names. The caller releases the
 * contest and destroys the library, on failure too. Statuses as tr_catalogue_open, tr_library_fetch
 * and tr_contest_bind. */
tr_status tr_batch_load_cast(const char *path, tr_contest *contest, tr_library **out_library,
                             tr_error *error) TR_NODISCARD;
