/* Random walks over a control graph that visit its skills evenly (liu2015-guided, section 6.2).
 *
 * The walker steers to the skill that it has visited least (of several, one by chance), stays there
 * for a while, and steers to the next. Chains that lead from one skill to another
 * (graph_transition.h) are transitions, not skills, and are never a goal. Deterministic. */
#pragma once

#include "control/graph/control_graph.h"
#include "learn/rehearsal/ensemble.h"

typedef struct tr_graph_walk_test {
    int walks;
    double seconds;                   /* of each */
    double dwell_low_s, dwell_high_s; /* in a cyclic skill; drawn evenly */
    uint64_t seed;
    double hills_deg; /* 0: on the plane; else on hills so steep at most, others for each walk */
    bool recovers;    /* a walk continues after falls that the character gets up from in time */
} tr_graph_walk_test;

typedef struct tr_graph_walk_result {
    int walks, upright; /* upright: to the end, without a fall (falls.h) */
    int ended, risen;   /* where walks recover: to the end, up again after each fall; falls
                                        * that were got up from */
    double total_s;     /* of all walks */
    double shortest_s;  /* before a fall; where walks recover: before a fall without getting up */
    int64_t visits[TR_GRAPH_NODE_MAX]; /* of each skill, over all walks */
    int falls[TR_GRAPH_NODE_MAX];      /* in each skill */
    int64_t crossings;                 /* edges taken */
    double longest_way_s;              /* from a new steering target until it was reached */
} tr_graph_walk_result;

enum { TR_GRAPH_WALK_STAGE_MAX = 6, TR_GRAPH_WALK_RISE_S = 30 }; /* time to get up in */

/* A node of the graph that a walk passed through, and the time in it. */
typedef struct tr_graph_walk_stage {
    int node;
    double seconds;
} tr_graph_walk_stage;

/* A walk that fell before its end: the stages before the fall; it fell in the last one. */
typedef struct tr_graph_walk_fall {
    int walk; /* from 0 */
    double at_s;
    int count;
    tr_graph_walk_stage stage[TR_GRAPH_WALK_STAGE_MAX];
} tr_graph_walk_fall;

typedef void (*tr_graph_walk_report)(void *context, const tr_graph_walk_fall *fall);

/* After all walks, calls `report` for each walk that fell, with its last fall, in order of the
 * walks; it may be NULL. TR_INVALID_ARGUMENT: no graph, or a number out of
 * range. */
tr_status tr_graph_walk(tr_ensemble *ensemble, const tr_controller *controller,
                        const tr_graph_walk_test *test, tr_graph_walk_report report, void *context,
                        tr_graph_walk_result *out) TR_NODISCARD;
