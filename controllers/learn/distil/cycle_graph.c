#include "learn/distil/cycle_graph.h"

#include "control/network/follower.h"
#include "learn/graph/graph_bank.h"

#include <stdlib.h>
#include <string.h>

enum { CYCLE_TRIALS = 3, SETTLED_AFTER = 20, SKILL_MAX = 64 };
static const double CYCLE_S = 15;

/* --- means --- */

static void add(tr_cycle_means *means, const tr_roll_out_sample *sample, int number, int size) {
    double *mean = means->mean[sample->fragment], *action = means->action[sample->fragment];
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        mean[i] += ((double)sample->state[i] - mean[i]) / number;
    for (int i = 0; i < size; i++)
        action[i] += ((double)sample->action[i] - action[i]) / number;
}

static tr_status check_seen(const tr_control_graph *graph, const int *seen, tr_error *error) {
    for (int f = 0; f < graph->bank.fragment_count; f++) {
        const tr_graph_node *node = &graph->node[tr_control_graph_node_of(graph, f)];
        if (seen[f] == 0)
            return tr_fail(error, TR_ABORTED,
                           "teacher '%s' loses its motion within seconds; expected one that holds",
                           node->skill);
    }
    return TR_OK;
}

tr_status tr_cycle_means_measure(tr_ensemble *ensemble, const tr_controller *graph, uint64_t seed,
                                 tr_cycle_means *out, tr_error *error) {
    const tr_bank *bank = tr_controller_bank(graph);
    const size_t fragments = (size_t)bank->fragment_count;
    const tr_roll_out_def def = {graph, graph, CYCLE_TRIALS, CYCLE_S, 0, 0, seed};
    tr_roll_out_sample *sample = NULL;
    int count = 0, *seen = calloc(fragments, sizeof *seen);
    tr_cycle_means means = {calloc(fragments, sizeof *means.mean),
                            calloc(fragments, sizeof *means.action)};
    tr_status status = seen && means.mean && means.action
                           ? tr_roll_out(ensemble, &def, &sample, &count)
                           : TR_RESOURCE_EXHAUSTED;
    if (status)
        status = tr_fail(error, status, "teachers: %s", tr_status_text(status));
    for (int i = 0; i < count; i++)
        if (sample[i].since >= SETTLED_AFTER)
            add(&means, &sample[i], ++seen[sample[i].fragment], bank->action.size);
    if (!status)
        status = check_seen(tr_graph_of(graph), seen, error);
    free(sample);
    free(seen);
    if (!status) {
        *out = means;
        return TR_OK;
    }
    free(means.mean);
    free(means.action);
    return status;
}

/* --- ways --- */

static tr_features mean_of(const tr_cycle_means *means, int fragment, bool flips) {
    tr_features features = {0};
    memcpy(features.s, means->mean[fragment], sizeof features.s);
    return flips ? tr_features_mirror(&features) : features;
}

static double distance(const tr_features *a, const tr_features *b) {
    double sum = 0;
    for (int i = 0; i < TR_FEATURE_COUNT; i++) {
        const double off = (a->s[i] - b->s[i]) / tr_feature_spread[i];
        sum += off * off;
    }
    return sum;
}

/* Puts an entry where it belongs in the list; returns the list's new length. */
static int insert(tr_cycle_entry entry, tr_cycle_entry *list, int count, int most) {
    int at = count;
    while (at > 0 && list[at - 1].distance > entry.distance)
        at--;
    if (at >= most)
        return count;
    const int kept = count < most ? count : most - 1;
    memmove(list + at + 1, list + at, (size_t)(kept - at) * sizeof *list);
    list[at] = entry;
    return kept + 1;
}

int tr_cycle_graph_entries(const tr_control_graph *graph, const tr_cycle_means *means, int from,
                           int to, bool flips, int most, tr_cycle_entry *out) {
    const tr_graph_node *node = &graph->node[to];
    bool crosses;
    const int after = tr_follower_ahead(graph, from, 1, &crosses);
    const tr_features here = mean_of(means, after, crosses);
    int count = 0;
    for (int half = 0; half < 2; half++) {
        if (!node->mirrored && half != flips)
            continue;
        for (int f = node->first; f < node->first + node->count; f++) {
            const tr_features there = mean_of(means, f, half == 1);
            count =
                insert((tr_cycle_entry){f, half == 1, distance(&here, &there)}, out, count, most);
        }
    }
    return count;
}

/* Adds the nearest ways out of a fragment into a skill: both sides of one that goes to a side may be
 * due, where the character may be in either half. */
static int add_ways(const tr_control_graph *graph, const tr_cycle_means *means, int from, int to,
                    tr_graph_edge *out) {
    const bool two = graph->bank.mirrored && !graph->node[to].mirrored &&
                     graph->node[tr_control_graph_node_of(graph, from)].mirrored;
    int count = 0;
    for (int half = 0; half <= two; half++) {
        tr_cycle_entry best;
        if (tr_cycle_graph_entries(graph, means, from, to, half == 1, 1, &best) > 0)
            out[count++] = (tr_graph_edge){from, best.fragment, best.flips};
    }
    return count;
}

tr_status tr_cycle_graph_ways(const tr_control_graph *graph, const tr_cycle_means *means,
                              tr_graph_edge **out, int *out_count, tr_error *error) {
    const size_t most = (size_t)graph->bank.fragment_count * (size_t)graph->node_count * 2;
    tr_graph_edge *edge = calloc(most, sizeof *edge);
    int count = 0;
    if (!edge)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the ways");
    for (int f = 0; f < graph->bank.fragment_count; f++)
        for (int n = 0; n < graph->node_count; n++)
            if (n != tr_control_graph_node_of(graph, f))
                count += add_ways(graph, means, f, n, edge + count);
    if (count > TR_GRAPH_EDGE_MAX) {
        free(edge);
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "the teachers have %d ways from one to another; expected at most %d: "
                       "name fewer teachers",
                       count, TR_GRAPH_EDGE_MAX);
    }
    *out = edge;
    *out_count = count;
    return TR_OK;
}

/* --- joining --- */

static tr_status check_part(const tr_model *model, const tr_method_part *part,
                            const tr_controller *first, tr_error *error) {
    tr_status status = tr_graph_bank_check(model, first, part->controller, error);
    if (!status && !tr_controller_bank(part->controller)->cyclic)
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "teacher '%s' ends; expected a gait, which repeats", part->name);
    return status;
}

tr_status tr_cycle_graph_join(const tr_model *model, const tr_method_given *parts, const char *name,
                              const tr_graph_edge *edge, int edge_count, tr_controller **out,
                              tr_error *error) {
    const tr_controller *skill[SKILL_MAX];
    bool turns[SKILL_MAX];
    tr_status status = TR_OK;
    if (parts->part_count < 1 || parts->part_count > SKILL_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%d teachers; expected 1 to %d",
                       parts->part_count, SKILL_MAX);
    for (int k = 0; !status && k < parts->part_count; k++) {
        skill[k] = parts->part[k].controller;
        turns[k] = true;
        status = check_part(model, &parts->part[k], skill[0], error);
    }
    const tr_graph_bank_def def = {.name = name,
                                   .skill = skill,
                                   .skill_count = parts->part_count,
                                   .edge = edge,
                                   .edge_count = edge_count,
                                   .turns = turns};
    return status ? status : tr_graph_bank_create(model, &def, out, error);
}
