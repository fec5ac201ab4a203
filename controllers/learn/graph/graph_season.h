/* Seasoning: the chains of a control graph, hardened where they are used.
 *
 * A chain that was learned from a settled skill (transition.h) need not hold when that skill was
 * come to a moment ago. Seasoning goes round the chains and hardens each (harden.h) from
 * approaches that roam the whole graph (roam.h), the learning over random walks of liu2015-guided,
 * section 5.4; policies of the cyclic skills stay as they are. A skill that is not good enough at
 * taking in who comes to it may be named: then it is hardened itself, for those who come over the
 * chains to it, one chain after the other, as the paper learns all skills over its walks. A round
 * after which fewer of them hold is taken back (polish.h).
 *
 * Deterministic, whatever the number of threads. */
#ifndef TROUPE_LEARN_GRAPH_SEASON_H
#define TROUPE_LEARN_GRAPH_SEASON_H

#include "learn/graph/polish.h"

typedef struct tr_graph_season_def {
    int rounds;           /* over all */
    const char *learns;   /* names of chains and cyclic skills between commas, which are hardened
                           * even where all hold; NULL: all chains */
    tr_roaming roaming;   /* of those who come to what is seasoned */
    tr_harden_def harden; /* in a round; passage and seed are set here */
    tr_passage_test test; /* before and after each; all else is drawn from its seed too */
} tr_graph_season_def;

/* Three rounds, 100 trials. */
tr_graph_season_def tr_graph_season_default(void);

/* One way in one round. after: nothing where nothing was done. */
typedef struct tr_graph_season_row {
    int round;
    tr_passage passage;
    tr_passage_count before, after;
} tr_graph_season_row;

typedef void (*tr_graph_season_told)(void *context, const tr_graph_season_row *row);

/* The first of some names between commas that is no node of the graph, or no cyclic skill where it must
 * be one, in `out`; false: there is none. */
bool tr_graph_season_misses(const tr_control_graph *graph, const char *names, bool cyclic,
                            char out[static TR_NAME_MAX]);

/* Changes policies in place, of nodes that are a passage or that one leads to; others are left
 * alone. TR_INVALID_ARGUMENT: no graph, a count is out of range, or a name is none of the graph's;
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_graph_season(tr_ensemble *ensemble, const tr_graph_season_def *def,
                          tr_graph_season_told told, void *context,
                          tr_controller *controller) TR_NODISCARD;

#endif
