/* How long a control graph's character takes to begin a skill that a player asks for.
 *
 * A trial brings the character into one cyclic skill, if asked to after another, lets it stay in
 * each for 2 to 6 s, and then asks for the next at any step. Counted is the time until the first
 * step in that skill, divided into the time in the first skill (where it waits to be settled and
 * for the next way out), in transitions, and in other skills on the way. Falls count from the
 * request until 3 s after the skill began. Deterministic, whatever the number of threads. */
#ifndef TROUPE_LEARN_GRAPH_REQUESTS_H
#define TROUPE_LEARN_GRAPH_REQUESTS_H

#include "control/graph/control_graph.h"
#include "learn/rehearsal/ensemble.h"

/* from, to: nodes; cyclic skills, not the same */
typedef struct tr_graph_request_pair {
    int from, to;
} tr_graph_request_pair;

typedef struct tr_graph_request_test {
    int trials; /* of each pair; 1 to 1000 */
    uint64_t seed;
    double hills_deg; /* 0: on the plane; else on hills so steep at most, others for each trial */
    const char
        *after; /* names of cyclic skills between commas: a trial stays in one of these, drawn
                        * evenly, before it goes to the first skill of the pair; NULL: in none */
} tr_graph_request_test;

/* asked: the first skill was reached; began: the other was, within 60 s; fell: after the request.
 * parts_s: of the time until it began. expected_s: what the driver expected at the request. */
typedef struct tr_graph_request {
    bool asked, began, fell;
    double seconds, waits_s, transitions_s, others_s;
    double expected_s;
} tr_graph_request;

/* out: [count][trials]. TR_INVALID_ARGUMENT: no graph, a pair of equal or not
 * cyclic nodes, or a number out of range; `after` names another thing than cyclic skills. */
tr_status tr_graph_requests(tr_ensemble *ensemble, const tr_controller *controller,
                            const tr_graph_request_test *test, const tr_graph_request_pair *pair,
                            int count, tr_graph_request *out) TR_NODISCARD;

#endif
