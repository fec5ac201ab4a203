/* A passage: one way through a control graph, from a cyclic skill over a chain of fragments to
 * another.
 *
 * Plain data; fragments are those of the graph's bank. */
#ifndef TROUPE_LEARN_PASSAGE_H
#define TROUPE_LEARN_PASSAGE_H

#include "control/graph/control_graph.h"
#include "learn/rehearsal/roam.h"
#include "learn/rehearsal/trial.h"
#include "math/random.h"

/* It begins at the end of the fragment `leave` of the skill `from`, and ends at the start of the
 * fragment `enter` of the skill `to`, in the other half where it flips; the chain is `count`
 * fragments from `first` on. Hardening (harden.h) changes the `learns_count` fragments from
 * `learns` on: the chain's, or all of the skill `to`. roams: who goes over has roamed the graph
 * (roam.h) before; else it has settled in `from`, where the graph begins. Names are 0 to the end. */
typedef struct tr_passage {
    int leave, first, count, enter;
    int learns, learns_count;
    bool flips;
    char from[TR_NAME_MAX], to[TR_NAME_MAX];
    bool roams;
    tr_roaming roaming;
} tr_passage;

/* The passage over a node that is a chain with one way in and one way out, which learns; false: it
 * is none. */
bool tr_passage_over(const tr_control_graph *graph, int node, tr_passage *out);

/* From now on the skill that it leads to learns, for those who come to it by this way, instead of
 * the chain. */
void tr_passage_teach_skill(tr_passage *passage, const tr_control_graph *graph);

/* Is it one of this controller's graph? */
bool tr_passage_fits(const tr_passage *passage, const tr_controller *controller);

double tr_passage_chain_s(const tr_passage *passage, const tr_controller *controller);

/* Where a trial of a passage begins: the spawn state, disturbed, heading anywhere, for friction is a
 * pyramid that knows the world's axes, and in a graph one comes to a skill in all headings. */
tr_state tr_passage_start(const tr_controller *controller, uint64_t seed, int trial);

/* Brings a trial to where the passage begins, settled (planner.h) and with its wish; lost where it
 * does not come there. */
void tr_passage_approach(const tr_passage *passage, tr_trial *trial, tr_rehearsal *rehearsal,
                         tr_random *random);

typedef struct tr_passage_test {
    int trials;     /* at least 1 */
    double after_s; /* that the second skill is to be held, from the end of the chain on */
    uint64_t seed;
} tr_passage_test;

/* What came of a test: `came` of its trials came to the passage, and `held` of them went over it
 * and held the second skill for after_s. turn_rad: how far these turned, to either side, on
 * average; distance: how far they were from the references at the ends of fragments, from the end
 * of the chain on, on average: large where the skill is come to from far, and where it strays.
 * lasted_s: from the end of the chain until the motion was lost, if it was, on average of all who
 * came. */
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
