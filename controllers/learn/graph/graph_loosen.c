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

/* Cuts "deg" off a limit: then it is one of slope. */
static bool cut_degrees(char *limit) {
    char *unit = limit ? strstr(limit, "deg") : NULL;
    const bool ends = unit && unit[3] == 0;
    if (ends)
        *unit = 0;
    return ends;
}

/* Sets the limit of a pair NAME=DISTANCE or NAME=SLOPEdeg, which is cut in two. */
static tr_status loosen_node(tr_control_graph *graph, char *pair, tr_error *error) {
    char *text = strchr(pair, '=');
    if (text)
        *text++ = 0;
    const bool slopes = cut_degrees(text);
    double limit = 0;
    if (!text || !tr_option_real(text, &limit) || !(limit > 0 && limit <= (slopes ? 90 : 1)))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "limit of '%s': expected NAME=DISTANCE, above 0 and at most 1, or "
                       "NAME=SLOPEdeg, at most 90",
                       pair);
    int node = tr_control_graph_find(graph, pair);
    if (!takes_limit(graph, node) || (slopes && !graph->node[node].cyclic))
        return tr_fail(error, TR_INVALID_ARGUMENT, "limit of '%s': no such cyclic skill%s", pair,
                       slopes ? "" : " or transition");
    if (slopes)
        graph->node[node].steepest_rad = limit * TR_PI / 180;
    else
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
