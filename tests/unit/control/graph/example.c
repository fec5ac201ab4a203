#include "unit/control/graph/example.h"

#include "model/mjcf.h"
#include "unit/control/puppet.h"

#include <string.h>

tr_graph_node example_node(const char *skill, int first, int count, bool cyclic) {
    tr_graph_node out = {.first = first, .count = count, .cyclic = cyclic, .gain_set = "a"};
    strcpy(out.skill, skill);
    return out;
}

tr_control_graph *example(void) {
    static const tr_graph_edge edges[EDGES] = {
        {0, 2, false}, {1, 2, false}, {1, 7, false}, {3, 0, false}, {3, 5, true},
        {4, 6, false}, {6, 2, true},  {9, 0, false}, {9, 2, false},
    };
    static tr_graph_node nodes[NODES];
    static tr_graph_edge own[EDGES];
    static tr_fragment fragments[FRAGMENTS];
    static tr_control_graph graph;
    memcpy(own, edges, sizeof edges);
    nodes[STAND] = example_node("stand", 0, 2, true);
    nodes[WALK] = example_node("walk", 2, 3, true);
    nodes[RUN] = example_node("run", 5, 2, true);
    nodes[FLIP] = example_node("flip", 7, 3, false);
    nodes[WALK].mirrored = nodes[RUN].mirrored = true;
    nodes[WALK].steering =
        (tr_steering){.speed_mps = 1.2, .turn_rad_s = 0.5, .faster_mps = 0.2, .slower_mps = 0.2};
    nodes[RUN].steering = (tr_steering){.speed_mps = 2.7, .turn_rad_s = 0.5};
    strcpy(nodes[RUN].gain_set, "b");
    for (int f = 0; f < FRAGMENTS; f++)
        fragments[f].steps = EXAMPLE_STEPS;
    fragments[2].end.pose.root_pos.x = 0;
    graph = (tr_control_graph){.bank = {.fragment = fragments},
                               .node_count = NODES,
                               .edge_count = EDGES,
                               .node = nodes,
                               .edge = own};
    return &graph;
}

tr_controller *example_controller(const tr_model *model) {
    const tr_control_graph *from = example();
    tr_controller *controller =
        puppet_graph(model, (tr_graph_size){FRAGMENTS, EXAMPLE_STEPS, NODES, EDGES});
    tr_control_graph *graph = tr_graph_of(controller);
    memcpy(graph->node, from->node, NODES * sizeof *graph->node);
    memcpy(graph->edge, from->edge, EDGES * sizeof *graph->edge);
    graph->bank.mirrored = true;
    return controller;
}

int example_set_up(void **fixture) {
    *fixture = puppet_model();
    return 0;
}

int example_tear_down(void **fixture) {
    tr_model_destroy(*fixture);
    return 0;
}
