/* Trips of a control graph: ways out of standing into a walk, a side step or a turn, and back to
 * standing, as the references go. A character that stands reaches a near place by one or two of them
 * (intent.h). Pure functions of the graph. */
#pragma once

#include "control/graph/control_graph.h"

enum { TR_GRAPH_TRIP_MAX = 128 };

/* Finds the trips of a sound graph into graph->trip; call it again after any change. A graph without a skill that rests has none.
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_graph_find_trips(tr_control_graph *graph, double step_s) TR_NODISCARD;
