/* Transition training: hardens the chains of a control graph where characters use them.
 *
 * A chain that was learned from a settled skill (transition.h) may fail when the character reached
 * that skill only a moment ago. Therefore each chain is hardened in turn (harden.h) with trials
 * that walk over the whole graph at random (random_walk.h): the learning over random walks of
 * liu2015-guided, section 5.4. The policies of the cyclic skills stay unchanged. A skill that fails
 * too often after a chain may be named: then the skill itself is hardened, with trials that arrive
 * over the chains to it, chain by chain, as the paper learns all skills on its walks; along the
 * direct jumps to it where no chain leads there. A round after which fewer trials hold is undone
 * (polish.h).
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "learn/graph/polish.h"

typedef struct tr_graph_harden_def {
    int rounds;              /* over all */
    const char *learns;      /* names of chains and cyclic skills between commas, which are hardened
                           * even where all hold; NULL: all chains */
    tr_random_walk_def walk; /* of the trials before they reach what is hardened */
    tr_harden_def harden;    /* in a round; transition and seed are set here */
    tr_graph_transition_test test; /* before and after each; all else is drawn from its seed too. On
                                    * slopes hardening changes slope terms alone */
} tr_graph_harden_def;

/* Three rounds, 100 trials. */
tr_graph_harden_def tr_graph_harden_default(void);

/* One transition in one round. after: zeros if it was not hardened. */
typedef struct tr_graph_harden_row {
    int round;
    tr_graph_transition transition;
    tr_graph_transition_count before, after;
} tr_graph_harden_row;

/* Where hardening has arrived; zeros: at its beginning. */
typedef struct tr_graph_harden_place {
    int round, item;
} tr_graph_harden_place;

/* Finds the first name of a list separated by commas that is no node of the graph, or no cyclic
 * skill where `cyclic`, and writes it into `out`. false: there is no such name. */
bool tr_graph_harden_misses(const tr_control_graph *graph, const char *names, bool cyclic,
                            char out[static TR_NAME_MAX]);

/* TR_INVALID_ARGUMENT: no graph, a count is out of range, or the graph has no node of a name. */
tr_status tr_graph_harden_check(const tr_graph_harden_def *def,
                                const tr_controller *controller) TR_NODISCARD;

/* Moves the place on to the next transition that is hardened. false: there are no more. */
bool tr_graph_harden_next(const tr_graph_harden_def *def, const tr_control_graph *graph,
                          tr_graph_harden_place *place, tr_graph_transition *out);

/* The share of all rounds before the place, 0 to 1. */
double tr_graph_harden_share(const tr_graph_harden_def *def, const tr_control_graph *graph,
                             tr_graph_harden_place place);

/* Hardens the next transition, and moves the place behind it. Changes policies in place, of nodes that
 * are a transition or that a transition leads to; others stay unchanged. The definition has passed
 * the check. TR_RESOURCE_EXHAUSTED. */
tr_status tr_graph_harden(tr_ensemble *ensemble, const tr_graph_harden_def *def,
                          tr_graph_harden_place *place, tr_controller *controller,
                          tr_graph_harden_row *out) TR_NODISCARD;
