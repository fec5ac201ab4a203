#include "learn/graph/graph_slopes.h"

#include "learn/graph/blend_window.h"
#include "learn/graph/graph_bank.h"
#include "learn/rehearsal/graph_transition.h"
#include "learn/train/ground_answer.h"

#include <string.h>

static void set_level(const tr_model *model, tr_fragment *fragment, int count) {
    for (int k = 0; k < count; k++) {
        tr_features origin = tr_features_at(model, &fragment[k].start);
        memset(fragment[k].policy.ground, 0, sizeof fragment[k].policy.ground);
        tr_ground_answer_level(&fragment[k].policy, &origin);
    }
}

/* --- skills --- */

/* Is the skill that controller, apart from K and from where characters are spawned? */
static tr_status compare(const tr_model *model, const tr_controller *skill,
                         const tr_controller *trained, bool *out_same) {
    tr_controller *other = NULL;
    tr_status status = tr_controller_copy(trained, model, &other);
    if (status)
        return status;
    tr_bank *own = tr_controller_bank(skill), *bank = tr_controller_bank(other);
    other->spawn = skill->spawn;
    *out_same = own->fragment_count == bank->fragment_count;
    for (int k = 0; *out_same && k < bank->fragment_count; k++)
        memcpy(bank->fragment[k].policy.ground, own->fragment[k].policy.ground,
               sizeof own->fragment[k].policy.ground);
    *out_same = *out_same && tr_controller_hash(other, model) == tr_controller_hash(skill, model);
    tr_controller_destroy(other);
    return TR_OK;
}

static bool has_slopes(const tr_controller *controller) {
    const tr_bank *bank = tr_controller_bank(controller);
    bool sees = false;
    for (int k = 0; bank && k < bank->fragment_count; k++)
        sees |= tr_policy_ground_count(&bank->fragment[k].policy) > 0;
    return sees;
}

/* Finds the controller whose K the node takes; *out stays NULL where there is none. */
static tr_status find_trained(const tr_model *model, const tr_controller *controller, int node,
                              const tr_controller *const *trained, int count,
                              const tr_controller **out) {
    const char *name = tr_graph_of(controller)->node[node].skill;
    tr_controller *skill = NULL;
    tr_status status = tr_graph_bank_take(model, controller, node, &skill);
    for (int i = 0; !status && !*out && i < count; i++) {
        bool same = false;
        if (strcmp(trained[i]->name, name) == 0 && tr_chain_of(trained[i]) &&
            has_slopes(trained[i]))
            status = compare(model, skill, trained[i], &same);
        if (same)
            *out = trained[i];
    }
    tr_controller_destroy(skill);
    return status;
}

static tr_status fill_skill(const tr_model *model, tr_controller *controller, int node,
                            const tr_controller *const *trained, int count,
                            tr_graph_slopes_source *source) {
    const tr_controller *from = NULL;
    const tr_graph_node *skill = &tr_graph_of(controller)->node[node];
    tr_fragment *fragment = tr_graph_of(controller)->bank.fragment + skill->first;
    tr_status status = find_trained(model, controller, node, trained, count, &from);
    if (status)
        return status;
    *source = from ? TR_GRAPH_SLOPES_TRAINED : TR_GRAPH_SLOPES_LEVEL;
    /* Without a trained K, a policy gets the one that needs no training. */
    set_level(model, fragment, from ? 0 : skill->count);
    for (int k = 0; from && k < skill->count; k++)
        memcpy(fragment[k].policy.ground, tr_controller_bank(from)->fragment[k].policy.ground,
               sizeof fragment[k].policy.ground);
    return TR_OK;
}

/* --- transitions --- */

/* Fades K over a transition. Both skills are taken out of the graph, where their K is set. */
static tr_status fade(const tr_model *model, tr_controller *controller,
                      const tr_graph_transition *transition) {
    tr_control_graph *graph = tr_graph_of(controller);
    int from = tr_control_graph_find(graph, transition->from);
    int to = tr_control_graph_find(graph, transition->to);
    tr_controller *first = NULL, *second = NULL;
    const tr_blend_window window = {.from = transition->leave - graph->node[from].first,
                                    .to = transition->enter - graph->node[to].first,
                                    .count = transition->count,
                                    .flips = transition->flips};
    tr_status status = tr_graph_bank_take(model, controller, from, &first);
    if (!status)
        status = tr_graph_bank_take(model, controller, to, &second);
    if (!status)
        tr_blend_window_slopes(model, first, second, &window,
                               graph->bank.fragment + transition->first);
    tr_controller_destroy(first);
    tr_controller_destroy(second);
    return status;
}

tr_status tr_graph_slopes(const tr_model *model, const tr_controller *const *trained, int count,
                          tr_controller *controller,
                          tr_graph_slopes_source source[TR_GRAPH_NODE_MAX]) {
    tr_control_graph *graph = tr_graph_of(controller);
    tr_graph_transition transition;
    tr_status status = graph ? TR_OK : TR_INVALID_ARGUMENT;
    /* Skills come first, because transitions fade what these have. */
    for (int n = 0; !status && n < graph->node_count; n++)
        if (!tr_graph_transition_over(graph, n, &transition))
            status = fill_skill(model, controller, n, trained, count, &source[n]);
    for (int n = 0; !status && n < graph->node_count; n++)
        if (tr_graph_transition_over(graph, n, &transition)) {
            status = fade(model, controller, &transition);
            source[n] = TR_GRAPH_SLOPES_FADED;
        }
    return status;
}
