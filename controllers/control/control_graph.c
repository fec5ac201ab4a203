#include "control/control_graph.h"

#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tr_status tr_control_graph_create(int node_count, int edge_count, tr_control_graph **out) {
    if (node_count < 1 || node_count > TR_GRAPH_NODE_MAX || edge_count < 0 ||
        edge_count > TR_GRAPH_EDGE_MAX)
        return TR_INVALID_ARGUMENT;
    tr_control_graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return TR_RESOURCE_EXHAUSTED;
    graph->node_count = node_count;
    graph->edge_count = edge_count;
    graph->node = calloc((size_t)node_count, sizeof *graph->node);
    graph->edge = calloc((size_t)edge_count + 1, sizeof *graph->edge);
    if (!graph->node || !graph->edge) {
        tr_control_graph_destroy(graph);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = graph;
    return TR_OK;
}

tr_status tr_control_graph_copy(const tr_control_graph *graph, tr_control_graph **out) {
    tr_control_graph *copy = NULL;
    tr_status status = tr_control_graph_create(graph->node_count, graph->edge_count, &copy);
    if (status)
        return status;
    memcpy(copy->node, graph->node, (size_t)graph->node_count * sizeof *copy->node);
    memcpy(copy->edge, graph->edge, (size_t)graph->edge_count * sizeof *copy->edge);
    *out = copy;
    return TR_OK;
}

void tr_control_graph_destroy(tr_control_graph *graph) {
    if (!graph)
        return;
    free(graph->node);
    free(graph->edge);
    free(graph);
}

/* --- looking up --- */

int tr_graph_edge_compare(const tr_graph_edge *a, const tr_graph_edge *b) {
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->flips - b->flips;
}

int tr_control_graph_node_of(const tr_control_graph *graph, int fragment) {
    int n = graph->node_count - 1;
    while (n > 0 && graph->node[n].first > fragment)
        n--;
    return n;
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

/* By bisection: edges are sorted. */
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

uint64_t tr_control_graph_hash(const tr_control_graph *graph, uint64_t hash) {
    for (int n = 0; n < graph->node_count; n++) {
        const tr_graph_node *node = &graph->node[n];
        unsigned char kind = (unsigned char)(node->cyclic | node->mirrored << 1);
        hash = tr_hash_add(hash, node->skill, strlen(node->skill) + 1);
        hash = tr_hash_add(hash, node->gain_set, strlen(node->gain_set) + 1);
        hash = tr_hash_add(hash, &node->first, sizeof node->first);
        hash = tr_hash_add(hash, &node->count, sizeof node->count);
        hash = tr_hash_add(hash, &kind, sizeof kind);
        hash = tr_hash_add(hash, &node->turn_rad, sizeof node->turn_rad);
        hash = tr_hash_add(hash, &node->steering, sizeof node->steering);
    }
    for (int e = 0; e < graph->edge_count; e++) {
        const tr_graph_edge *edge = &graph->edge[e];
        unsigned char flips = edge->flips;
        hash = tr_hash_add(hash, &edge->from, sizeof edge->from);
        hash = tr_hash_add(hash, &edge->to, sizeof edge->to);
        hash = tr_hash_add(hash, &flips, sizeof flips);
    }
    return hash;
}

/* --- checking --- */

static bool terminated(const char *name) {
    return memchr(name, 0, TR_NAME_MAX) != NULL;
}

static tr_status check_node(const tr_control_graph *graph, int n, const tr_model *model,
                            tr_error *error) {
    const tr_graph_node *node = &graph->node[n];
    int first = n == 0 ? 0 : node[-1].first + node[-1].count, exits = 0;
    if (!terminated(node->skill) || !terminated(node->gain_set) || node->skill[0] == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node %d: expected a named skill", n);
    if (tr_control_graph_find(graph, node->skill) != n)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node '%s': named twice", node->skill);
    if (tr_model_find_gain_set(model, node->gain_set) < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node '%s': no gain set '%s'", node->skill,
                       node->gain_set);
    if (node->first != first || node->count < 1 || (node->mirrored && !node->cyclic))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "graph node '%s': expected fragments from %d on; mirrored if cyclic only",
                       node->skill, first);
    if (!(fabs(node->turn_rad) <= 10))
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node '%s': turn_rad: out of range",
                       node->skill);
    tr_control_graph_edges(graph, node->first + node->count - 1, &exits);
    if (!node->cyclic && exits == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph node '%s': no way out of its end",
                       node->skill);
    return TR_OK;
}

static tr_status check_edge(const tr_control_graph *graph, int e, int fragment_count,
                            tr_error *error) {
    const tr_graph_edge *edge = &graph->edge[e];
    if (edge->from < 0 || edge->from >= fragment_count || edge->to < 0 ||
        edge->to >= fragment_count || (e > 0 && tr_graph_edge_compare(&edge[-1], edge) >= 0))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "graph edge %d: expected fragments below %d, edges in order", e,
                       fragment_count);
    return TR_OK;
}

tr_status tr_control_graph_check(const tr_control_graph *graph, const tr_model *model,
                                 int fragment_count, tr_error *error) {
    tr_status status = TR_OK;
    if (graph->node_count < 1 || graph->node_count > TR_GRAPH_NODE_MAX || graph->edge_count < 0 ||
        graph->edge_count > TR_GRAPH_EDGE_MAX || !graph->node || !graph->edge)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph: counts out of range");
    for (int e = 0; !status && e < graph->edge_count; e++)
        status = check_edge(graph, e, fragment_count, error);
    for (int n = 0; !status && n < graph->node_count; n++)
        status = check_node(graph, n, model, error);
    const tr_graph_node *last = &graph->node[graph->node_count - 1];
    if (!status && last->first + last->count != fragment_count)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "graph: expected nodes of %d fragments",
                         fragment_count);
    return status;
}
