#include "control/graph/control_graph.h"

#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* --- looking up --- */

bool tr_graph_edge_jumps(const tr_graph_edge *edge, const tr_graph_node *from,
                         const tr_graph_node *to) {
    return from->cyclic && (to->cyclic || edge->to != to->first);
}

int tr_graph_edge_compare(const void *edge, const void *other) {
    const tr_graph_edge *a = edge, *b = other;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->flips - b->flips;
}

int tr_control_graph_node_of(const tr_control_graph *graph, int fragment) {
    int low = 0, high = graph->node_count - 1;
    /* By bisection, because nodes are in order of their fragments. */
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (graph->node[middle].first > fragment)
            high = middle - 1;
        else
            low = middle;
    }
    return low;
}

int tr_control_graph_find(const tr_control_graph *graph, const char *skill) {
    for (int n = 0; n < graph->node_count; n++)
        if (strcmp(graph->node[n].skill, skill) == 0)
            return n;
    return -1;
}

bool tr_control_graph_rises(const tr_control_graph *graph, int node) {
    const tr_graph_node *n = &graph->node[node];
    for (int e = 0; e < graph->edge_count; e++)
        if (graph->edge[e].to >= n->first && graph->edge[e].to < n->first + n->count)
            return false;
    return !n->cyclic;
}

/* Is a reference at rest? Standing clips sway by less, all others move more at some fragment. */
static bool is_still(const tr_state *state) {
    return tr_vec3_length(state->root_vel) < 0.05 && tr_vec3_length(state->root_omega) < 0.1;
}

int tr_control_graph_rest(const tr_control_graph *graph) {
    for (int n = 0; n < graph->node_count; n++) {
        const tr_graph_node *node = &graph->node[n];
        bool rests = node->cyclic;
        for (int f = node->first; rests && f < node->first + node->count; f++)
            rests =
                is_still(&graph->bank.fragment[f].start) && is_still(&graph->bank.fragment[f].end);
        if (rests)
            return n;
    }
    return -1;
}

static bool is_too_steep(const tr_graph_node *node, tr_vec3 normal) {
    return node->steepest_rad > 0 && normal.z < tr_cos(node->steepest_rad);
}

bool tr_control_graph_is_too_steep(const tr_control_graph *graph, const char *skill,
                                   tr_vec3 normal) {
    const int node = tr_control_graph_find(graph, skill);
    return node >= 0 && is_too_steep(&graph->node[node], normal);
}

void tr_control_graph_find_steep(const tr_control_graph *graph, tr_vec3 normal, bool *out) {
    for (int n = 0; n < graph->node_count; n++) {
        const tr_graph_node *node = &graph->node[n];
        int count = 0;
        const tr_graph_edge *edge =
            tr_control_graph_edges(graph, node->first + node->count - 1, &count);
        out[n] = node->cyclic ? is_too_steep(node, normal) : count > 0;
        for (int e = 0; !node->cyclic && e < count; e++)
            out[n] &=
                is_too_steep(&graph->node[tr_control_graph_node_of(graph, edge[e].to)], normal);
    }
}

tr_way tr_control_graph_way(const tr_control_graph *graph, int node) {
    return tr_fragments_way(graph->bank.fragment + graph->node[node].first,
                            graph->node[node].count);
}

/* Mirroring exchanges left and right of a way without any rounding. */
static bool are_images(const tr_control_graph *graph, int one, int other) {
    const tr_graph_node *a = &graph->node[one], *b = &graph->node[other];
    bool same = one != other && a->cyclic && b->cyclic && a->count == b->count, sways = false;
    for (int f = 0; same && f < a->count; f++) {
        tr_vec3 p = graph->bank.fragment[a->first + f].end.pose.root_pos;
        tr_vec3 q = graph->bank.fragment[b->first + f].end.pose.root_pos;
        same = p.x == q.x && p.y == -q.y && p.z == q.z;
        sways |= p.y != 0;
    }
    return same && sways;
}

bool tr_control_graph_steps_aside(const tr_control_graph *graph, int node) {
    tr_way way = tr_control_graph_way(graph, node);
    return graph->node[node].cyclic && graph->node[node].steering.speed_mps > 0 &&
           (way == TR_WAY_LEFT || way == TR_WAY_RIGHT);
}

