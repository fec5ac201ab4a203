/* The graph of the skills that a network shall perform: from each fragment of each skill a way leads
 * into each other skill, at the place that is most alike (nearest in features). */
#ifndef TROUPE_LEARN_CYCLE_GRAPH_H
#define TROUPE_LEARN_CYCLE_GRAPH_H

#include "learn/distil/roll_out.h"
#include "learn/method/method.h"

/* Where skills are at the starts of their fragments, on average, and what their policies do there.
 * mean: the features; action: [action.size], rad; both [fragment_count] */
typedef struct tr_cycle_means {
    double (*mean)[TR_FEATURE_COUNT];
    double (*action)[TR_ACTION_MAX];
} tr_cycle_means;

/* Measures them in undisturbed trials. TR_ABORTED: a skill does not hold 10 s; the message names it.
 * Owned; free both. */
tr_status tr_cycle_means_measure(tr_ensemble *ensemble, const tr_controller *graph, uint64_t seed,
                                 tr_cycle_means *out, tr_error *error) TR_NODISCARD;

/* A place at which a skill may be entered. */
typedef struct tr_cycle_entry {
    int fragment;
    bool flips;
    double distance;
} tr_cycle_entry;

/* The `most` places of skill `to` that are most alike to where the character is after fragment
 * `from`, the nearest first. flips: only those in the other half, else only those in the same; a
 * skill with two halves has both anyway. Returns their number. */
int tr_cycle_graph_entries(const tr_control_graph *graph, const tr_cycle_means *means, int from,
                           int to, bool flips, int most, tr_cycle_entry *out);

/* Joins the skills, chains that are cyclic, without ways between them. */
tr_status tr_cycle_graph_join(const tr_model *model, const tr_method_given *parts, const char *name,
                              const tr_graph_edge *edge, int edge_count, tr_controller **out,
                              tr_error *error) TR_NODISCARD;

/* Makes the nearest ways: [*out_count], to be freed. TR_INVALID_ARGUMENT: more than a graph holds. */
tr_status tr_cycle_graph_ways(const tr_control_graph *graph, const tr_cycle_means *means,
                              tr_graph_edge **out, int *out_count, tr_error *error) TR_NODISCARD;

#endif
