#include "learn/graph/graph_loosen.h"

#include "learn/rehearsal/graph_transition.h"
#include "learn/rehearsal/names.h"
#include "proto/option.h"

#include <string.h>

/* Can the node have a limit? */
static bool takes_limit(const tr_control_graph *graph, int node) {
    tr_graph_transition transition;
    return node >= 0 &&
           (graph->node[node].cyclic || tr_graph_transition_over(graph, node, &transition));
}

/* Sets the limit of a pair NAME=DISTANCE, which is cut in two. */
static tr_status loosen_node(tr_control_graph *graph, char *pair, tr_error *error) {
    char *distance = strchr(pair, '=');
    if (distance)
        *distance++ = 0;
    double limit = 0;
    if (!distance || !tr_option_real(distance, &limit) || !(limit > 0 && limit <= 1))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "limit of '%s': expected NAME=DISTANCE, above 0 and at most 1", pair);
    int node = tr_control_graph_find(graph, pair);
    if (!takes_limit(graph, node))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "limit of '%s': no such cyclic skill or transition", pair);
    graph->node[node].settled = limit;
    return TR_OK;
}

tr_status tr_graph_loosen(tr_control_graph *graph, const char *limits, tr_error *error) {
    char pair[TR_NAME_MAX];
    tr_status status = TR_OK;
    while (!status && tr_names_next(&limits, pair))
        status = loosen_node(graph, pair, error);
    return status;
}
