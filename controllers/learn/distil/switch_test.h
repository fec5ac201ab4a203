/* Trials of sudden changes: a character in one cyclic skill of a graph continues, at the end of the
 * fragment in progress, in another one, at the place to which the graph's edge leads, whether it is
 * settled or not. */
#ifndef TROUPE_LEARN_SWITCH_TEST_H
#define TROUPE_LEARN_SWITCH_TEST_H

#include "control/graph/control_graph.h"
#include "learn/rehearsal/ensemble.h"

/* trials: of each ordered pair of cyclic skills; after_s: to be survived */
typedef struct tr_switch_test {
    int trials;
    double after_s;
    uint64_t seed;
} tr_switch_test;

/* survived: [node][node], of test->trials each; pairs, held: of all pairs together */
typedef struct tr_switch_result {
    int survived[TR_GRAPH_NODE_MAX][TR_GRAPH_NODE_MAX];
    int pairs, trials, held;
} tr_switch_result;

/* Deterministic, whatever the number of threads. TR_RESOURCE_EXHAUSTED. */
tr_status tr_switch_test_run(tr_ensemble *ensemble, const tr_controller *controller,
                             const tr_switch_test *test, tr_switch_result *out) TR_NODISCARD;

#endif
