/* References anew: what the skills of a control graph do on its model becomes their reference.
 *
 * A character leaves a skill only near the skill's reference (planner.h). Limits of torque change
 * what a skill does, so that a graph that was refitted (graph_refit.h) may never leave it. Each
 * cyclic skill runs undisturbed, and the start and end of each fragment become the average of what
 * was seen there, as refinement makes references (refine.h). Policies and targets stay.
 * Deterministic. */
#pragma once

#include "control/graph/control_graph.h"
#include "learn/rehearsal/ensemble.h"

/* Mean distance (state_distance.h) at the ends of a skill's fragments from the reference, before
 * and after. holds: the skill kept its motion; else its reference stays. Zeros: not a cyclic
 * skill. */
typedef struct tr_graph_settle_row {
    bool holds;
    double before, after;
} tr_graph_settle_row;

/* Changes the references in place; rows: [node_count]. TR_INVALID_ARGUMENT: no graph;
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_graph_settle(tr_ensemble *ensemble, tr_controller *controller,
                          tr_graph_settle_row rows[TR_GRAPH_NODE_MAX]) TR_NODISCARD;
