#include "learn/distil/switch_test.h"

#include "learn/rehearsal/trial.h"
#include "learn/rehearsal/trial_ground.h"
#include "math/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOR_SWITCH = 2 };
static const double SETTLE_LOW_S = 2, SETTLE_HIGH_S = 4, SLOPE_SIDE_M = 60;

/* survived: [pairs * trials] */
typedef struct switches {
    const tr_controller *controller;
    const tr_switch_test *test;
    const tr_control_graph *graph;
    bool *survived;
} switches;

/* The skills of an item's pair. */
static int find_pair(const switches *all, int item, int *out_to) {
    const int pair = item / all->test->trials, others = all->graph->node_count - 1,
              from = pair / others, to = pair % others;
    *out_to = to + (to >= from);
    return from;
}

/* Of the value of an entry, 0 to 2.5: what is worth so much less is drawn e times more seldom. */
static const double VALUE_SPREAD = 0.06, LEAST = 1e-12;

static double value_of(const tr_follower *cycles, const tr_network *critic, int fragment,
                       const tr_features *seen) {
    float deviation[TR_FEATURE_COUNT], value;
    tr_follower_deviation(cycles, fragment, seen, deviation);
    if (critic) {
        tr_follower_evaluate(cycles, critic, fragment, deviation, &value);
        return (double)value;
    }
    tr_features there = {0};
    memcpy(there.s, cycles->mean[fragment], sizeof there.s);
    return -tr_features_distance(seen, &there);
}

tr_cue tr_switch_entry(const tr_follower *cycles, const tr_network *critic,
                       const tr_graph_node *node, const tr_features *state, tr_random *random) {
    const tr_features image = tr_features_mirror(state);
    double most = -INFINITY;
    tr_cue best = {.given = true};
    for (int f = node->first; f < node->first + node->count; f++)
        for (int half = 0; half <= node->mirrored; half++) {
            double worth = value_of(cycles, critic, f, half ? &image : state);
            /* The largest with such noise is drawn as often as its exponential says (Gumbel 1954). */
            if (random)
                worth -= VALUE_SPREAD * tr_log(LEAST - tr_log(1 - tr_random_uniform(random)));
            if (worth > most) {
                most = worth;
                best.entry = f;
                best.mirrored = half == 1;
            }
        }
    return best;
}

static void run(void *context, int item, tr_rehearsal *rehearsal) {
    switches *all = context;
    int to;
    const tr_graph_node *node = &all->graph->node[find_pair(all, item, &to)];
    tr_random random = tr_random_split(all->test->seed, FOR_SWITCH, (uint64_t)item);
    const int entry = node->first + (int)(tr_random_uniform(&random) * node->count);
    const tr_trial_ground slope = {
        .kind = TR_TRIAL_GROUND_UP, .amount = all->test->slope_deg, .side_m = SLOPE_SIDE_M};
    tr_state start =
        tr_trial_disturb(&all->graph->bank.fragment[entry].start, all->test->seed, item);
    const double settle_s =
        SETTLE_LOW_S + (SETTLE_HIGH_S - SETTLE_LOW_S) * tr_random_uniform(&random);
    tr_trial trial;
    if (slope.amount > 0)
        start = tr_state_place(&start, 2 * TR_PI * tr_random_uniform(&random), (tr_vec3){0, 0, 0});
    if (tr_trial_ground_raise(&slope, rehearsal->world, &start) ||
        tr_trial_begin_at(&trial, all->controller, entry, rehearsal, &start))
        return;
    /* Walk in the first skill, up to the end of a fragment. */
    tr_trial_run(&trial, rehearsal, llround(settle_s / all->controller->step_s));
    if (trial.step != 0)
        tr_trial_finish_entry(&trial, rehearsal);
    const tr_features seen = tr_rehearsal_features(rehearsal);
    /* Change to the second, and watch. */
    trial.runner.cue =
        tr_switch_entry(all->test->cycles, all->test->critic, &all->graph->node[to], &seen, NULL);
    tr_trial_run(&trial, rehearsal,
                 trial.steps + llround(all->test->after_s / all->controller->step_s));
    all->survived[item] = !trial.lost;
    tr_trial_ground_lift(rehearsal->world);
}

tr_status tr_switch_test_run(tr_ensemble *ensemble, const tr_controller *controller,
                             const tr_switch_test *test, tr_switch_result *out) {
    switches all = {.controller = controller, .test = test, .graph = tr_graph_of(controller)};
    const int nodes = all.graph->node_count, trials = nodes * (nodes - 1) * test->trials;
    *out = (tr_switch_result){.trials = trials};
    all.survived = calloc((size_t)trials + 1, sizeof *all.survived);
    if (!all.survived)
        return TR_RESOURCE_EXHAUSTED;
    tr_ensemble_share(ensemble, run, &all, trials,
                      (const tr_ranks_result[]){{all.survived, sizeof *all.survived}, {0}});
    for (int i = 0; i < trials; i++) {
        int to;
        const int from = find_pair(&all, i, &to);
        out->survived[from][to] += all.survived[i];
        out->held += all.survived[i];
    }
    free(all.survived);
    return TR_OK;
}
