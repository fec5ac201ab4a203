#include "control/graph/trips.h"

#include "control/graph/planner.h"

#include <stdlib.h>
#include <string.h>

/* Longer ways are walked, not planned ahead, s. */
static const double LONGEST_S = 6;

/* More rounds of one skill than this lead far. */
enum { SAME_SKILL_MAX = 8 };

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

/* Does a skill move the character from place to place, and end as it says? Strikes and dances also
 * move it, but nobody expects them on the way; after a walk backwards it has turned by up to 60
 * degrees, which the references do not say. */
static bool goes(const tr_control_graph *graph, int n, double step_s) {
    const tr_graph_node *node = &graph->node[n];
    if (!node->cyclic || tr_control_graph_way(graph, n) == TR_WAY_BACK)
        return false;
    return node->steering.speed_mps > 0 || node->turn_rad != 0 ||
           (node->mirrored && reference_mps(graph, node, step_s) > WALKS_MPS);
}

/* The ways between rest and one skill. */
typedef struct ways {
    int rest, skill;
    int to_rest[TR_GRAPH_NODE_MAX], to_skill[TR_GRAPH_NODE_MAX];
} ways;

/* Walks to the skill, through `fragments` of it, and back. false: no way. */
static bool walk_trip(const tr_control_graph *graph, const ways *w, int fragments,
                      tr_planner_walk *out) {
    const tr_graph_node *rest = &graph->node[w->rest];
    *out = (tr_planner_walk){.done = {rest->first + rest->count - 1, false}};
    tr_graph_place next = tr_planner_go(graph, w->skill, w->to_skill, out);
    for (int f = 0; f < fragments && next.fragment >= 0; f++) {
        tr_planner_pass(graph, next, out);
        next = tr_planner_follow(graph, next);
    }
    return next.fragment >= 0 && tr_planner_go(graph, w->rest, w->to_rest, out).fragment >= 0;
}

/* A skill is left only at some of its fragments: another fragment before that is the same trip. */
static void add_trips(tr_control_graph *graph, const ways *w, double step_s) {
    tr_planner_walk walk;
    int steps = 0;
    for (int f = 1, same = 0; same < SAME_SKILL_MAX && graph->trip_count < TR_GRAPH_TRIP_MAX; f++) {
        if (!walk_trip(graph, w, f, &walk) || walk.steps * step_s > LONGEST_S)
            return;
        if (walk.steps == steps)
            continue;
        steps = walk.steps;
        same++;
        graph->trip[graph->trip_count++] = (tr_driver_trip){
            .skill = graph->node[w->skill].skill, .travel = walk.travel, .time_s = steps * step_s};
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
    tr_planner_measure(graph, w.rest, w.to_rest);
    for (w.skill = 0; w.skill < graph->node_count; w.skill++) {
        if (w.skill == w.rest || !goes(graph, w.skill, step_s))
            continue;
        tr_planner_measure(graph, w.skill, w.to_skill);
        add_trips(graph, &w, step_s);
    }
    return TR_OK;
}
