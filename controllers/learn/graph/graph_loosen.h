/* Limits for leaving skills: how near to its reference a character must be before the planner leaves
 * a skill (planner.h), each skill by itself. The limit for all skills is the one that every
 * transition stands; where the transitions out of a skill stand more, a wider limit saves cycles of
 * waiting. Pure. */
#ifndef TROUPE_LEARN_GRAPH_LOOSEN_H
#define TROUPE_LEARN_GRAPH_LOOSEN_H

#include "control/graph/control_graph.h"

/* limits: SKILL=DISTANCE between commas, a distance above 0 and at most 1 (state_distance.h).
 * TR_INVALID_ARGUMENT: not such a list, or no such cyclic skill; the message names it. */
tr_status tr_graph_loosen(tr_control_graph *graph, const char *limits,
                          tr_error *error) TR_NODISCARD;

#endif
