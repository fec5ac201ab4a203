/* The search for ways between the gaits of a network: where each gait is best entered from the end of
 * each fragment of each other one, found by trials from the same states. */
#ifndef TROUPE_LEARN_ENTRY_SEARCH_H
#define TROUPE_LEARN_ENTRY_SEARCH_H

#include "control/network/follower.h"
#include "learn/rehearsal/ensemble.h"

enum { TR_ENTRY_MAX = 16 };

/* entries: places tried for each way, the most alike (nearest in mean features) first, at most
 *          TR_ENTRY_MAX
 * trials:  of each, watched for after_s
 * keep_share: a way that holds fewer of its trials is dropped, unless the gaits have no better one */
typedef struct tr_entry_search {
    int entries, trials;
    double after_s, keep_share;
    uint64_t seed;
} tr_entry_search;

/* Replaces the edges of the controller's graph by the ways that held most often, of equal ones the
 * most alike. Deterministic, whatever the number of threads. TR_INVALID_ARGUMENT: more ways than a
 * graph holds; TR_RESOURCE_EXHAUSTED. */
tr_status tr_entry_search_run(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_entry_search *search) TR_NODISCARD;

#endif
