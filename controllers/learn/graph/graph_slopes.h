/* Slope terms for control graphs (K of fragment.h): a graph answers to the slope of the ground, and
 * on level ground keeps its bits.
 *
 * A skill whose fragments are those of a controller that was trained on slopes, apart from K, takes
 * K from it. A transition between two cyclic skills takes the K of both, faded as the transition
 * itself was (blend_window.h). Every other policy takes the K that needs no training
 * (ground_answer.h). Pure. */
#pragma once

#include "control/graph/control_graph.h"

typedef enum tr_graph_slopes_source {
    TR_GRAPH_SLOPES_LEVEL,   /* sees what it would see on level ground */
    TR_GRAPH_SLOPES_TRAINED, /* of a controller of the node's name */
    TR_GRAPH_SLOPES_FADED    /* of the skills at both ends */
} tr_graph_slopes_source;

/* Changes K of all policies in place. trained: [count] controllers; source: [node_count], where
 * each node's K is from. TR_INVALID_ARGUMENT: no graph; TR_RESOURCE_EXHAUSTED. */
tr_status tr_graph_slopes(const tr_model *model, const tr_controller *const *trained, int count,
                          tr_controller *controller,
                          tr_graph_slopes_source source[TR_GRAPH_NODE_MAX]) TR_NODISCARD;
