#include "learn/graph_season.h"

#include "learn/transition.h"

tr_graph_season_def tr_graph_season_default(void) {
    tr_graph_season_def def = {
        .rounds = 3, .harden = tr_transition_default().harden, .test = {100, 3, 20150815}};
    def.harden.updates = 8;
    def.harden.trials = 24;
    def.harden.rate = 0.3; /* what nearly holds is polished; with 1 it got worse */
    return def;
}

/* Polishes one chain, unless all hold who come to it. */
static tr_status season_chain(tr_ensemble *ensemble, const tr_graph_season_def *def,
                              tr_controller *controller, tr_graph_season_row *row) {
    const tr_passage *passage = &row->passage;
    tr_harden_def harden = def->harden;
    tr_passage_test test = def->test;
    harden.passage = passage;
    harden.after_s += tr_passage_chain_s(passage, controller);
    test.seed += (uint64_t)row->round;
    harden.seed = test.seed * 1000 + (uint64_t)passage->first;
    tr_status status = tr_passage_try(ensemble, controller, passage, &test, &row->before);
    if (status || (row->before.came > 0 && row->before.held == row->before.came))
        return status;
    return tr_polish(ensemble, &harden, &test, row->before, controller, &row->after);
}

tr_status tr_graph_season(tr_ensemble *ensemble, const tr_graph_season_def *def,
                          tr_graph_season_told told, void *context, tr_controller *controller) {
    const tr_control_graph *graph = controller->graph;
    if (!graph || def->rounds < 1 || def->test.trials < 1 || !(def->test.after_s > 0))
        return TR_INVALID_ARGUMENT;
    for (int round = 1; round <= def->rounds; round++)
        for (int n = 0; n < graph->node_count; n++) {
            tr_graph_season_row row = {.round = round};
            if (!tr_passage_over(graph, n, &row.passage))
                continue;
            row.passage.roams = true;
            tr_status status = season_chain(ensemble, def, controller, &row);
            if (status)
                return status;
            if (told)
                told(context, &row);
        }
    return TR_OK;
}
