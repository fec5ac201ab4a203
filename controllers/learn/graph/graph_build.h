/* Builds a control graph from skills: finds transitions between controllers that were learned
 * separately.
 *
 * For every pair of skills that may follow one another, direct jumps are tried (jump.h). One that
 * holds in every trial becomes an edge. A rising skill (a chain that no
 * link leads to) keeps the transition that held most often, because a character that falls in it
 * gets up again.
 *
 * Robust skills accept states near their motion. Where learning is asked for, transitions between
 * cyclic skills are learned instead: chains (transition.h) that are nodes of the graph and are then
 * hardened in it (graph_harden.h). If a skill has both halves, the chain between it and the mirror
 * image of another skill is the mirror image of the chain between it and that skill.
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "control/driver/controller.h"
#include "learn/graph/jump.h"
#include "learn/graph/transition.h"
#include "learn/rehearsal/ensemble.h"

/* Pairs of skills that may follow one another; indices into `controllers`. */
typedef struct tr_graph_link {
    int from, to;
} tr_graph_link;

typedef struct tr_graph_build_def {
    const char *name;
    const tr_controller *const *controllers; /* [count], of one model, step and action */
    int count;
    const bool *turns; /* [count] cyclic skills to turn by (planner.h); NULL: none */
    /* [count] learned chains to a skill continue for this number of its fragments, because a
     * character that has just reached a skill is not yet fit to leave it; direct transitions stay
     * unchanged. NULL: 0. */
    const int *dwell;
    const tr_graph_link *links; /* [link_count] */
    int link_count;
    int candidates; /* of each link, the nearest; 1 to TR_GRAPH_CANDIDATE_MAX */
    int trials;     /* that a candidate must hold, all of them; 1 to 1000 */
    int edges;      /* kept of each link, the nearest that hold */
    int failing; /* kept of a link none of whose candidates holds, those that held most often, to be
                  * hardened (graph_harden.h); at most `edges` */
    double after_s; /* to be held after going over */
    uint64_t seed;
    /* For links between cyclic skills, instead of direct ways; trials, after_s, seed and the skills
     * are set here. NULL: direct ways only. */
    const tr_transition_def *learn;
    /* [known_count] graphs whose chains are reused if the skills at both ends are the same to the
     * bit, so that a graph can grow skill by skill, and be composed of others; of two chains the
     * first graph's counts. */
    const tr_controller *const *known;
    int known_count;
} tr_graph_build_def;

tr_graph_build_def tr_graph_build_default(void);

/* Callbacks; any may be NULL. link: after each link, when its direct transitions have been tried;
 * candidates [count], nearest first. window: after each blend window that was hardened. */
typedef struct tr_graph_listener {
    void *context;
    void (*link)(void *context, tr_graph_link link, const tr_graph_candidate *candidates,
                 int count);
    tr_transition_report window;
} tr_graph_listener;

/* Builds the controller of the graph; its spawn is the first controller's. TR_INVALID_ARGUMENT:
 * skills that do not fit each other, counts out of range, or a chain that is not cyclic and found
 * no way out; the message names it. `listener` may be NULL. */
tr_status tr_graph_build(tr_ensemble *ensemble, const tr_graph_build_def *def,
                         const tr_graph_listener *listener, tr_controller **out,
                         tr_error *error) TR_NODISCARD;
