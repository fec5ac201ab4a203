#include "learn/rehearsal/random_walk.h"

#include "control/graph/control_graph.h"
#include "learn/rehearsal/names.h"

#include <stdio.h>
#include <string.h>

static const double WITHIN_S = 30, DWELL_S = 3;
enum { VISIT_MAX = 2 };

/* Steers to a skill and simulates to the end of the first fragment in it. The trial is lost if it
 * is not there within thirty seconds. */
static void tr_random_walk_to(tr_trial *trial, tr_rehearsal *rehearsal, const char *skill) {
    const tr_control_graph *graph = tr_graph_of(trial->runner.controller);
    int node = tr_control_graph_find(graph, skill);
    int64_t last = trial->steps + (int64_t)(WITHIN_S / trial->runner.controller->step_s);
    memset(trial->runner.target.skill, 0, TR_NAME_MAX);
    snprintf(trial->runner.target.skill, TR_NAME_MAX, "%s", skill);
    while (!trial->lost && trial->steps < last) {
        if (tr_control_graph_node_of(graph, trial->watch.entry) == node)
            return;
        tr_trial_finish_entry(trial, rehearsal);
    }
    trial->lost = true;
}

/* Continues for `seconds`, and to the end of the fragment. */
static void tr_random_walk_dwell(tr_trial *trial, tr_rehearsal *rehearsal, double seconds) {
    int64_t last = trial->steps + (int64_t)(seconds / trial->runner.controller->step_s);
    while (!trial->lost && trial->steps < last)
        tr_trial_finish_entry(trial, rehearsal);
}

static bool is_elsewhere(const tr_graph_node *node, const char *here) {
    return node->cyclic && strcmp(node->skill, here) != 0;
}

/* Draws a cyclic skill other than `here`, evenly; NULL: the graph has no other. */
static const char *draw_other(const tr_control_graph *graph, const char *here, tr_random *random) {
    int others = 0;
    for (int n = 0; n < graph->node_count; n++)
        others += is_elsewhere(&graph->node[n], here);
    int chosen = (int)(tr_random_uniform(random) * others);
    for (int n = 0; n < graph->node_count; n++)
        if (is_elsewhere(&graph->node[n], here) && chosen-- == 0)
            return graph->node[n].skill;
    return NULL;
}

static void visit(tr_trial *trial, tr_rehearsal *rehearsal, tr_random *random, double dwell_s,
                  const char *skill) {
    tr_random_walk_to(trial, rehearsal, skill);
    tr_random_walk_dwell(trial, rehearsal, dwell_s * tr_random_uniform(random));
}

void tr_random_walk(tr_trial *trial, tr_rehearsal *rehearsal, tr_random *random, const char *skill,
                    const tr_random_walk_def *walk) {
    double dwell_s = walk->dwell_s > 0 ? walk->dwell_s : DWELL_S;
    const tr_control_graph *graph = tr_graph_of(trial->runner.controller);
    char last[TR_NAME_MAX];
    int visits = (int)(tr_random_uniform(random) * (VISIT_MAX + 1));
    for (int i = 0; i < visits; i++) {
        const char *other = draw_other(graph, skill, random);
        if (!other)
            break;
        visit(trial, rehearsal, random, dwell_s, other);
    }
    if (walk->after) {
        /* One of a list of names between commas, drawn evenly. */
        const char *rest = walk->after;
        int count = 0;
        while (tr_names_next(&rest, last))
            count++;
        rest = walk->after;
        for (int chosen = (int)(tr_random_uniform(random) * count); chosen >= 0; chosen--)
            (void)tr_names_next(&rest, last);
        visit(trial, rehearsal, random, dwell_s, last);
    }
    tr_random_walk_to(trial, rehearsal, skill);
    if (!walk->after)
        tr_random_walk_dwell(trial, rehearsal,
                             dwell_s * (2 * tr_random_uniform(random) - 1)); /* below 0: none */
}
