/* A passage: one transition of a control graph, from a cyclic skill over a chain of fragments to
 * another cyclic skill.
 *
 * Plain data; fragments are those of the graph's bank. */
#ifndef TROUPE_LEARN_PASSAGE_H
#define TROUPE_LEARN_PASSAGE_H

#include "control/graph/control_graph.h"
#include "learn/rehearsal/random_walk.h"
#include "learn/rehearsal/trial.h"
#include "math/random.h"

/* A passage begins at the end of the fragment `leave` of the skill `from`, and ends at the start of the
 * fragment `enter` of the skill `to`, in the other half if it flips. The chain is `count` fragments
 * from `first` on. Hardening (harden.h) changes the `learns_count` fragments from `learns` on: the
 * chain's, or all of the skill `to`. walks: a trial walks over the graph at random (random_walk.h) before it
 * takes the passage; otherwise it settles in `from`, where the graph begins. Names are 0 to the end. */
typedef struct tr_passage {
    int leave, first, count, enter;
    int learns, learns_count;
    bool flips;
    char from[TR_NAME_MAX], to[TR_NAME_MAX];
    bool walks;
    tr_random_walk_def walk;
} tr_passage;

/* The passage over a node that is a chain with one way in and one way out, with the chain as what
 * learns. false: the node is no such chain. */
bool tr_passage_over(const tr_control_graph *graph, int node, tr_passage *out);

/* Lets the skill at the end of the passage learn instead of the chain, from trials that reach it over
 * the chain. */
void tr_passage_teach_skill(tr_passage *passage, const tr_control_graph *graph);

/* Does the passage belong to this controller's graph? */
bool tr_passage_fits(const tr_passage *passage, const tr_controller *controller);

double tr_passage_chain_s(const tr_passage *passage, const tr_controller *controller);

/* The start of a passage's trial: the spawn state, disturbed, with a random heading, because the
 * friction pyramid is aligned with the world's axes, and characters reach a skill in all headings. */
tr_state tr_passage_start(const tr_controller *controller, uint64_t seed, int trial);

/* Runs a trial to the beginning of the passage, settled (planner.h) and with its steering target set.
 * The trial is lost if it does not get there. */
void tr_passage_approach(const tr_passage *passage, tr_trial *trial, tr_rehearsal *rehearsal,
                         tr_random *random);

typedef struct tr_passage_test {
    int trials;     /* at least 1 */
    double after_s; /* that the second skill is to be held, from the end of the chain on */
    uint64_t seed;
} tr_passage_test;

/* The result of a test: `came` of its trials reached the passage, and `held` of these crossed it
 * and held the second skill for after_s. turn_rad: how far these turned, to either side, on
 * average. distance: their mean distance from the references at the ends of fragments, from the end
 * of the chain on: large where they reach the skill far from its motion, or stray from it later.
 * lasted_s: the mean time from the end of the chain until the motion was lost, if it was, over all
 * trials that reached the passage. */
typedef struct tr_passage_count {
    int came, held;
    double turn_rad, distance, lasted_s;
} tr_passage_count;

/* Tries a passage from disturbed starts. Deterministic, whatever the number of threads.
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_passage_try(tr_ensemble *ensemble, const tr_controller *controller,
                         const tr_passage *passage, const tr_passage_test *test,
                         tr_passage_count *out) TR_NODISCARD;

#endif
