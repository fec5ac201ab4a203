#include "learn/graph/graph_shorten.h"

#include "learn/rehearsal/graph_transition.h"
#include "learn/rehearsal/names.h"

#include <stdlib.h>
#include <string.h>

typedef struct shortening {
    const tr_graph_shorten_def *def;
    tr_ensemble *ensemble;
    tr_controller *controller;
    tr_graph_shorten_report report;
    void *context;
} shortening;

/* Adds an edge in its place, unless the graph has it. */
static tr_status add_edge(tr_control_graph *graph, tr_graph_edge edge) {
    for (int e = 0; e < graph->edge_count; e++)
        if (tr_graph_edge_compare(&graph->edge[e], &edge) == 0)
            return TR_OK;
    if (graph->edge_count == TR_GRAPH_EDGE_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_graph_edge *edges = realloc(graph->edge, ((size_t)graph->edge_count + 2) * sizeof *edges);
    if (!edges)
        return TR_RESOURCE_EXHAUSTED;
    graph->edge = edges;
    graph->edge[graph->edge_count++] = edge;
    qsort(graph->edge, (size_t)graph->edge_count, sizeof *graph->edge, tr_graph_edge_compare);
    return TR_OK;
}

static tr_status add_kept(tr_control_graph *graph, const tr_graph_candidate *candidates,
                          int count) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < count; i++)
        if (candidates[i].kept)
            status = add_edge(graph, candidates[i].edge);
    graph->bank.mirrored = tr_control_graph_flips(graph);
    return status;
}

/* Lists the fragments of the chains that lead to a node, but for their first: that is where their own
 * transitions begin. out: [TR_BANK_FRAGMENT_MAX] */
static int list_ahead(const tr_control_graph *graph, int to, int *out) {
    tr_graph_transition chain;
    int count = 0;
    for (int n = 0; n < graph->node_count; n++)
        if (tr_graph_transition_over(graph, n, &chain) &&
            tr_control_graph_node_of(graph, chain.enter) == to)
            for (int k = 1; k < chain.count; k++)
                out[count++] = chain.first + k;
    return count;
}

/* Tries the candidates of a link between two nodes. */
static tr_status try_jumps(const shortening *s, int from, int to, tr_graph_candidate **out,
                           int *count) {
    const tr_control_graph *graph = tr_graph_of(s->controller);
    tr_controller first, second;
    int ahead[TR_BANK_FRAGMENT_MAX];
    tr_status status = tr_controller_in_skill(s->controller, graph->node[from].skill, &first, NULL);
    if (!status)
        status = tr_controller_in_skill(s->controller, graph->node[to].skill, &second, NULL);
    tr_jump_def jump = s->def->jump;
    jump.graph = jump.walk.dwell_s > 0 ? s->controller : NULL;
    jump.from = &first;
    jump.to = &second;
    jump.from_first = graph->node[from].first;
    jump.to_first = graph->node[to].first;
    jump.ahead = ahead;
    jump.ahead_count = s->def->skills ? 0 : list_ahead(graph, to, ahead);
    return status ? status : tr_jumps_try(s->ensemble, &jump, out, count);
}

/* Is the node the skill, or a chain that leads to it? */
static bool leads_to(const tr_control_graph *graph, int node, int skill) {
    tr_graph_transition chain;
    return node == skill || (tr_graph_transition_over(graph, node, &chain) &&
                             tr_control_graph_node_of(graph, chain.enter) == skill);
}

/* Drops the jumps from a node to another, or into the midst of chains that lead there; to: -1: to any. */
static void drop_jumps(tr_control_graph *graph, int from, int to) {
    int kept = 0;
    for (int e = 0; e < graph->edge_count; e++) {
        const tr_graph_edge edge = graph->edge[e];
        const int one = tr_control_graph_node_of(graph, edge.from);
        const int other = tr_control_graph_node_of(graph, edge.to);
        if (one != from || other == one || (to >= 0 && !leads_to(graph, other, to)) ||
            !tr_graph_edge_jumps(&edge, &graph->node[one], &graph->node[other]))
            graph->edge[kept++] = edge;
    }
    graph->edge_count = kept;
}

