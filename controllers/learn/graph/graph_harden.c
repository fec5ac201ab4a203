#include "learn/graph/graph_harden.h"

#include "learn/graph/transition.h"
#include "learn/rehearsal/names.h"

#include <string.h>

tr_graph_harden_def tr_graph_harden_default(void) {
    tr_graph_harden_def def = {
        .rounds = 3, .harden = tr_transition_default().harden, .test = {100, 3, 20150815, 0}};
    def.harden.updates = 8;
    def.harden.trials = 24;
    def.harden.rate = 0.3; /* for a transition that nearly holds; with 1 it gets worse */
    return def;
}

/* Hardens the chain or the skill that learns on one transition. Skips it if all trials hold, unless
 * it was named. */
static tr_status harden_transition(tr_ensemble *ensemble, const tr_graph_harden_def *def,
                                   tr_controller *controller, tr_graph_harden_row *row) {
    const tr_graph_transition *transition = &row->transition;
    tr_harden_def harden = def->harden;
    tr_graph_transition_test test = def->test;
    harden.transition = transition;
    if (test.slope_deg > 0)
        harden.ground = (tr_harden_ground){.share = 1, .slope_deg = test.slope_deg};
    harden.after_s += tr_graph_transition_chain_s(transition, controller);
    /* Each round tests and hardens on fresh seeds, which differ from learner to learner too. */
    test.seed += (uint64_t)row->round;
    harden.seed = test.seed * 1000 + (uint64_t)transition->learns;
    tr_status status =
        tr_graph_transition_try(ensemble, controller, transition, &test, &row->before);
    /* Hardening what always holds can only make it worse; a learner that was named is hardened
     * anyhow. */
    bool perfect = row->before.came > 0 && row->before.held == row->before.came;
    if (status || (perfect && !def->learns))
        return status;
    return tr_polish(ensemble, &harden, &test, row->before, controller, &row->after);
}

bool tr_graph_harden_misses(const tr_control_graph *graph, const char *names, bool cyclic,
                            char out[static TR_NAME_MAX]) {
    while (tr_names_next(&names, out)) {
        int node = tr_control_graph_find(graph, out);
        if (node < 0 || (cyclic && !graph->node[node].cyclic))
            return true;
    }
    return false;
}

/* Are all names in the definition nodes of the graph, and those to start in cyclic skills? */
static bool are_known(const tr_graph_harden_def *def, const tr_control_graph *graph) {
    const char *after = def->walk.after;
    char name[TR_NAME_MAX];
    return !(def->learns && tr_graph_harden_misses(graph, def->learns, false, name)) &&
           !(after && (!after[0] || tr_graph_harden_misses(graph, after, true, name)));
}

enum { CHAIN_LEARNS, SKILL_LEARNS, LEARNERS };

/* Chooses the transition over a node, on which the chain or the skill after it learns. false: the
 * node is not a transition, or it was not asked for. */
static bool choose_transition(const tr_graph_harden_def *def, const tr_control_graph *graph,
                              int node, int learner, tr_graph_transition *out) {
    if (!tr_graph_transition_over(graph, node, out))
        return false;
    out->walks = true;
    out->walk = def->walk;
    if (learner == CHAIN_LEARNS)
        return !def->learns || tr_names_have(def->learns, graph->node[node].skill);
    tr_graph_transition_teach_skill(out, graph);
    return def->learns && tr_names_have(def->learns, out->to);
}

static bool has_chain_to(const tr_control_graph *graph, const char *skill) {
    tr_graph_transition chain;
    for (int n = 0; n < graph->node_count; n++)
        if (tr_graph_transition_over(graph, n, &chain) && strcmp(chain.to, skill) == 0)
            return true;
    return false;
}

/* Chooses the jump to a skill that was asked for and that no chain leads to: a chain of the fragment entered. */
static bool choose_jump(const tr_graph_harden_def *def, const tr_control_graph *graph, int edge,
                        tr_graph_transition *out) {
    const tr_graph_edge *jump = &graph->edge[edge];
    const tr_graph_node *from = &graph->node[tr_control_graph_node_of(graph, jump->from)];
    const tr_graph_node *to = &graph->node[tr_control_graph_node_of(graph, jump->to)];
    *out = (tr_graph_transition){.leave = jump->from,
                                 .first = jump->to,
                                 .count = 1,
                                 .enter = jump->to,
                                 .flips = jump->flips,
                                 .walks = true,
                                 .walk = def->walk};
    memcpy(out->from, from->skill, TR_NAME_MAX);
    memcpy(out->to, to->skill, TR_NAME_MAX);
    tr_graph_transition_teach_skill(out, graph);
    return from != to && from->cyclic && to->cyclic && def->learns &&
           tr_names_have(def->learns, out->to) && !has_chain_to(graph, out->to);
}

/* Chooses what an item hardens: the transition over a node; items after those of the nodes are
 * jumps along edges. */
static bool choose(const tr_graph_harden_def *def, const tr_control_graph *graph, int item,
                   tr_graph_transition *out) {
    const int nodes = graph->node_count * LEARNERS;
    return item < nodes ? choose_transition(def, graph, item / LEARNERS, item % LEARNERS, out)
                        : choose_jump(def, graph, item - nodes, out);
}

bool tr_graph_harden_next(const tr_graph_harden_def *def, const tr_control_graph *graph,
                          tr_graph_harden_place *place, tr_graph_transition *out) {
    const int items = graph->node_count * LEARNERS + graph->edge_count;
    for (; place->round < def->rounds; place->round++, place->item = 0)
        for (; place->item < items; place->item++)
            if (choose(def, graph, place->item, out))
                return true;
    return false;
}

double tr_graph_harden_share(const tr_graph_harden_def *def, const tr_control_graph *graph,
                             tr_graph_harden_place place) {
    const double items = graph->node_count * LEARNERS + graph->edge_count;
    return (place.round + place.item / items) / def->rounds;
}

tr_status tr_graph_harden_check(const tr_graph_harden_def *def, const tr_controller *controller) {
    const tr_control_graph *graph = tr_graph_of(controller);
    return graph && def->rounds >= 1 && def->test.trials >= 1 && def->test.after_s > 0 &&
                   are_known(def, graph) && def->walk.dwell_s >= 0
               ? TR_OK
               : TR_INVALID_ARGUMENT;
}

tr_status tr_graph_harden(tr_ensemble *ensemble, const tr_graph_harden_def *def,
                          tr_graph_harden_place *place, tr_controller *controller,
                          tr_graph_harden_row *out) {
    *out = (tr_graph_harden_row){0};
    if (!tr_graph_harden_next(def, tr_graph_of(controller), place, &out->transition))
        return TR_OK;
    out->round = place->round + 1;
    place->item++;
    return harden_transition(ensemble, def, controller, out);
}
