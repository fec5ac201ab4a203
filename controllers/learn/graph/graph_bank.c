#include "learn/graph/graph_bank.h"

#include "control/driver/skill_words.h"
#include "learn/rehearsal/graph_transition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tr_status refuse(const tr_controller *c, const char *what, tr_error *error) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "graph: skill '%s': %s", c->skill, what);
}

tr_status tr_graph_bank_check(const tr_model *model, const tr_controller *first,
                              const tr_controller *skill, tr_error *error) {
    tr_status status = tr_controller_check(skill, model, error);
    if (status)
        return status;
    if (!tr_chain_of(skill))
        return refuse(skill, "expected one skill, a chain", error);
    /* One bank has one step and one action map for all skills. */
    const tr_action_map *own = &tr_controller_bank(skill)->action;
    const tr_action_map *other = &tr_controller_bank(first)->action;
    if (skill->step_s != first->step_s || own->size != other->size ||
        memcmp(own->body, other->body, (size_t)other->joint_count * sizeof *own->body) != 0)
        return refuse(skill, "expected the step and the action of the first", error);
    if (!tr_action_map_is_symmetric(model, own))
        return refuse(skill, "expected an action that can be mirrored", error);
    return TR_OK;
}

static const double TURN_RAD = 0.2; /* a skill that gains less heading does not turn */

/* Returns the heading gained from the start of a chain to its end, or in one cycle of a cyclic
 * one. */
static double turn_of(const tr_graph_bank_def *def, int skill) {
    const tr_bank *c = tr_controller_bank(def->skill[skill]);
    const bool named =
        tr_skill_words_have(tr_skill_words_of(def->skill[skill]->skill)->tags, "turn");
    bool turns = !c->cyclic || ((named || (def->turns && def->turns[skill])) && !c->mirrored);
    double turn = 0;
    /* Reference ends are in the frames of their starts, so that their headings add up. */
    for (int f = 0; turns && f < c->fragment_count; f++)
        turn += tr_quat_heading(c->fragment[f].end.pose.root_rot);
    return fabs(turn) < TURN_RAD ? 0 : turn;
}

static void fill_head(const tr_graph_bank_def *def, tr_controller *bank) {
    const tr_controller *first = def->skill[0];
    snprintf(bank->name, sizeof bank->name, "%s", def->name);
    snprintf(bank->skill, sizeof bank->skill, TR_GRAPH_BANK_SKILL);
    tr_controller_copy_setting(first, bank);
    tr_bank_copy_setting(tr_controller_bank(first), tr_controller_bank(bank));
    bank->spawn = first->spawn;
}

static void fill_nodes(const tr_graph_bank_def *def, const tr_model *model,
                       tr_control_graph *graph) {
    int at = 0;
    for (int i = 0; i < def->skill_count; i++) {
        const tr_chain *c = tr_chain_of(def->skill[i]);
        tr_graph_node *node = &graph->node[i];
        memcpy(node->skill, def->skill[i]->skill, sizeof node->skill);
        memcpy(node->gain_set, c->bank.gain_set, sizeof node->gain_set);
        node->first = at;
        node->count = c->bank.fragment_count;
        node->cyclic = c->bank.cyclic;
        node->mirrored = c->bank.mirrored;
        node->turn_rad = turn_of(def, i);
        node->steering = c->steering;
        tr_bank_copy_fragments(c->bank.fragment, node->count, model->body_count,
                               graph->bank.fragment + at);
        graph->bank.mirrored |= c->bank.mirrored;
        at += node->count;
    }
}

static void fill_edges(const tr_graph_bank_def *def, tr_control_graph *graph) {
    for (int e = 0; e < def->edge_count; e++) {
        graph->edge[e] = def->edge[e];
        /* An edge that flips needs mirrored policies, though no skill may have both halves. */
        graph->bank.mirrored |= def->edge[e].flips;
    }
    qsort(graph->edge, (size_t)graph->edge_count, sizeof *graph->edge, tr_graph_edge_compare);
}

/* A transition does not count as a turning skill, however much it turns. */
static void forget_turns(tr_control_graph *graph) {
    tr_graph_transition transition;
    for (int n = 0; n < graph->node_count; n++)
        if (tr_graph_transition_over(graph, n, &transition) &&
            strcmp(transition.from, transition.to) != 0)
            graph->node[n].turn_rad = 0;
}

static tr_status allocate(const tr_model *model, const tr_graph_bank_def *def,
                          tr_controller **out) {
    tr_graph_size size = {.steps = 1, .nodes = def->skill_count, .edges = def->edge_count};
    for (int i = 0; i < def->skill_count; i++) {
        const tr_bank *c = tr_controller_bank(def->skill[i]);
        int most = tr_fragment_longest(c->fragment, c->fragment_count);
        size.fragments += c->fragment_count;
        size.steps = most > size.steps ? most : size.steps;
    }
    return tr_graph_create(size, model->body_count, out);
}

tr_status tr_graph_bank_create(const tr_model *model, const tr_graph_bank_def *def,
                               tr_controller **out, tr_error *error) {
    tr_controller *bank = NULL;
    tr_status status = allocate(model, def, &bank);
    if (status)
        return tr_fail(error, status, "graph '%s': %d skills, %d edges: %s", def->name,
                       def->skill_count, def->edge_count, tr_status_text(status));
    tr_control_graph *graph = tr_graph_of(bank);
    fill_head(def, bank);
    fill_nodes(def, model, graph);
    fill_edges(def, graph);
    forget_turns(graph);
    status = tr_controller_check(bank, model, error);
    return TR_GIVE(status, bank, tr_controller_destroy, out);
}

tr_status tr_graph_bank_take(const tr_model *model, const tr_controller *bank, int node,
                             tr_controller **out) {
    const tr_control_graph *graph = tr_graph_of(bank);
    const tr_graph_node *n = &graph->node[node];
    const tr_fragment *fragment = graph->bank.fragment + n->first;
    tr_controller *skill = NULL;
    tr_status status = tr_chain_create(n->count, tr_fragment_longest(fragment, n->count),
                                       model->body_count, &skill);
    if (status)
        return status;
    tr_chain *chain = tr_chain_of(skill);
    memcpy(skill->name, n->skill, sizeof skill->name);
    memcpy(skill->skill, n->skill, sizeof skill->skill);
    tr_controller_copy_setting(bank, skill);
    tr_bank_copy_setting(&graph->bank, &chain->bank);
    memcpy(chain->bank.gain_set, n->gain_set, sizeof chain->bank.gain_set);
    chain->bank.cyclic = n->cyclic;
    chain->bank.mirrored = n->mirrored;
    chain->steering = n->steering;
    tr_bank_copy_fragments(fragment, n->count, model->body_count, chain->bank.fragment);
    skill->spawn = chain->bank.fragment[0].start;
    *out = skill;
    return TR_OK;
}
