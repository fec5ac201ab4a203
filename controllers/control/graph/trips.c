#include "control/graph/trips.h"

#include "control/graph/planner.h"

#include <stdlib.h>
#include <string.h>

/* Longer ways are walked, not planned ahead, s. */
static const double LONGEST_S = 6;

/* More trips by one skill than these lead far. A skill may have short fragments: no trip has more of
 * them, and all walks together pass no more. */
enum { SAME_SKILL_MAX = 8, FRAGMENTS_MAX = 128, PASSED_MAX = 20000 };

/* An unsteered walk is a skill with two halves that goes ahead at this speed or more, m/s; jumps on
 * the spot are slower. */
static const double WALKS_MPS = 0.5;

static double reference_mps(const tr_control_graph *graph, const tr_graph_node *node,
                            double step_s) {
    tr_planner_walk walk = {.steps = 0};
    for (int f = node->first; f < node->first + node->count; f++)
        tr_planner_pass(graph, (tr_graph_place){f, false}, &walk);
    return walk.travel.ahead_m / (walk.steps * step_s);
}

/* Does a skill serve to go somewhere? Strikes and dances move the character too, but would surprise a
 * player on the way. */
static bool goes(const tr_control_graph *graph, int n, double step_s) {
    const tr_graph_node *node = &graph->node[n];
    if (!node->cyclic)
        return false;
    return node->steering.speed_mps > 0 || node->turn_rad != 0 ||
           (node->mirrored && reference_mps(graph, node, step_s) > WALKS_MPS);
}

/* The ways between rest and one skill. */
typedef struct ways {
    int rest, skill;
    tr_planner_far to_rest, to_skill;
    int passed; /* fragments, by all walks so far */
} ways;

/* Walks to the skill, through `fragments` of it, and back. false: no way. */
static bool walk_trip(const tr_control_graph *graph, ways *w, int fragments, tr_planner_walk *out) {
    const tr_graph_node *rest = &graph->node[w->rest];
    *out = (tr_planner_walk){.done = {rest->first + rest->count - 1, false}};
    tr_graph_place next = tr_planner_go(graph, w->skill, &w->to_skill, out, NULL);
    for (int f = 0; f < fragments && next.fragment >= 0; f++) {
        tr_planner_pass(graph, next, out);
        next = tr_planner_follow(graph, next);
    }
    return next.fragment >= 0 &&
           tr_planner_go(graph, w->rest, &w->to_rest, out, NULL).fragment >= 0;
}

/* A skill can be left only at some fragments. Two counts that leave at the same one are the same
 * trip. */
static void add_trips(tr_control_graph *graph, ways *w, double step_s) {
    const tr_graph_node *node = &graph->node[w->skill];
    const bool sided = node->turn_rad != 0 || tr_control_graph_has_side(graph, w->skill);
    const int most = graph->trip_count + SAME_SKILL_MAX;
    tr_planner_walk walk;
    int steps = 0;
    for (int f = 1; f <= FRAGMENTS_MAX && w->passed < PASSED_MAX; f++) {
        const bool full = graph->trip_count == most || graph->trip_count == TR_GRAPH_TRIP_MAX;
        if (full || !walk_trip(graph, w, f, &walk) || walk.steps * step_s > LONGEST_S)
            return;
        w->passed += walk.fragments;
        if (walk.steps == steps)
            continue;
        steps = walk.steps;
        graph->trip[graph->trip_count++] =
            (tr_driver_trip){node->skill, walk.travel, steps * step_s, sided};
    }
}

tr_status tr_graph_find_trips(tr_control_graph *graph, double step_s) {
    ways w = {.rest = tr_control_graph_rest(graph)};
    graph->trip_count = 0;
    if (w.rest < 0)
        return TR_OK;
    if (!graph->trip)
        graph->trip = calloc(TR_GRAPH_TRIP_MAX, sizeof *graph->trip);
    if (!graph->trip)
        return TR_RESOURCE_EXHAUSTED;
    tr_planner_measure(graph, w.rest, NULL, &w.to_rest);
    for (w.skill = 0; w.skill < graph->node_count; w.skill++) {
        if (w.skill == w.rest || !goes(graph, w.skill, step_s))
            continue;
        tr_planner_measure(graph, w.skill, NULL, &w.to_skill);
        add_trips(graph, &w, step_s);
    }
    return TR_OK;
}
