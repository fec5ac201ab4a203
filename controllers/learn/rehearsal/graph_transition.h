/* A transition of a control graph: from a cyclic skill over a chain of fragments to another cyclic
 * skill. Here it is something to be learned and tested.
 *
 * Plain data; fragments are those of the graph's bank. */
#pragma once

#include "control/graph/control_graph.h"
#include "learn/rehearsal/random_walk.h"
#include "learn/rehearsal/trial.h"
#include "math/random.h"

/* A transition begins at the end of the fragment `leave` of the skill `from`, and ends at the start
 * of the fragment `enter` of the skill `to`, in the other half if it flips. The chain is `count`
 * fragments from `first` on. Hardening (harden.h) changes the `learns_count` fragments from
 * `learns` on: those of the chain, or all of the skill `to`. walks: a trial walks over the graph at
 * random (random_walk.h) before it takes the transition; otherwise it settles in `from`, where the
 * graph begins. Names are 0 to the end. */
typedef struct tr_graph_transition {
    int leave, first, count, enter;
    int learns, learns_count;
    bool flips;
    char from[TR_NAME_MAX], to[TR_NAME_MAX];
    bool walks;
    tr_random_walk_def walk;
} tr_graph_transition;

/* The transition over a node that is a chain with one way in and one way out, with the chain as
 * what learns. false: the node is no such chain. */
bool tr_graph_transition_over(const tr_control_graph *graph, int node, tr_graph_transition *out);

/* Lets the skill at the end of the transition learn instead of the chain, from trials that reach it
 * over the chain. */
void tr_graph_transition_teach_skill(tr_graph_transition *transition,
                                     const tr_control_graph *graph);

/* Does the transition belong to this controller's graph? */
bool tr_graph_transition_fits(const tr_graph_transition *transition,
                              const tr_controller *controller);

double tr_graph_transition_chain_s(const tr_graph_transition *transition,
                                   const tr_controller *controller);

/* The start of a transition's trial: the spawn state, disturbed, with a random heading, because the
 * friction pyramid is aligned with the world's axes, and characters reach a skill in all
 * headings. */
tr_state tr_graph_transition_start(const tr_controller *controller, uint64_t seed, int trial);

/* Runs a trial to the beginning of the transition, settled (planner.h) and with its steering target
 * set; where the transition has a limit, until the character is within it. The trial is lost if it
 * does not reach it. */
void tr_graph_transition_approach(const tr_graph_transition *transition, tr_trial *trial,
                                  tr_rehearsal *rehearsal, tr_random *random);

typedef struct tr_graph_transition_test {
    int trials;     /* at least 1 */
    double after_s; /* that the second skill is to be held, from the end of the chain on */
    uint64_t seed;
    double
        slope_deg; /* 0: on the plane; else on slopes of half to all of this, in all directions */
} tr_graph_transition_test;

/* The result of a test: `came` of its trials reached the transition, and `held` of these crossed it
 * and held the second skill for after_s. turn_rad: how far these turned, to either side, on
 * average. distance: their mean distance from the references at the ends of fragments, from the end
 * of the chain on: large where they reach the skill far from its motion, or leave it later.
 * lasted_s: the mean time from the end of the chain until the motion was lost, if it was, over all
 * trials that reached the transition. */
typedef struct tr_graph_transition_count {
    int came, held;
    double turn_rad, distance, lasted_s;
} tr_graph_transition_count;

/* Tries a transition from disturbed starts. Deterministic, whatever the number of threads.
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_graph_transition_try(tr_ensemble *ensemble, const tr_controller *controller,
                                  const tr_graph_transition *transition,
                                  const tr_graph_transition_test *test,
                                  tr_graph_transition_count *out) TR_NODISCARD;
