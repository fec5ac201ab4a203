#include "learn/distil/entry_search.h"

#include "learn/rehearsal/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times that a trial passes the end of a fragment before it leaves there. */
enum { PASSES = 2 };

/* From the end of a fragment into a skill with one half, in the same half or the other, or into one with
 * two halves, in either. place: at which it is entered, and how many trials that held */
typedef struct way {
    int from, to;
    bool crosses;
    tr_graph_edge place;
    int held;
} way;

typedef struct entry {
    int fragment;
    bool flips;
    double distance;
} entry;

/* held: [ways * trials][entries] */
typedef struct entries {
    const tr_controller *controller;
    const tr_follower *follower;
    const tr_entry_search *search;
    tr_control_graph *graph;
    way *way;
    unsigned char *held;
    int ways;
} entries;

/* --- candidates --- */

static tr_features mean_of(const entries *all, int fragment, bool mirrors) {
    tr_features features = {0};
    memcpy(features.s, all->follower->mean[fragment], sizeof features.s);
    return mirrors ? tr_features_mirror(&features) : features;
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
static int insert(entry it, entry *list, int count, int most) {
    int at = count;
    while (at > 0 && list[at - 1].distance > it.distance)
        at--;
    if (at >= most)
        return count;
    const int kept = count < most ? count : most - 1;
    memmove(list + at + 1, list + at, (size_t)(kept - at) * sizeof *list);
    list[at] = it;
    return kept + 1;
}

/* Lists the places of a way's skill that are most alike to where the character is after its
 * fragment, the nearest first. */
static int list_entries(const entries *all, const way *w, entry *out) {
    const tr_graph_node *node = &all->graph->node[w->to];
    bool mirrors;
    const int after = tr_follower_ahead(all->graph, w->from, 1, &mirrors);
    const tr_features here = mean_of(all, after, mirrors);
    int count = 0;
    for (int half = 0; half < 2; half++) {
        if (!node->mirrored && half != w->crosses)
            continue;
        for (int f = node->first; f < node->first + node->count; f++) {
            const tr_features there = mean_of(all, f, half == 1);
            count = insert((entry){f, half == 1, distance(&here, &there)}, out, count,
                           all->search->entries);
        }
    }
    return count;
}

/* A character that may be in either half needs both ways into a skill with one. */
static void list_ways(entries *all) {
    const tr_control_graph *graph = all->graph;
    for (int f = 0; f < graph->bank.fragment_count; f++) {
        const int from = tr_control_graph_node_of(graph, f);
        for (int to = 0; to < graph->node_count; to++) {
            const bool two = graph->node[from].mirrored && !graph->node[to].mirrored;
            for (int half = 0; to != from && half <= two; half++)
                all->way[all->ways++] = (way){.from = f, .to = to, .crosses = half == 1};
        }
    }
}

/* --- trials --- */

/* Brings a trial to the end of the fragment. */
static bool reach(const entries *all, int item, int fragment, tr_rehearsal *rehearsal,
                  tr_trial *trial) {
    const tr_state start =
        tr_trial_disturb(&all->graph->bank.fragment[fragment].start, all->search->seed, item);
    if (tr_trial_begin_at(trial, all->controller, fragment, rehearsal, &start))
        return false;
    for (int i = 0; i < PASSES; i++)
        tr_trial_run_to(trial, rehearsal, fragment);
    return !trial->lost;
}

/* Tries each entry of one way from the same state. */
static void run(void *context, int item, tr_rehearsal *rehearsal) {
    entries *all = context;
    const way *w = &all->way[item / all->search->trials];
    unsigned char *held = all->held + (size_t)item * (size_t)all->search->entries;
    const int64_t after = llround(all->search->after_s / all->controller->step_s);
    entry list[TR_ENTRY_MAX];
    tr_rehearsal_moment moment;
    tr_trial before;
    if (!reach(all, item, w->from, rehearsal, &before) || tr_rehearsal_look(rehearsal, &moment))
        return;
    const int count = list_entries(all, w, list);
    for (int k = 0; k < count; k++) {
        tr_trial trial = before;
        if (tr_rehearsal_return(rehearsal, &moment))
            return;
        trial.runner.cue = (tr_cue){true, list[k].fragment, trial.watch.mirrored != list[k].flips};
        tr_trial_run(&trial, rehearsal, trial.steps + after);
        held[k] = !trial.lost;
    }
}

/* --- choosing --- */

static void choose(const entries *all, way *w) {
    const int trials = all->search->trials, places = all->search->entries;
    const unsigned char *held =
        all->held + (size_t)(w - all->way) * (size_t)trials * (size_t)places;
    entry list[TR_ENTRY_MAX];
    const int count = list_entries(all, w, list);
    w->held = -1;
    for (int k = 0; k < count; k++) {
        int sum = 0;
        for (int i = 0; i < trials; i++)
            sum += held[i * places + k];
        if (sum > w->held) {
            w->held = sum;
            w->place = (tr_graph_edge){w->from, list[k].fragment, list[k].flips};
        }
    }
}

static bool is_same_pair(const entries *all, const way *a, const way *b) {
    return a->to == b->to && tr_control_graph_node_of(all->graph, a->from) ==
                                 tr_control_graph_node_of(all->graph, b->from);
}

/* Does a way hold often enough, or as often as the best one of its gaits? */
static bool is_kept(const entries *all, const way *w) {
    int most = 0;
    for (int i = 0; i < all->ways; i++)
        if (is_same_pair(all, &all->way[i], w) && all->way[i].held > most)
            most = all->way[i].held;
    return w->held >= fmin(most, all->search->keep_share * all->search->trials);
}

static int in_order(const void *a, const void *b) {
    return tr_graph_edge_compare(a, b);
}

/* Gives the graph the ways that are kept. */
static tr_status take(const entries *all) {
    tr_graph_edge *edge = calloc((size_t)all->ways + 1, sizeof *edge);
    int count = 0;
    if (!edge)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < all->ways; i++)
        if (is_kept(all, &all->way[i]))
            edge[count++] = all->way[i].place;
    if (count > TR_GRAPH_EDGE_MAX) {
        free(edge);
        return TR_INVALID_ARGUMENT;
    }
    qsort(edge, (size_t)count, sizeof *edge, in_order);
    free(all->graph->edge);
    all->graph->edge = edge;
    all->graph->edge_count = count;
    return TR_OK;
}

tr_status tr_entry_search_run(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_entry_search *search) {
    entries all = {
        controller, tr_follower_of(controller), search, tr_graph_of(controller), NULL, NULL, 0};
    const size_t most = 2 * (size_t)all.graph->bank.fragment_count * (size_t)all.graph->node_count;
    all.way = calloc(most, sizeof *all.way);
    all.held = calloc(most * (size_t)search->trials, (size_t)search->entries);
    tr_status status = all.way && all.held ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        list_ways(&all);
        const tr_ranks_result results[] = {{all.held, (size_t)search->entries}, {0}};
        tr_ensemble_share(ensemble, run, &all, all.ways * search->trials, results);
        for (int i = 0; i < all.ways; i++)
            choose(&all, &all.way[i]);
        status = take(&all);
    }
    free(all.way);
    free(all.held);
    return status;
}