static tr_status shorten_link(const shortening *s, int from, int to, tr_error *error) {
    tr_control_graph *graph = tr_graph_of(s->controller);
    const char *one = graph->node[from].skill, *other = graph->node[to].skill;
    const tr_jump_def *jump = &s->def->jump;
    tr_graph_candidate *candidates = NULL;
    int count = 0;
    /* Jumps whose trials played no other skill first may fall in a game. */
    if (jump->walk.dwell_s > 0)
        drop_jumps(graph, from, to);
    tr_status status = try_jumps(s, from, to, &candidates, &count);
    if (!status)
        (void)tr_jumps_keep_held(candidates, count, jump->trials, jump->enough);
    if (!status && s->report)
        s->report(s->context, one, other, candidates, count);
    if (!status)
        status = add_kept(graph, candidates, count);
    free(candidates);
    return status ? tr_fail(error, status, "%s to %s: %s", one, other, tr_status_text(status))
                  : TR_OK;
}

static int find_cyclic(const tr_control_graph *graph, const char *skill) {
    const int node = tr_control_graph_find(graph, skill);
    return node >= 0 && graph->node[node].cyclic ? node : -1;
}

/* Shortens the link of a pair FROM=TO, which is cut in two. */
static tr_status shorten_pair(const shortening *s, char *pair, tr_error *error) {
    const tr_control_graph *graph = tr_graph_of(s->controller);
    char *to = strchr(pair, '=');
    if (to)
        *to++ = 0;
    const int one = find_cyclic(graph, pair), other = to ? find_cyclic(graph, to) : -1;
    return one >= 0 && other >= 0 && one != other
               ? shorten_link(s, one, other, error)
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "link '%s=%s': expected FROM=TO, two cyclic skills of the graph", pair,
                         to ? to : "");
}

static tr_status shorten_named(const shortening *s, tr_error *error) {
    const char *links = s->def->links;
    char pair[TR_NAME_MAX];
    tr_status status =
        s->def->skills ? tr_fail(error, TR_INVALID_ARGUMENT, "links, skills: expected one of them")
        : links[0]     ? TR_OK
                       : tr_fail(error, TR_INVALID_ARGUMENT, "links: expected FROM=TO");
    while (!status && tr_names_next(&links, pair))
        status = strlen(pair) + 1 == sizeof pair
                     ? tr_fail(error, TR_INVALID_ARGUMENT, "link '%s': longer than %d bytes", pair,
                               TR_NAME_MAX - 2)
                     : shorten_pair(s, pair, error);
    return status;
}

/* Is the node a cyclic skill, one of the list if there is one, and not left out? */
static bool is_meant(const shortening *s, int node) {
    const tr_graph_node *it = &tr_graph_of(s->controller)->node[node];
    return it->cyclic && (!s->def->skills || tr_names_have(s->def->skills, it->skill)) &&
           !(s->def->without && tr_names_have(s->def->without, it->skill));
}

static tr_status shorten_all(const shortening *s, tr_error *error) {
    const tr_control_graph *graph = tr_graph_of(s->controller);
    tr_status status = TR_OK;
    for (int from = 0; s->def->skills && from < graph->node_count; from++)
        if (is_meant(s, from))
            drop_jumps(tr_graph_of(s->controller), from, -1);
    for (int from = 0; !status && from < graph->node_count; from++)
        for (int to = 0; !status && to < graph->node_count; to++)
            if (from != to && is_meant(s, from) && is_meant(s, to))
                status = shorten_link(s, from, to, error);
    return status;
}

tr_status tr_graph_shorten(tr_ensemble *ensemble, const tr_graph_shorten_def *def,
                           tr_graph_shorten_report report, void *context, tr_controller *controller,
                           tr_error *error) {
    const shortening s = {def, ensemble, controller, report, context};
    const tr_jump_def *jump = &def->jump;
    if (!tr_graph_of(controller) || jump->candidates < 1 ||
        jump->candidates > TR_GRAPH_CANDIDATE_MAX || jump->trials < 1 || jump->enough < 1 ||
        !(jump->after_s > 0))
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "'%s': expected a graph, 1 to %d candidates, and at least one trial and edge",
            controller->name, TR_GRAPH_CANDIDATE_MAX);
    return def->links ? shorten_named(&s, error) : shorten_all(&s, error);
}
