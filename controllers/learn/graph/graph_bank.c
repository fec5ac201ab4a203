#include "learn/graph/graph_bank.h"

#include "learn/rehearsal/passage.h"

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
    if (skill->graph)
        return refuse(skill, "expected one skill, not a graph", error);
    if (skill->step_s != first->step_s || skill->action.size != first->action.size ||
        memcmp(skill->action.body, first->action.body,
               (size_t)first->action.joint_count * sizeof *skill->action.body) != 0)
        return refuse(skill, "expected the step and the action of the first", error);
    if (!tr_action_map_is_symmetric(model, &skill->action))
        return refuse(skill, "expected an action that can be mirrored", error);
    return TR_OK;
}

static void copy_fragments(const tr_fragment *from, int fragments, const tr_model *model,
                           tr_fragment *to) {
    for (int f = 0; f < fragments; f++) {
        tr_quat *target = to[f].target;
        size_t count = (size_t)from[f].steps * (size_t)model->body_count;
        memcpy(target, from[f].target, count * sizeof *target);
        to[f] = from[f];
        to[f].target = target;
    }
}

static const double TURN_RAD = 0.2; /* from here on it turns */

/* Heading gained from the start of a chain to its end, or in a cycle of what turning is done by. */
static double turn_of(const tr_graph_bank_def *def, int skill) {
    const tr_controller *c = def->skill[skill];
    bool turns = !c->cyclic || (def->turns && def->turns[skill] && !c->mirrored);
    double turn = 0;
    for (int f = 0; turns && f < c->fragment_count; f++)
        turn += tr_quat_heading(c->fragment[f].end.pose.root_rot);
    return fabs(turn) < TURN_RAD ? 0 : turn;
}

static void fill_head(const tr_graph_bank_def *def, tr_controller *bank) {
    const tr_controller *first = def->skill[0];
    snprintf(bank->name, sizeof bank->name, "%s", def->name);
    snprintf(bank->skill, sizeof bank->skill, TR_GRAPH_BANK_SKILL);
    tr_controller_copy_setting(first, bank);
    bank->spawn = first->spawn;
    bank->cyclic = true;
}

static void fill_nodes(const tr_graph_bank_def *def, const tr_model *model, tr_controller *bank) {
    int at = 0;
    for (int i = 0; i < def->skill_count; i++) {
        const tr_controller *c = def->skill[i];
        tr_graph_node *node = &bank->graph->node[i];
        memcpy(node->skill, c->skill, sizeof node->skill);
        memcpy(node->gain_set, c->gain_set, sizeof node->gain_set);
        node->first = at;
        node->count = c->fragment_count;
        node->cyclic = c->cyclic;
        node->mirrored = c->mirrored;
        node->turn_rad = turn_of(def, i);
        node->steering = c->steering;
        copy_fragments(c->fragment, c->fragment_count, model, bank->fragment + at);
        bank->mirrored |= c->mirrored;
        at += c->fragment_count;
    }
}

static int in_order(const void *a, const void *b) {
    return tr_graph_edge_compare(a, b);
}

static void fill_edges(const tr_graph_bank_def *def, tr_controller *bank) {
    tr_control_graph *graph = bank->graph;
    for (int e = 0; e < def->edge_count; e++) {
        graph->edge[e] = def->edge[e];
        bank->mirrored |= def->edge[e].flips;
    }
    qsort(graph->edge, (size_t)graph->edge_count, sizeof *graph->edge, in_order);
}

/* A way from one skill to another is no turn, however it turns. */
static void forget_turns(tr_control_graph *graph) {
    tr_passage passage;
    for (int n = 0; n < graph->node_count; n++)
        if (tr_passage_over(graph, n, &passage) && strcmp(passage.from, passage.to) != 0)
            graph->node[n].turn_rad = 0;
}

static tr_status allocate(const tr_model *model, const tr_graph_bank_def *def,
                          tr_controller **out) {
    int fragments = 0, steps = 1;
    for (int i = 0; i < def->skill_count; i++) {
        const tr_controller *c = def->skill[i];
        int most = tr_fragment_longest(c->fragment, c->fragment_count);
        fragments += c->fragment_count;
        steps = most > steps ? most : steps;
    }
    tr_status status = tr_controller_create(fragments, steps, model->body_count, out);
    if (!status)
        status = tr_control_graph_create(def->skill_count, def->edge_count, &(*out)->graph);
    return status;
}

tr_status tr_graph_bank_create(const tr_model *model, const tr_graph_bank_def *def,
                               tr_controller **out, tr_error *error) {
    tr_controller *bank = NULL;
    tr_status status = allocate(model, def, &bank);
    if (status) {
        tr_controller_destroy(bank);
        return tr_fail(error, status, "graph '%s': %d skills, %d edges: %s", def->name,
                       def->skill_count, def->edge_count, tr_status_text(status));
    }
    fill_head(def, bank);
    fill_nodes(def, model, bank);
    fill_edges(def, bank);
    forget_turns(bank->graph);
    status = tr_controller_check(bank, model, error);
    if (status)
        tr_controller_destroy(bank);
    else
        *out = bank;
    return status;
}

tr_status tr_graph_bank_take(const tr_model *model, const tr_controller *bank, int node,
                             tr_controller **out) {
    const tr_graph_node *n = &bank->graph->node[node];
    const tr_fragment *fragment = bank->fragment + n->first;
    tr_controller *skill = NULL;
    tr_status status = tr_controller_create(n->count, tr_fragment_longest(fragment, n->count),
                                            model->body_count, &skill);
    if (status)
        return status;
    memcpy(skill->name, n->skill, sizeof skill->name);
    memcpy(skill->skill, n->skill, sizeof skill->skill);
    tr_controller_copy_setting(bank, skill);
    memcpy(skill->gain_set, n->gain_set, sizeof skill->gain_set);
    skill->cyclic = n->cyclic;
    skill->mirrored = n->mirrored;
    skill->steering = n->steering;
    copy_fragments(fragment, n->count, model, skill->fragment);
    skill->spawn = skill->fragment[0].start;
    *out = skill;
    return TR_OK;
}
