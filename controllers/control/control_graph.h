/* Control graphs (Liu 2015 guided, section 4 and figure 10): skills and the ways between them.
 *
 * The fragments of all skills lie in one controller, its bank; the graph says which of them make up
 * which skill, and where one may go over to another. A node is a skill: a chain of fragments, run
 * one after the other. A cyclic one begins again, a mirrored one with left and right exchanged. An
 * edge leads from the end of a fragment to the start of one of another node; where it flips, the
 * character goes over into the other half: what it was doing on the left it does on the right. An
 * edge may be taken in either half, for everything may be mirrored.
 *
 * A part of a controller; immutable with it, and shared by threads. */
#ifndef TROUPE_CONTROL_CONTROL_GRAPH_H
#define TROUPE_CONTROL_CONTROL_GRAPH_H

#include "control/steering.h"

enum { TR_GRAPH_NODE_MAX = 64, TR_GRAPH_EDGE_MAX = 4096 };

typedef struct tr_graph_node {
    char skill[TR_NAME_MAX]; /* unique in the graph; what a wish names */
    char gain_set[TR_NAME_MAX];
    int first, count; /* fragments of the bank */
    bool cyclic, mirrored;
    double turn_rad; /* heading gained from start to end of what turning is done by; 0: other */
    tr_steering steering; /* while in this node */
} tr_graph_node;

/* from: after the end of this fragment of the bank; to: before this one. */
typedef struct tr_graph_edge {
    int from, to;
    bool flips;
} tr_graph_edge;

/* node: in order of their fragments, which together are the whole bank; edge: sorted by (from, to,
 * flips). Both owned. */
typedef struct tr_control_graph {
    int node_count, edge_count;
    tr_graph_node *node;
    tr_graph_edge *edge;
} tr_control_graph;

/* Zeroed, with room. TR_INVALID_ARGUMENT past the caps; TR_RESOURCE_EXHAUSTED without memory. */
tr_status tr_control_graph_create(int node_count, int edge_count,
                                  tr_control_graph **out) TR_NODISCARD;
tr_status tr_control_graph_copy(const tr_control_graph *graph, tr_control_graph **out) TR_NODISCARD;
void tr_control_graph_destroy(tr_control_graph *graph); /* NULL is fine */

/* Is it whole, for a bank of so many fragments on this model? The message names node or edge. Every
 * chain that is not cyclic has an edge from its end. TR_INVALID_ARGUMENT: it is not. */
tr_status tr_control_graph_check(const tr_control_graph *graph, const tr_model *model,
                                 int fragment_count, tr_error *error) TR_NODISCARD;

/* Order of edges. */
int tr_graph_edge_compare(const tr_graph_edge *a, const tr_graph_edge *b);

/* The node that holds a fragment; the node of a name, -1: none. */
int tr_control_graph_node_of(const tr_control_graph *graph, int fragment);
int tr_control_graph_find(const tr_control_graph *graph, const char *skill);

/* Is the node a rising skill: a chain that no edge leads to, entered after a fall (recovery.h)? */
bool tr_control_graph_rises(const tr_control_graph *graph, int node);

/* Edges from the end of a fragment: [*out_count]. */
const tr_graph_edge *tr_control_graph_edges(const tr_control_graph *graph, int from,
                                            int *out_count);

uint64_t tr_control_graph_hash(const tr_control_graph *graph, uint64_t hash);

#endif
