/* Refitting: a control graph for another model of the same body, as one with limits of torque, or
 * with another rising skill.
 *
 * Skills that were learned on that model take the places of skills of the graph, skills that do not
 * hold there are left out with all transitions from and to them, and everything else is copied,
 * limits for leaving skills too, but the references: they are of the new model. The step is that of
 * with[0]. A rising skill may have any number of fragments, because characters enter it at its
 * start and leave it at its end. What no longer holds is hardened afterwards (graph_harden.h).
 *
 * A graph in the place of a controller adds all skills that the first graph lacks, with all edges from
 * and to them: so a graph grows by a skill and its learned transitions, and keeps the rest to the bit.
 * Pure. */
#pragma once

#include "control/graph/control_graph.h"

/* graph: on a model of the same limbs (warm_start.h) as `model`
 * with: [with_count], on `model`; with[i] takes the place of the skill as_skill[i]: a cyclic one,
 *       or one that rises
 * without: names of cyclic skills and transitions between commas; NULL: none is left out */
typedef struct tr_graph_refit_def {
    const char *name;
    const tr_model *model;
    const tr_controller *graph;
    const tr_controller *const *with;
    char (*as_skill)[TR_NAME_MAX];
    int with_count;
    const char *without;
} tr_graph_refit_def;

/* Makes a new graph, without recovery; destroy it with tr_controller_destroy. TR_NOT_FOUND: the
 * graph has no such skill. TR_INVALID_ARGUMENT: no graph, a cyclic skill without the fragments of
 * the one whose place it takes, or what is left is not a graph; the message names it. */
tr_status tr_graph_refit(const tr_graph_refit_def *def, tr_controller **out,
                         tr_error *error) TR_NODISCARD;
