/* Skills that were made from others without a run: taken out of a graph (`graph take`), mirrored
 * (`mirror`), or both. They trace to the run of the controller from which they were derived. Which
 * of the run's controllers that was, and how, is not recorded, but the digests show it. */
#pragma once

#include "tools/learn/part_list.h"

/* Derives skills of the part's name from the controllers of a run until one has the part's digest,
 * and puts that one into the catalogue. *out_found: is it there now? */
tr_status tr_derivation_find(tr_catalogue *catalogue, tr_row_id run, const tr_listed_part *part,
                             bool *out_found, tr_error *error) TR_NODISCARD;
