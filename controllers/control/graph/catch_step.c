#include "control/graph/catch_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A character that is beyond this share of the distance at two ends of a fragment in a row topples
 * slowly: without it 42 of 48 survived 100 N, with it 48; 150 and 200 N were as before. */
static const double SLOWLY = 2 / 3.0;

tr_status tr_catch_steps_set(tr_control_graph *graph, const tr_catch_steps *steps) {
    const size_t size = (size_t)steps->count * sizeof *steps->row;
    tr_catch_row *row = malloc(size ? size : 1);
    if (!row)
        return TR_RESOURCE_EXHAUSTED;
    if (size)
        memcpy(row, steps->row, size);
    free(graph->catches.row);
    graph->catches = (tr_catch_steps){steps->beyond, steps->count, row};
    return TR_OK;
}

bool tr_catch_step_calms(const tr_control_graph *graph, int node, bool calm, bool catches,
                         double distance) {
    if (node != tr_control_graph_rest(graph))
        return calm && catches;
    return calm || (graph->catches.count > 0 && distance <= SLOWLY * graph->catches.beyond);
}

bool tr_catch_step_lasts(const tr_control_graph *graph, int node, bool catches,
                         const tr_steering_target *target, double distance) {
    const int rest = tr_control_graph_rest(graph);
    const bool nothing =
        target->skill[0] == 0 && target->aim == TR_AIM_NONE && target->speed_mps == 0;
    if (rest < 0 || !(nothing || strcmp(target->skill, graph->node[rest].skill) == 0))
        return false;
    return node == rest ? distance > SLOWLY * graph->catches.beyond : catches;
}

tr_graph_place tr_catch_step_choose(const tr_control_graph *graph, const tr_model *model,
                                    const tr_state *state, tr_graph_place next) {
    const tr_features now = tr_features_at(model, state);
    const tr_features image = tr_features_mirror(&now);
    tr_graph_place best = next;
    double least = INFINITY;
    for (int i = 0; i < graph->catches.count; i++) {
        const tr_catch_row *row = &graph->catches.row[i];
        for (int half = 0; half < (graph->bank.mirrored ? 2 : 1); half++) {
            const double off = tr_features_distance(half ? &image : &now, &row->state);
            if (off < least) {
                least = off;
                best = (tr_graph_place){row->fragment, row->mirrored != (half == 1)};
            }
        }
    }
    /* A row may say that the character stays. */
    const int rest = tr_control_graph_rest(graph);
    return tr_control_graph_node_of(graph, best.fragment) == rest ? next : best;
}
