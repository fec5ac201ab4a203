/* The search for ways between the skills of a network: where each skill is best entered from the end
 * of each fragment of each other one, found by trials from the same states. */
#ifndef TROUPE_LEARN_ENTRY_SEARCH_H
#define TROUPE_LEARN_ENTRY_SEARCH_H

#include "learn/distil/cycle_graph.h"

enum { TR_ENTRY_MAX = 16 };

/* entries: places tried for each way, the most alike first; trials: of each, watched for after_s
 * keep_share: a way that holds fewer of its trials is dropped, as long as its skill has others */
typedef struct tr_entry_search {
    int entries, trials;
    double after_s, keep_share;
    uint64_t seed;
} tr_entry_search;

/* The ways that held most often, the most alike of equal ones: [*out_count], to be freed.
 * Deterministic, whatever the number of threads. TR_RESOURCE_EXHAUSTED. */
tr_status tr_entry_search_run(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_cycle_means *means, const tr_entry_search *search,
                              tr_graph_edge **out, int *out_count) TR_NODISCARD;

#endif
