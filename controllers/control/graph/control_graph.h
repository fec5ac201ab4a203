/* Control graphs (Liu 2015 guided, section 4 and figure 10): skills and the transitions between
 * them (driver kind "graph").
 *
 * The fragments of all skills are in one bank; the graph says which of them make up which skill,
 * and where one may lead to another. A node is a skill: a chain of fragments, run in their order. A
 * cyclic one begins again, a mirrored one with left and right exchanged. An edge leads from the end
 * of a fragment to the start of one of another node; where it flips, the character continues in the
 * other half: what it was doing on the left it does on the right. An edge may be taken in either
 * half, because everything may be mirrored. The planner (planner.h) chooses at the end of each
 * fragment.
 *
 * Entries are fragments of the bank. Parameters: action_offset (playback.h). */
#pragma once

#include "control/driver/controller.h"

enum { TR_GRAPH_NODE_MAX = 128, TR_GRAPH_EDGE_MAX = 4096, TR_CATCH_ROW_MAX = 4096 };

typedef struct tr_graph_node {
    char skill[TR_NAME_MAX]; /* unique in the graph; what a steering target names */
    char gain_set[TR_NAME_MAX];
    int first, count; /* fragments of the bank */
    bool cyclic, mirrored;
    double turn_rad; /* heading gained from start to end by a skill that turns; 0: any other */
    double
        settled; /* a character this near to the reference may leave a cyclic skill, one this near to
                      * its start may enter a chain; 0: planner.h */
    double
        steepest_rad; /* of the ground on which a cyclic skill may be asked for or passed; 0: any */
    tr_steering steering; /* while in this node */
} tr_graph_node;

/* from: after the end of this fragment of the bank; to: before this one. */
typedef struct tr_graph_edge {
    int from, to;
    bool flips;
} tr_graph_edge;

/* A state after a push, and the fragment in which a character in it regains its balance. */
typedef struct tr_catch_row {
    tr_features state;
    int fragment;
    bool mirrored;
} tr_catch_row;

/* How a standing character steps when it is pushed (catch_step.h).
 * beyond: the distance from the reference from which on it does; row: [count] */
typedef struct tr_catch_steps {
    double beyond;
    int count;
    tr_catch_row *row;
} tr_catch_steps;

/* bank: cyclic; mirrored where the graph has a mirrored node or an edge that flips
 * node: in order of their fragments, which together are the whole bank; edge: sorted by (from, to,
 *       flips). Both owned.
 * catches: its rows are owned; without a row it does not step
 * trip: [trip_count], owned; found when the graph is loaded (trips.h), and no part of its content */
typedef struct tr_control_graph {
    tr_bank bank;
    int node_count, edge_count, trip_count;
    tr_graph_node *node;
    tr_graph_edge *edge;
    tr_catch_steps catches;
    tr_driver_trip *trip;
} tr_control_graph;

extern const tr_driver_kind tr_graph_kind;

/* The size of a new graph: fragments have `steps` targets each. */
typedef struct tr_graph_size {
    int fragments, steps, nodes, edges;
} tr_graph_size;

/* An unnamed controller with a graph, which is zero except for its cyclic bank. Destroy it with
 * tr_controller_destroy. TR_INVALID_ARGUMENT: past the caps; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_graph_create(tr_graph_size size, int body_count, tr_controller **out) TR_NODISCARD;

/* NULL: the controller is not a graph, and does not recover one. */
tr_control_graph *tr_graph_of(const tr_controller *controller);

/* Is the graph well formed, its bank included? Every chain that is not cyclic must have an edge
 * from its end. The message names node or edge. */
tr_status tr_control_graph_check(const tr_control_graph *graph, const tr_model *model,
                                 tr_error *error) TR_NODISCARD;

/* For a driver that holds a graph: chooses the next fragment now, if that is due. Does a fragment
 * begin with the coming step? *out_fragment, *out_mirrored: the one in progress. state: the
 * graph's. */
bool tr_graph_begins(const tr_control_graph *graph, void *state, const tr_sight *sight,
                     int *out_fragment, bool *out_mirrored);

/* Is an edge between these nodes a jump: out of a cyclic skill into another, or into the midst of a chain? */
bool tr_graph_edge_jumps(const tr_graph_edge *edge, const tr_graph_node *from,
                         const tr_graph_node *to);

/* Order of edges (tr_graph_edge), for qsort. */
int tr_graph_edge_compare(const void *edge, const void *other);

/* The node that holds a fragment; the node of a name, -1: none. */
int tr_control_graph_node_of(const tr_control_graph *graph, int fragment);
int tr_control_graph_find(const tr_control_graph *graph, const char *skill);

/* Is the node a rising skill: a chain that no edge leads to, entered after a fall
 * (recovery/recovery.h)? */
bool tr_control_graph_rises(const tr_control_graph *graph, int node);

/* The first cyclic skill whose reference stands still; -1: none. */
int tr_control_graph_rest(const tr_control_graph *graph);

/* Is there a mirrored node or an edge that flips, by which the other half is entered? */
bool tr_control_graph_flips(const tr_control_graph *graph);

/* Is ground of this normal too steep for the skill that is named? Other names: no. */
bool tr_control_graph_is_too_steep(const tr_control_graph *graph, const char *skill,
                                   tr_vec3 normal);

/* Finds the skills for which ground of this normal is too steep, and the chains that lead to no other. out:
 * [node_count] */
void tr_control_graph_find_steep(const tr_control_graph *graph, tr_vec3 normal, bool *out);

/* The direction in which the reference of a node's skill goes. */
tr_way tr_control_graph_way(const tr_control_graph *graph, int node);

/* Is it a cyclic skill whose reference goes to a side? */
bool tr_control_graph_steps_aside(const tr_control_graph *graph, int node);

/* Is it a side step, or the mirror image of another skill of the graph? In the mirrored half it goes
 * to the other side than its name says. */
bool tr_control_graph_has_side(const tr_control_graph *graph, int node);

/* Edges from the end of a fragment: [*out_count]. */
const tr_graph_edge *tr_control_graph_edges(const tr_control_graph *graph, int from,
                                            int *out_count);
