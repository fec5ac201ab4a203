/* Skills that were made of others without a run of their own: taken out of a graph (`graph take`),
 * mirrored (`mirror`), or one after the other. They go back to the run of what they were derived
 * from; of which of its controllers and how is not recorded, but their digests tell. */
#ifndef TROUPE_TOOLS_DERIVATION_H
#define TROUPE_TOOLS_DERIVATION_H

#include "tools/graphs/part_list.h"

/* Derives skills of the part's name from the controllers of a run until one has the part's digest,
 * and puts that one into the catalogue. *out_found: is it there now? */
tr_status tr_derivation_find(tr_catalogue *catalogue, tr_row_id run, const tr_graph_part *part,
                             bool *out_found, tr_error *error) TR_NODISCARD;

#endif
