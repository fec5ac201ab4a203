/* Trials of sudden changes: a character in one skill of a graph of cyclic skills continues, at the end
 * of the fragment in progress, in another one, at the place where that is most alike (nearest in
 * features) or worth the most, whether the graph has a way there or not. */
#pragma once

#include "control/driver/runner.h"
#include "control/network/follower.h"
#include "learn/rehearsal/ensemble.h"
#include "math/random.h"

/* trials: of each ordered pair of skills; after_s: to be survived
 * cycles: says where the skills usually are; of the same graph
 * critic: says where to enter; NULL: where the skill is most alike
 * slope_deg: 0: on the plane; else on a slope, heading anywhere */
typedef struct tr_switch_test {
    const tr_follower *cycles;
    const tr_network *critic;
    int trials;
    double after_s, slope_deg;
    uint64_t seed;
} tr_switch_test;

/* survived: [node][node], of test->trials each; trials, held: of all pairs together */
typedef struct tr_switch_result {
    int survived[TR_GRAPH_NODE_MAX][TR_GRAPH_NODE_MAX];
    int trials, held;
} tr_switch_result;

/* The place of a skill at which to enter it in a state: that which the critic values most, or without a
 * critic that which is most alike. random: draws places that are worth little less too; NULL: does not */
tr_cue tr_switch_entry(const tr_follower *cycles, const tr_network *critic,
                       const tr_graph_node *node, const tr_features *state, tr_random *random);

/* Deterministic, whatever the number of threads. TR_RESOURCE_EXHAUSTED. */
tr_status tr_switch_test_run(tr_ensemble *ensemble, const tr_controller *controller,
                             const tr_switch_test *test, tr_switch_result *out) TR_NODISCARD;
