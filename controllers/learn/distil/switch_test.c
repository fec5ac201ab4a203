#include "learn/distil/switch_test.h"

#include "control/graph/planner.h"
#include "learn/rehearsal/trial.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOR_SWITCH = 2 };
static const double SETTLE_LOW_S = 2, SETTLE_HIGH_S = 4;

typedef struct pair {
    int from, to;
} pair;

/* pair: [pairs]; survived: [pairs * trials] */
typedef struct switches {
    const tr_controller *controller;
    const tr_switch_test *test;
    const tr_control_graph *graph;
    pair *pair;
    int pairs;
    bool *survived;
} switches;

/* Continues in the other skill as soon as an edge leads there. */
static void change(const switches *all, int to, tr_trial *trial, tr_rehearsal *rehearsal) {
    static const tr_planner_stance settled = {.settled = true, .tidies = -1};
    const tr_control_graph *graph = all->graph;
    tr_steering_target target = {0};
    memcpy(target.skill, graph->node[to].skill, sizeof target.skill);
    for (int f = 0; f < 2 * graph->bank.fragment_count && !trial->lost; f++) {
        const tr_graph_place done = {trial->watch.entry, trial->watch.mirrored};
        const tr_graph_place next = tr_planner_next(graph, done, &settled, &target, 0);
        if (tr_control_graph_node_of(graph, next.fragment) == to) {
            trial->runner.cue = (tr_cue){true, next.fragment, next.mirrored};
            return;
        }
        tr_trial_finish_entry(trial, rehearsal);
    }
    trial->lost = true;
}

static void run(void *context, int item, tr_rehearsal *rehearsal) {
    switches *all = context;
    const tr_graph_node *node = &all->graph->node[all->pair[item / all->test->trials].from];
    tr_random random = tr_random_split(all->test->seed, FOR_SWITCH, (uint64_t)item);
    const int entry = node->first + (int)(tr_random_uniform(&random) * node->count);
    const tr_state start =
        tr_trial_disturb(&all->graph->bank.fragment[entry].start, all->test->seed, item);
    const double settle_s =
        SETTLE_LOW_S + (SETTLE_HIGH_S - SETTLE_LOW_S) * tr_random_uniform(&random);
    tr_trial trial;
    if (tr_trial_begin_at(&trial, all->controller, entry, rehearsal, &start))
        return;
    tr_trial_run(&trial, rehearsal, llround(settle_s / all->controller->step_s));
    if (trial.step != 0)
        tr_trial_finish_entry(&trial, rehearsal);
    change(all, all->pair[item / all->test->trials].to, &trial, rehearsal);
    tr_trial_run(&trial, rehearsal,
                 trial.steps + llround(all->test->after_s / all->controller->step_s));
    all->survived[item] = !trial.lost;
}

static void count(const switches *all, tr_switch_result *out) {
    const int trials = all->test->trials;
    *out = (tr_switch_result){.pairs = all->pairs, .trials = all->pairs * trials};
    for (int i = 0; i < out->trials; i++) {
        const pair *it = &all->pair[i / trials];
        out->survived[it->from][it->to] += all->survived[i];
        out->held += all->survived[i];
    }
}

tr_status tr_switch_test_run(tr_ensemble *ensemble, const tr_controller *controller,
                             const tr_switch_test *test, tr_switch_result *out) {
    switches all = {.controller = controller, .test = test, .graph = tr_graph_of(controller)};
    const int nodes = all.graph->node_count;
    all.pair = calloc((size_t)nodes * (size_t)nodes, sizeof *all.pair);
    for (int a = 0; all.pair && a < nodes; a++)
        for (int b = 0; b < nodes; b++)
            if (a != b && all.graph->node[a].cyclic && all.graph->node[b].cyclic)
                all.pair[all.pairs++] = (pair){a, b};
    const int trials = all.pairs * test->trials;
    all.survived = calloc((size_t)trials + 1, sizeof *all.survived);
    if (all.pair && all.survived) {
        const tr_ranks_result results[] = {{all.survived, sizeof *all.survived}, {0}};
        tr_ensemble_share(ensemble, run, &all, trials, results);
        count(&all, out);
    }
    const bool whole = all.pair && all.survived;
    free(all.pair);
    free(all.survived);
    return whole ? TR_OK : TR_RESOURCE_EXHAUSTED;
}
