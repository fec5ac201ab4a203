/* Making graphs again from their records.
 *
 * What a graph was made of is found in the catalogue by its digest, under whatever name. A part
 * that is not there is made again first, by the run that it came out of, a graph's or a training,
 * and so on back. Which run that was is not recorded: it is the one of the part's name, or, where
 * none that the graph goes back to has it, one whose own graph or skill is not there either. What
 * was taken out of a graph or mirrored has no run of its own, and is derived again (derivation.h).
 * A part made again must have the digest recorded; it is put into the catalogue, where others that
 * were made of it find it.
 *
 * Deterministic, whatever the number of threads. */
#ifndef TROUPE_TOOLS_GRAPH_REMAKING_H
#define TROUPE_TOOLS_GRAPH_REMAKING_H

#include "db/tables/runs.h"
#include "tools/again/reproduction.h"

/* Makes the graph of a run again, and prints what differs from the one in the catalogue; what is
 * made again on the way is told on stderr. TR_NOT_FOUND: no graph came out of the run.
 * TR_FAILED_PRECONDITION: a part is neither there nor made by a run that the record goes back to;
 * the message names run, part and digest. TR_ABORTED: the graph, or a part made again, is not the
 * same; the message names its run. As tr_retrain, where a part was trained. */
tr_status tr_graph_remake(const tr_reproduction *given, const tr_run_row *run,
                          tr_error *error) TR_NODISCARD;

#endif
