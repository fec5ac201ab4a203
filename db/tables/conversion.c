/* What SQL cannot convert when a catalogue gets a newer schema. Schema 7: the rows of steering and of
 * control graphs become the sections that chains and graphs save. Digests stay, so that loading the
 * controllers checks the result. */
#include "control/graph/control_graph.h"
#include "db/store/query.h"
#include "db/store/schema.h"
#include "db/tables/sections.h"

#include <stdlib.h>

/* --- steering --- */

/* Payload: u32 size of the action; speed, turn, faster and slower rates; the actions turn, faster,
 * slower, [size] each. */
static int get_steering(tr_query *query, tr_steering *out) {
    tr_blob_view blob = tr_query_blob(query);
    if (query->status)
        return 0;
    tr_blob_reader reader = tr_blob_open(blob, TR_BLOB_STEERING, 1, query->error);
    const int size = (int)tr_blob_get_int(&reader, 0, TR_ACTION_MAX);
    tr_blob_get_doubles(&reader, &out->speed_mps, 1);
    tr_blob_get_doubles(&reader, &out->turn_rad_s, 1);
    tr_blob_get_doubles(&reader, &out->faster_mps, 1);
    tr_blob_get_doubles(&reader, &out->slower_mps, 1);
    tr_blob_get_doubles(&reader, out->turn, (size_t)size);
    tr_blob_get_doubles(&reader, out->faster, (size_t)size);
    tr_blob_get_doubles(&reader, out->slower, (size_t)size);
    query->status = tr_blob_close(&reader);
    return size;
}

static tr_status move_steerings(tr_catalogue *catalogue, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, "SELECT controller, content FROM steering", error);
    while (tr_query_next(&query)) {
        tr_sections sections = {0};
        tr_steering steering = {0};
        const tr_row_id controller = tr_query_id(&query);
        const int size = get_steering(&query, &steering);
        if (!query.status)
            query.status = tr_steering_save(&steering, size, &sections, error);
        if (!query.status)
            query.status =
                tr_sections_put(catalogue, &tr_controller_sections, controller, &sections, error);
        tr_sections_deinit(&sections);
    }
    return tr_query_end(&query);
}

/* --- graphs --- */

static tr_status get_nodes(tr_catalogue *catalogue, tr_row_id controller, tr_control_graph *graph,
                           tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "SELECT position, skill, gain_set, first, fragments, cyclic, mirrored, turn_rad, steering "
        "FROM graph_node WHERE controller = ? ORDER BY position",
        error);
    tr_query_bind_int(&query, controller);
    while (graph->node_count < TR_GRAPH_NODE_MAX && tr_query_next(&query)) {
        tr_graph_node *node = &graph->node[graph->node_count];
        (void)tr_query_int(&query, graph->node_count, graph->node_count);
        graph->node_count++;
        tr_query_text(&query, node->skill, sizeof node->skill);
        tr_query_text(&query, node->gain_set, sizeof node->gain_set);
        node->first = tr_query_int(&query, 0, TR_BANK_FRAGMENT_MAX);
        node->count = tr_query_int(&query, 1, TR_BANK_FRAGMENT_MAX);
        node->cyclic = tr_query_bool(&query);
        node->mirrored = tr_query_bool(&query);
        node->turn_rad = tr_query_double(&query);
        get_steering(&query, &node->steering);
    }
    return tr_query_end(&query);
}

static tr_status get_edges(tr_catalogue *catalogue, tr_row_id controller, tr_control_graph *graph,
                           tr_error *error) {
    tr_query query = tr_query_begin(catalogue,
                                    "SELECT source, target, flips FROM graph_edge "
                                    "WHERE controller = ? ORDER BY source, target, flips",
                                    error);
    tr_query_bind_int(&query, controller);
    while (graph->edge_count < TR_GRAPH_EDGE_MAX && tr_query_next(&query)) {
        tr_graph_edge *edge = &graph->edge[graph->edge_count++];
        edge->from = tr_query_int(&query, 0, TR_BANK_FRAGMENT_MAX - 1);
        edge->to = tr_query_int(&query, 0, TR_BANK_FRAGMENT_MAX - 1);
        edge->flips = tr_query_bool(&query);
    }
    return tr_query_end(&query);
}

static tr_status move_graph(tr_catalogue *catalogue, tr_row_id controller, tr_control_graph *graph,
                            tr_error *error) {
    tr_sections sections = {0};
    tr_status status = get_nodes(catalogue, controller, graph, error);
    if (!status)
        status = get_edges(catalogue, controller, graph, error);
    if (!status)
        status = tr_graph_kind.save(graph, &sections, error);
    if (!status)
        status = tr_sections_put(catalogue, &tr_controller_sections, controller, &sections, error);
    tr_sections_deinit(&sections);
    return status;
}

static tr_status move_graphs(tr_catalogue *catalogue, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, "SELECT DISTINCT controller FROM graph_node", error);
    while (tr_query_next(&query)) {
        const tr_row_id controller = tr_query_id(&query);
        tr_control_graph graph = {.node = calloc(TR_GRAPH_NODE_MAX, sizeof *graph.node),
                                  .edge = calloc(TR_GRAPH_EDGE_MAX, sizeof *graph.edge)};
        if (!graph.node || !graph.edge)
            tr_query_fail(&query, TR_RESOURCE_EXHAUSTED, "graph: no memory");
        else if (!query.status)
            query.status = move_graph(catalogue, controller, &graph, error);
        free(graph.node);
        free(graph.edge);
    }
    return tr_query_end(&query);
}

tr_status tr_schema_convert(sqlite3 *db, int version, tr_error *error) {
    tr_catalogue catalogue = {.db = db, .writable = true, .begun = true};
    if (version != 7)
        return TR_OK;
    tr_status status = move_steerings(&catalogue, error);
    return status ? status : move_graphs(&catalogue, error);
}
