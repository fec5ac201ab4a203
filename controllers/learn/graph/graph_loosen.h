/* Limits for leaving skills and for taking transitions (planner.h): how near to its reference a
 * character must be before the planner leaves a skill, and how near to where a transition begins
 * before it takes that. The limit for all skills is the one that every transition stands; where the
 * transitions out of a skill stand more, a wider limit saves cycles of waiting. A transition that
 * stands less gets a narrower one of its own, and from farther off the planner goes around it.
 * Pure. */
#pragma once

#include "control/graph/control_graph.h"

/* limits: NAME=DISTANCE between commas, of cyclic skills and of chains that are transitions; a
 * distance above 0 and at most 1 (state_distance.h). NAME=SLOPEdeg, of cyclic skills: on steeper
 * ground they cannot be asked for by name. TR_INVALID_ARGUMENT: not such a list, or no such skill or
 * transition; the message names it. */
tr_status tr_graph_loosen(tr_control_graph *graph, const char *limits,
                          tr_error *error) TR_NODISCARD;
