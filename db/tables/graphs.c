#include "db/tables/graphs.h"

#include "db/store/query.h"
#include "db/tables/steerings.h"

#include <assert.h>

/* --- digest --- */

static void digest_steering(const tr_steering *steering, tr_digest_writer *writer) {
    const double *number = &steering->speed_mps;
    static_assert(sizeof *steering % sizeof *number == 0, "doubles and nothing else");
    for (size_t i = 0; i < sizeof *steering / sizeof *number; i++)
        tr_digest_add_double(writer, number[i]);
}

void tr_graphs_digest(const tr_control_graph *graph, tr_digest_writer *writer) {
    if (!graph)
        return;
    tr_digest_add_int(writer, graph->node_count);
    for (int n = 0; n < graph->node_count; n++) {
        const tr_graph_node *node = &graph->node[n];
        tr_digest_add_text(writer, node->skill);
        tr_digest_add_text(writer, node->gain_set);
        tr_digest_add_int(writer, node->first);
        tr_digest_add_int(writer, node->count);
        tr_digest_add_int(writer, node->cyclic);
        tr_digest_add_int(writer, node->mirrored);
        tr_digest_add_double(writer, node->turn_rad);
        if (node->settled > 0)
            tr_digest_add_double(writer, node->settled);
        digest_steering(&node->steering, writer);
    }
    tr_digest_add_int(writer, graph->edge_count);
    for (int e = 0; e < graph->edge_count; e++) {
        tr_digest_add_int(writer, graph->edge[e].from);
        tr_digest_add_int(writer, graph->edge[e].to);
        tr_digest_add_int(writer, graph->edge[e].flips);
    }
}

/* --- put --- */

static void put_node(tr_query *query, tr_row_id controller, int position, int size,
                     const tr_graph_node *node) {
    tr_blob steering = {0};
    if (!query->status)
        query->status = tr_steerings_encode(&node->steering, size, &steering, query->error);
    tr_query_bind_int(query, controller);
    tr_query_bind_int(query, position);
    tr_query_bind_text(query, node->skill);
    tr_query_bind_text(query, node->gain_set);
    tr_query_bind_int(query, node->first);
    tr_query_bind_int(query, node->count);
    tr_query_bind_int(query, node->cyclic);
    tr_query_bind_int(query, node->mirrored);
    tr_query_bind_double(query, node->turn_rad);
    tr_query_bind_blob(query, steering.data, steering.size);
    tr_query_run(query);
    tr_blob_deinit(&steering);
}

static tr_status put_nodes(tr_catalogue *catalogue, tr_row_id controller,
                           const tr_control_graph *graph, int size, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO graph_node (controller, position, skill, gain_set, first, fragments, cyclic, "
        "mirrored, turn_rad, steering) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        error);
    for (int n = 0; n < graph->node_count; n++)
        put_node(&query, controller, n, size, &graph->node[n]);
    return tr_query_end(&query);
}

static tr_status put_edges(tr_catalogue *catalogue, tr_row_id controller,
                           const tr_control_graph *graph, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue, "INSERT INTO graph_edge (controller, source, target, flips) VALUES (?, ?, ?, ?)",
        error);
    for (int e = 0; e < graph->edge_count; e++) {
        tr_query_bind_int(&query, controller);
        tr_query_bind_int(&query, graph->edge[e].from);
        tr_query_bind_int(&query, graph->edge[e].to);
        tr_query_bind_int(&query, graph->edge[e].flips);
        tr_query_run(&query);
    }
    return tr_query_end(&query);
}

tr_status tr_graphs_put(tr_catalogue *catalogue, tr_row_id controller,
                        const tr_control_graph *graph, int size, tr_error *error) {
    if (!graph)
        return TR_OK;
    tr_status status = put_nodes(catalogue, controller, graph, size, error);
    return status ? status : put_edges(catalogue, controller, graph, error);
}

/* --- get --- */

tr_status tr_graphs_count(tr_catalogue *catalogue, tr_row_id controller, int *out_nodes,
                          int *out_edges, tr_error *error) {
    tr_query query =
        tr_query_begin(catalogue,
                       "SELECT (SELECT count(*) FROM graph_node WHERE controller = ?1), "
                       "(SELECT count(*) FROM graph_edge WHERE controller = ?1)",
                       error);
    tr_query_bind_int(&query, controller);
    if (tr_query_next(&query)) {
        *out_nodes = tr_query_int(&query, 0, TR_GRAPH_NODE_MAX);
        *out_edges = tr_query_int(&query, 0, TR_GRAPH_EDGE_MAX);
    }
    tr_status status = tr_query_end(&query);
    if (!status && *out_nodes == 0 && *out_edges > 0)
        status = tr_fail(error, TR_DATA_LOSS, "graph: edges without nodes");
    return status;
}

static void get_node(tr_query *query, int position, int size, tr_graph_node *out) {
    enum { LAST = TR_BANK_FRAGMENT_MAX };
    (void)tr_query_int(query, position, position);
    tr_query_text(query, out->skill, sizeof out->skill);
    tr_query_text(query, out->gain_set, sizeof out->gain_set);
    out->first = tr_query_int(query, 0, LAST);
    out->count = tr_query_int(query, 1, LAST);
    out->cyclic = tr_query_bool(query);
    out->mirrored = tr_query_bool(query);
    out->turn_rad = tr_query_double(query);
    tr_blob_view steering = tr_query_blob(query);
    if (!query->status)
        query->status = tr_steerings_decode(steering, size, &out->steering, query->error);
}

static tr_status get_nodes(tr_catalogue *catalogue, tr_row_id controller, int size,
                           tr_control_graph *graph, tr_error *error) {
    int n = 0;
    tr_query query = tr_query_begin(
        catalogue,
        "SELECT position, skill, gain_set, first, fragments, cyclic, mirrored, turn_rad, steering "
        "FROM graph_node WHERE controller = ? ORDER BY position",
        error);
    tr_query_bind_int(&query, controller);
    for (; n < graph->node_count && tr_query_next(&query); n++)
        get_node(&query, n, size, &graph->node[n]);
    return tr_query_end(&query);
}

static tr_status get_edges(tr_catalogue *catalogue, tr_row_id controller, tr_control_graph *graph,
                           tr_error *error) {
    enum { LAST = TR_BANK_FRAGMENT_MAX - 1 };
    int e = 0;
    tr_query query = tr_query_begin(catalogue,
                                    "SELECT source, target, flips FROM graph_edge "
                                    "WHERE controller = ? ORDER BY source, target, flips",
                                    error);
    tr_query_bind_int(&query, controller);
    for (; e < graph->edge_count && tr_query_next(&query); e++) {
        graph->edge[e].from = tr_query_int(&query, 0, LAST);
        graph->edge[e].to = tr_query_int(&query, 0, LAST);
        graph->edge[e].flips = tr_query_bool(&query);
    }
    return tr_query_end(&query);
}

tr_status tr_graphs_get(tr_catalogue *catalogue, tr_row_id controller, tr_control_graph *graph,
                        tr_error *error) {
    tr_status status = get_nodes(catalogue, controller, graph->bank.action.size, graph, error);
    return status ? status : get_edges(catalogue, controller, graph, error);
}
