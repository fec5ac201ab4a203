/* The clip of a run that has no controller in the catalogue. */
#pragma once

#include "db/tables/runs.h"

/* The clip that a run learned from, on that model, read from its controllers and from those of the
 * runs that continued it, which learned from the same. TR_NOT_FOUND: none of these controllers is
 * in the catalogue. */
tr_status tr_lineage_find_clip(tr_catalogue *catalogue, const tr_run_row *run, tr_row_id model,
                               tr_row_id *out_clip, tr_error *error) TR_NODISCARD;
