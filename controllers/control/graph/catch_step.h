/* Catching steps: how a standing character that was pushed regains its balance.
 *
 * A fragment that stands keeps the feet where they are. Where rest is wanted and the character is far
 * from the reference, or less far at two ends of a fragment in a row, it takes the row whose state is
 * most like its own, or the row's mirror image, and continues in the row's fragment, of a walk, a side
 * step or a turn. The planner leads it back to rest.
 *
 * Alike is what has similar features (features.h), in their typical spreads. Trials find the rows
 * (learn/graph/graph_catch.h). Pure functions. */
#pragma once

#include "control/graph/planner.h"

/* A copy of the rows replaces the graph's own. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_catch_steps_set(tr_control_graph *graph, const tr_catch_steps *steps) TR_NODISCARD;

/* May a step be taken? From a quiet stand on, until the character leaves rest otherwise than by a step:
 * one that comes to rest from a walk sways, and was not pushed. false: the graph has no rows. */
bool tr_catch_step_calms(const tr_control_graph *graph, int node, bool calm, bool catches,
                         double distance);

/* Does a character with that target return to rest after a push? catches: it did so at the end of the
 * last fragment; distance: of its state from the reference. */
bool tr_catch_step_lasts(const tr_control_graph *graph, int node, bool catches,
                         const tr_steering_target *target, double distance);

/* The place after a fragment at rest; next: where the planner leads. */
tr_graph_place tr_catch_step_choose(const tr_control_graph *graph, const tr_model *model,
                                    const tr_state *state, tr_graph_place next);
