/* Finds the catching steps of a graph (catch_step.h) by trials.
 *
 * A character that stands, after a random walk in every second trial, is pushed. Where it is first far
 * enough from its reference, it continues in each fragment of some skills in turn, and stays up or not.
 * From each such state comes a row. Its fragment is the one that stays up in most of the states that are
 * most like it; without the neighbours rows would be lucky, not right. Nothing is learned. Deterministic,
 * whatever the number of threads. */
#pragma once

#include "control/graph/catch_step.h"
#include "learn/rehearsal/ensemble.h"

/* skills: NAME,...: cyclic skills whose fragments are tried; standing is always tried. NULL: none */
typedef struct tr_graph_catch_def {
    const char *skills;
    int trials;
    uint64_t seed;
} tr_graph_catch_def;

/* states: after a push; saved: of them, those in which some fragment stays up */
typedef struct tr_graph_catch_report {
    int states, saved;
} tr_graph_catch_report;

/* TR_INVALID_ARGUMENT: no skill of the graph rests, or it has no such cyclic skill; the message names it.
 * TR_FAILED_PRECONDITION: no push moved a character far enough. */
tr_status tr_graph_catch(tr_ensemble *ensemble, const tr_graph_catch_def *def,
                         tr_controller *controller, tr_graph_catch_report *out,
                         tr_error *error) TR_NODISCARD;
