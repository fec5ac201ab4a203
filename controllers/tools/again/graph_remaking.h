/* Making graphs again from their records.
 *
 * The parts of a graph are found in the catalogue by their digests, under whatever name. A missing
 * part is made again first, by the run that made it (a graph's or a training), and so on back.
 * Which run that was is not recorded: it is the one with the part's name, or, if no ancestor run
 * has this name, one whose graph or skill is missing too. A part that was taken out of a graph or
 * mirrored has no run, and is derived again (derivation.h). A part made again must have the
 * recorded digest; it is stored in the catalogue, where other graphs made of it find it.
 *
 * Deterministic, whatever the number of threads. */
#ifndef TROUPE_TOOLS_GRAPH_REMAKING_H
#define TROUPE_TOOLS_GRAPH_REMAKING_H

#include "db/tables/runs.h"
#include "tools/train/reproduction.h"

/* Makes the graph of a run again, and prints its differences from the one in the catalogue; parts
 * that are made again on the way are reported on stderr. TR_NOT_FOUND: the run made no graph.
 * TR_FAILED_PRECONDITION: a part is missing and no run in the record makes it; the message names
 * run, part and digest. TR_ABORTED: the graph, or a part made again, is not the same; the message
 * names its run. As tr_method_remake, where a part was trained. */
tr_status tr_graph_remake(const tr_reproduction *given, const tr_run_row *run,
                          tr_error *error) TR_NODISCARD;

#endif