bool tr_control_graph_has_side(const tr_control_graph *graph, int node) {
    bool found = tr_control_graph_steps_aside(graph, node);
    for (int n = 0; !found && n < graph->node_count; n++)
        found = are_images(graph, node, n);
    return found;
}

/* Finds the edges by bisection, because they are sorted. */
const tr_graph_edge *tr_control_graph_edges(const tr_control_graph *graph, int from,
                                            int *out_count) {
    int low = 0, high = graph->edge_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (graph->edge[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    int end = low;
    while (end < graph->edge_count && graph->edge[end].from == from)
        end++;
    *out_count = end - low;
    return graph->edge + low;
}

/* --- checking --- */

static bool is_terminated(const char *name) {
    return memchr(name, 0, TR_NAME_MAX) != NULL;
}

static tr_status check_node(const tr_control_graph *graph, int n, const tr_model *model,
                            tr_error *error) {
    const tr_graph_node *node = &graph->node[n];
    int first = n == 0 ? 0 : node[-1].first + node[-1].count, exits = 0;
    if (!is_terminated(node->skill) || !is_terminated(node->gain_set) || node->skill[0] == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node %d: expected a named skill", n);
    if (tr_control_graph_find(graph, node->skill) != n)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node '%s': named twice", node->skill);
    if (tr_model_find_gain_set(model, node->gain_set) < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node '%s': no gain set '%s'", node->skill,
                       node->gain_set);
    /* Nodes hold consecutive fragments, in their order. */
    if (node->first != first || node->count < 1 || (node->mirrored && !node->cyclic))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "graph node '%s': expected fragments from %d on; mirrored if cyclic only",
                       node->skill, first);
    if (!(fabs(node->turn_rad) <= 10))
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node '%s': turn_rad: out of range",
                       node->skill);
    if (!(node->settled >= 0 && node->settled <= 1))
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node '%s': settled: expected 0 to 1",
                       node->skill);
    if (!(node->steepest_rad >= 0 && node->steepest_rad <= TR_PI / 2))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "graph node '%s': steepest ground: expected 0 to 90 degrees", node->skill);
    tr_control_graph_edges(graph, node->first + node->count - 1, &exits);
    if (!node->cyclic && exits == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node '%s': no way out of its end",
                       node->skill);
    return tr_steering_check(&node->steering, graph->bank.action.size, error);
}

static tr_status check_edge(const tr_control_graph *graph, int e, tr_error *error) {
    const tr_graph_edge *edge = &graph->edge[e];
    int fragments = graph->bank.fragment_count;
    if (edge->from < 0 || edge->from >= fragments || edge->to < 0 || edge->to >= fragments ||
        (e > 0 && tr_graph_edge_compare(&edge[-1], edge) >= 0))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "graph edge %d: expected fragments below %d, edges in order", e, fragments);
    return TR_OK;
}

bool tr_control_graph_flips(const tr_control_graph *graph) {
    bool found = false;
    for (int n = 0; n < graph->node_count; n++)
        found |= graph->node[n].mirrored;
    for (int e = 0; e < graph->edge_count; e++)
        found |= graph->edge[e].flips;
    return found;
}

static tr_status check_whole(const tr_control_graph *graph, tr_error *error) {
    const tr_graph_node *last = &graph->node[graph->node_count - 1];
    if (last->first + last->count != graph->bank.fragment_count)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph: expected nodes of %d fragments",
                       graph->bank.fragment_count);
    if (!graph->bank.cyclic || graph->bank.mirrored != tr_control_graph_flips(graph))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "graph: expected a cyclic bank, mirrored where the graph flips");
    return TR_OK;
}

tr_status tr_control_graph_check(const tr_control_graph *graph, const tr_model *model,
                                 tr_error *error) {
    if (graph->node_count < 1 || graph->node_count > TR_GRAPH_NODE_MAX || graph->edge_count < 0 ||
        graph->edge_count > TR_GRAPH_EDGE_MAX || !graph->node || !graph->edge)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph: counts out of range");
    tr_status status = tr_bank_check(&graph->bank, model, error);
    for (int e = 0; !status && e < graph->edge_count; e++)
        status = check_edge(graph, e, error);
    for (int n = 0; !status && n < graph->node_count; n++)
        status = check_node(graph, n, model, error);
    return status ? status : check_whole(graph, error);
}
