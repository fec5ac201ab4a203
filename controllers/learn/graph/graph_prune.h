/* Takes away the jumps of a graph (tr_graph_edge_jumps) after which characters fall, or which nothing takes.
 *
 * Characters are asked for one skill after another, at random times. After a fall the jumps taken
 * shortly before are blamed. A jump that is blamed too often for its uses goes, and so does one that was
 * never taken: the planner would take it where another goes, and nothing speaks for it. This is repeated
 * with fresh seeds until no jump is blamed enough. A jump without which a skill could not be reached stays.
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "control/graph/control_graph.h"
#include "learn/rehearsal/ensemble.h"

/* trials: characters of a round, each asked for a minute */
typedef struct tr_graph_prune_def {
    int trials, rounds;
    uint64_t seed;
} tr_graph_prune_def;

/* Of a round: falls, jumps that there were, and how many of them went, blamed or unused. */
typedef struct tr_graph_prune_round {
    int falls, jumps, blamed, unused;
} tr_graph_prune_round;

typedef void (*tr_graph_prune_report)(void *context, int round, const tr_graph_prune_round *row);

/* TR_INVALID_ARGUMENT: no graph, trial or round; TR_RESOURCE_EXHAUSTED. */
tr_status tr_graph_prune(tr_ensemble *ensemble, const tr_graph_prune_def *def,
                         tr_graph_prune_report report, void *context, tr_controller *controller,
                         tr_error *error) TR_NODISCARD;
