/* Control graphs in the catalogue: the nodes and edges of a controller that is a graph; its
 * fragments are stored with the controller. Used by tr_controllers_put and tr_controllers_load; for
 * files of db/. */
#ifndef TROUPE_DB_GRAPHS_H
#define TROUPE_DB_GRAPHS_H

#include "control/graph/control_graph.h"
#include "db/store/catalogue.h"

/* Stores the graph (NULL: none) of a controller that has none yet. `size`: of its action. */
tr_status tr_graphs_put(tr_catalogue *catalogue, tr_row_id controller,
                        const tr_control_graph *graph, int size, tr_error *error) TR_NODISCARD;

/* The size of a controller's graph; 0 nodes: not a graph. */
tr_status tr_graphs_count(tr_catalogue *catalogue, tr_row_id controller, int *out_nodes,
                          int *out_edges, tr_error *error) TR_NODISCARD;

/* Fills nodes and edges of a graph of this size. TR_DATA_LOSS: a row is damaged. The caller checks
 * that the graph fits its bank (tr_controller_check). */
tr_status tr_graphs_get(tr_catalogue *catalogue, tr_row_id controller, tr_control_graph *graph,
                        tr_error *error) TR_NODISCARD;

/* Adds the graph to the digest of its controller; NULL adds nothing. */
void tr_graphs_digest(const tr_control_graph *graph, tr_digest_writer *writer);

#endif
