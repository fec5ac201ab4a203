/* A bank: the fragments of several skills in one controller, with a graph of the ways between them.
 */
#pragma once

#include "control/chain/chain.h"
#include "control/graph/control_graph.h"

#define TR_GRAPH_BANK_SKILL "graph" /* `skill` of every bank */

/* skill: [skill_count], of one model, step and action, in the order of their fragments in the bank;
 * the first gives the spawn state. edge: [edge_count], fragments of the bank, in any order. */
typedef struct tr_graph_bank_def {
    const char *name;
    const tr_controller *const *skill;
    const tr_graph_edge *edge;
    int skill_count, edge_count;
    const bool *turns; /* [skill_count] cyclic skills to turn by, besides those that are tagged as
                        * turns (skill_words.h); NULL: no others */
} tr_graph_bank_def;

/* Can the skill share a bank with `first`? TR_INVALID_ARGUMENT, TR_FAILED_PRECONDITION: it cannot;
 * the message names it. */
tr_status tr_graph_bank_check(const tr_model *model, const tr_controller *first,
                              const tr_controller *skill, tr_error *error) TR_NODISCARD;

/* Makes a bank with a copy of all; destroy it with tr_controller_destroy. The skills have passed
 * tr_graph_bank_check. TR_INVALID_ARGUMENT: past the caps, or a skill that is not cyclic has no way
 * out. */
tr_status tr_graph_bank_create(const tr_model *model, const tr_graph_bank_def *def,
                               tr_controller **out, tr_error *error) TR_NODISCARD;

/* Copies a skill out of a bank as a separate controller; spawn: the start of its first fragment.
 * Destroy it with tr_controller_destroy. TR_RESOURCE_EXHAUSTED. */
tr_status tr_graph_bank_take(const tr_model *model, const tr_controller *bank, int node,
                             tr_controller **out) TR_NODISCARD;
