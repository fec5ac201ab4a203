/* Jumps: direct transitions from a fragment of one skill to a fragment of another, without a chain
 * between.
 *
 * The ends of the first skill's fragments are compared with the starts of the second's, unchanged
 * and mirrored, by pose and velocity. The nearest pairs, of all or of each end, are candidates. Each is then tried: the
 * first skill runs from a disturbed start until it has settled, and the second takes over and must
 * hold its motion. A candidate that fails once is tried no further than its round.
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "control/graph/control_graph.h"
#include "learn/rehearsal/ensemble.h"
#include "learn/rehearsal/random_walk.h"

enum { TR_GRAPH_CANDIDATE_MAX = 200 };

/* A transition that was compared. from, to: fragments of the bank. */
typedef struct tr_graph_candidate {
    tr_graph_edge edge;
    double distance;  /* of pose and velocity, in typical spreads; root mean square */
    int rank;         /* how many entries are nearer to the same moment of leaving; 0: not spread */
    int trials, held; /* made; they end with the round of the first that failed */
    bool kept;
} tr_graph_candidate;

/* candidates: the nearest, at most; trials: that each must hold, for after_s
 * enough: jumps that hold, after which no others are tried; 0: all are tried
 * spread: the candidates are the nearest entry of each moment of leaving, then the second nearest of
 *         each where that one failed, and so on: a way out of every part of the first skill
 * settled: the trial must also end near the reference of the second skill, where it may be left again
 * straight_rad: and it may not turn by more from where it jumps to its end; 0: it may turn
 * from, to: begin with the two skills (tr_controller_in_skill), or are nothing else
 * from_first, to_first: where the skills begin in the bank of the edges
 * ahead: [ahead_count] fragments of the bank of `to` that lead to the second skill, and may be entered too
 * graph:  both skills are of it, and trials after the first few come to the first skill by random walks
 *         (walk) over it, and leave it when a game would; NULL: all trials leave a skill that has run alone */
typedef struct tr_jump_def {
    const tr_controller *from, *to;
    int from_first, to_first;
    const int *ahead;
    int ahead_count;
    int candidates, trials, enough;
    double after_s, straight_rad;
    uint64_t seed;
    bool spread, settled;
    const tr_controller *graph;
    tr_random_walk_def walk;
} tr_jump_def;

/* Tries the candidates, nearest first: *out [*out_count], owned by the caller; where `enough` hold, these
 * are kept.
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_jumps_try(tr_ensemble *ensemble, const tr_jump_def *def, tr_graph_candidate **out,
                       int *out_count) TR_NODISCARD;

/* Keeps the nearest that held in all of `trials`, at most `edges`. Returns how many. */
int tr_jumps_keep_held(tr_graph_candidate *candidates, int count, int trials, int edges);

/* Keeps those that held most often, `most` of them; of equal ones the nearest. */
void tr_jumps_keep_best(tr_graph_candidate *candidates, int count, int most);
