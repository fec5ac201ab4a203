#include "learn/distil/entry_search.h"

#include "learn/rehearsal/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times that a trial passes the end of a fragment before it leaves there. */
enum { PASSES = 2 };

/* held: [ways * trials][entries]; the ways are the graph's edges */
typedef struct entries {
    const tr_controller *controller;
    const tr_cycle_means *means;
    const tr_entry_search *search;
    const tr_control_graph *graph;
    unsigned char *held;
} entries;

static int list(const entries *all, const tr_graph_edge *way, tr_cycle_entry *out) {
    const int to = tr_control_graph_node_of(all->graph, way->to);
    /* A skill with two halves may be entered in either; another one in the half of the way. */
    return tr_cycle_graph_entries(all->graph, all->means, way->from, to, way->flips,
                                  all->search->entries, out);
}

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
    const tr_graph_edge *way = &all->graph->edge[item / all->search->trials];
    unsigned char *held = all->held + (size_t)item * (size_t)all->search->entries;
    const int64_t after = llround(all->search->after_s / all->controller->step_s);
    tr_cycle_entry entry[TR_ENTRY_MAX];
    tr_rehearsal_moment moment;
    tr_trial before;
    if (!reach(all, item, way->from, rehearsal, &before) || tr_rehearsal_look(rehearsal, &moment))
        return;
    const int count = list(all, way, entry);
    for (int k = 0; k < count; k++) {
        tr_trial trial = before;
        if (tr_rehearsal_return(rehearsal, &moment))
            return;
        trial.runner.cue =
            (tr_cue){true, entry[k].fragment, trial.watch.mirrored != entry[k].flips};
        tr_trial_run(&trial, rehearsal, trial.steps + after);
        held[k] = !trial.lost;
    }
}

/* The best entry of a way; returns how many trials it held. */
static int choose(const entries *all, int way, tr_graph_edge *out) {
    tr_cycle_entry entry[TR_ENTRY_MAX];
    const int count = list(all, out, entry), trials = all->search->trials;
    int best = -1, most = -1;
    for (int k = 0; k < count; k++) {
        int held = 0;
        for (int i = 0; i < trials; i++)
            held += all->held[((size_t)way * (size_t)trials + (size_t)i) *
                                  (size_t)all->search->entries +
                              (size_t)k];
        if (held > most) {
            most = held;
            best = k;
        }
    }
    if (best >= 0)
        *out = (tr_graph_edge){out->from, entry[best].fragment, entry[best].flips};
    return most;
}

static int in_order(const void *a, const void *b) {
    return tr_graph_edge_compare(a, b);
}

/* Keeps the ways that hold often enough, and where a skill has none to another one, its best. */
static int keep(const entries *all, const tr_graph_edge *way, const int *held, tr_graph_edge *out) {
    const tr_control_graph *graph = all->graph;
    const double least = all->search->keep_share * all->search->trials;
    int best[TR_GRAPH_NODE_MAX], count = 0;
    for (int i = 0; i < graph->edge_count; i++)
        if (held[i] >= least)
            out[count++] = way[i];
    if (count == graph->edge_count)
        return count;
    for (int n = 0; n < graph->node_count; n++) {
        for (int to = 0; to < graph->node_count; to++)
            best[to] = -1;
        for (int i = 0; i < graph->edge_count; i++) {
            const int to = tr_control_graph_node_of(graph, way[i].to);
            if (tr_control_graph_node_of(graph, way[i].from) == n &&
                (best[to] < 0 || held[i] > held[best[to]]))
                best[to] = i;
        }
        for (int to = 0; to < graph->node_count; to++)
            if (best[to] >= 0 && held[best[to]] < least)
                out[count++] = way[best[to]];
    }
    return count;
}

tr_status tr_entry_search_run(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_cycle_means *means, const tr_entry_search *search,
                              tr_graph_edge **out, int *out_count) {
    entries all = {controller, means, search, tr_graph_of(controller), NULL};
    const int ways = all.graph->edge_count, trials = ways * search->trials;
    tr_graph_edge *way = calloc((size_t)ways + 1, sizeof *way),
                  *kept = calloc((size_t)ways + 1, sizeof *kept);
    int *held = calloc((size_t)ways + 1, sizeof *held);
    all.held = calloc((size_t)trials + 1, (size_t)search->entries);
    const bool whole = way && kept && held && all.held;
    if (whole) {
        const tr_ranks_result results[] = {{all.held, (size_t)search->entries}, {0}};
        tr_ensemble_share(ensemble, run, &all, trials, results);
        for (int i = 0; i < ways; i++) {
            way[i] = all.graph->edge[i];
            held[i] = choose(&all, i, &way[i]);
        }
        *out_count = keep(&all, way, held, kept);
        qsort(kept, (size_t)*out_count, sizeof *kept, in_order);
        *out = kept;
    } else {
        free(kept);
    }
    free(way);
    free(held);
    free(all.held);
    return whole ? TR_OK : TR_RESOURCE_EXHAUSTED;
}
