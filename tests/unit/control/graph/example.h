/* The control graph of the tests, without motion, and a puppet's controller of it.
 *
 * stand: fragments 0, 1, cyclic; walk: 2 to 4, mirrored; run: 5, 6, mirrored; flip: 7 to 9, a chain.
 * Stand and run are not neighbours. */
#pragma once

#include "control/graph/control_graph.h"

enum { STAND, WALK, RUN, FLIP };
enum { NODES = 4, EDGES = 9, FRAGMENTS = 10, EXAMPLE_STEPS = 20 };

tr_graph_node example_node(const char *skill, int first, int count, bool cyclic);

/* Nodes and edges, and fragments that are zero. Not to be changed by two tests at a time. */
tr_control_graph *example(void);

tr_controller *example_controller(const tr_model *model);

/* cmocka's setup and teardown of a group: the puppet's model. */
int example_set_up(void **fixture);
int example_tear_down(void **fixture);
