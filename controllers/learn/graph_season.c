#include "learn/graph_season.h"

#include "learn/transition.h"

#include <stdlib.h>
#include <string.h>

tr_graph_season_def tr_graph_season_default(void) {
    tr_graph_season_def def = {
        .rounds = 3, .harden = tr_transition_default().harden, .test = {100, 3, 20150815}};
    def.harden.updates = 8;
    def.harden.trials = 24;
    def.harden.rate = 0.3; /* what nearly holds is polished; with 1 it got worse */
    return def;
}

/* The chain's policies, aside: [count]. */
static void copy_policies(tr_fragment *fragment, tr_policy *aside, int count, bool back) {
    for (int k = 0; k < count; k++) {
        if (back)
            fragment[k].policy = aside[k];
        else
            aside[k] = fragment[k].policy;
    }
}

static double share(int held, int came) {
    return came > 0 ? (double)held / came : 0;
}

/* Hardens one chain; takes it back when it has become worse. */
static tr_status season_chain(tr_ensemble *ensemble, const tr_graph_season_def *def,
                              tr_controller *controller, tr_graph_season_row *row) {
    const tr_passage *passage = &row->passage;
    tr_fragment *chain = controller->fragment + passage->first;
    tr_harden_def harden = def->harden;
    tr_passage_test test = def->test;
    double mean_return = 0;
    harden.passage = passage;
    harden.after_s += tr_passage_chain_s(passage, controller);
    test.seed += (uint64_t)row->round;
    harden.seed = test.seed * 1000 + (uint64_t)passage->first;
    tr_status status =
        tr_passage_try(ensemble, controller, passage, &test, &row->came_before, &row->held_before);
    if (status || (row->came_before > 0 && row->held_before == row->came_before))
        return status;
    tr_policy *aside = calloc((size_t)passage->count, sizeof *aside);
    if (!aside)
        return TR_RESOURCE_EXHAUSTED;
    copy_policies(chain, aside, passage->count, false);
    status = tr_harden(ensemble, &harden, controller, &mean_return);
    if (!status)
        status = tr_passage_try(ensemble, controller, passage, &test, &row->came_after,
                                &row->held_after);
    if (share(row->held_after, row->came_after) < share(row->held_before, row->came_before))
        copy_policies(chain, aside, passage->count, true);
    free(aside);
    return status;
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
