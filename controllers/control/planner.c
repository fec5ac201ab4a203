#include "control/planner.h"

#include "control/state_distance.h"

#include <math.h>
#include <string.h>

/* A turning skill is worth it when it leaves at most this share of the turn. */
static const double TURN_LEFT_OVER = 0.6;

/* A skill is left for another's speed only when that comes nearer by this, m/s. */
static const double SPEED_GAIN = 0.1;

/* A state this near to the reference is settled: undisturbed skills stay nearer than that, but for kicks
 * at some of their fragments. Of those who go over from farther off many fall. */
static const double SETTLED = 0.15;

/* How far the wished speed is from what a skill can do. */
static double speed_error(const tr_steering *steering, double speed_mps) {
    double low = steering->speed_mps - steering->slower_mps;
    double high = steering->speed_mps + steering->faster_mps;
    return speed_mps < low ? low - speed_mps : speed_mps > high ? speed_mps - high : 0;
}

static int best_turn(const tr_control_graph *graph, double turn_rad) {
    int best = -1;
    double least = TURN_LEFT_OVER * fabs(turn_rad);
    for (int n = 0; n < graph->node_count; n++) {
        double left = fabs(turn_rad - graph->node[n].turn_rad);
        if (graph->node[n].turn_rad != 0 && left < least && !tr_control_graph_rises(graph, n)) {
            least = left;
            best = n;
        }
    }
    return best;
}

static int best_speed(const tr_control_graph *graph, int node, double speed_mps) {
    const tr_graph_node *here = &graph->node[node];
    int best = -1;
    double least = INFINITY;
    if (here->cyclic) {
        best = node;
        least = speed_error(&here->steering, speed_mps) - SPEED_GAIN;
    }
    for (int n = 0; n < graph->node_count; n++) {
        double error = speed_error(&graph->node[n].steering, speed_mps);
        if (graph->node[n].cyclic && error < least) {
            least = error;
            best = n;
        }
    }
    return best;
}

int tr_planner_goal(const tr_control_graph *graph, int node, const tr_wish *wish, double turn_rad) {
    if (wish->skill[0] != 0)
        return tr_control_graph_find(graph, wish->skill);
    int turn = best_turn(graph, turn_rad);
    if (turn >= 0)
        return turn;
    return wish->speed_mps > 0 ? best_speed(graph, node, wish->speed_mps) : -1;
}

int tr_planner_hop(const tr_control_graph *graph, int from, int to) {
    int far[TR_GRAPH_NODE_MAX], hop = -1;
    for (int n = 0; n < graph->node_count; n++)
        far[n] = n == to ? 0 : graph->node_count;
    /* Distances to `to`, edges relaxed until nothing changes. */
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < graph->edge_count; e++) {
            int a = tr_control_graph_node_of(graph, graph->edge[e].from);
            int b = tr_control_graph_node_of(graph, graph->edge[e].to);
            if (far[b] + 1 < far[a]) {
                far[a] = far[b] + 1;
                changed = true;
            }
        }
    }
    for (int e = 0; e < graph->edge_count; e++) {
        int b = tr_control_graph_node_of(graph, graph->edge[e].to);
        if (tr_control_graph_node_of(graph, graph->edge[e].from) == from && far[b] < far[from] &&
            (hop < 0 || b < hop))
            hop = b;
    }
    return hop;
}

static tr_graph_place take(const tr_graph_edge *edge, bool mirrored) {
    return (tr_graph_place){edge->to, mirrored != edge->flips};
}

tr_graph_place tr_planner_go_on(const tr_control_graph *graph, tr_graph_place done) {
    const tr_graph_node *node = &graph->node[tr_control_graph_node_of(graph, done.fragment)];
    int count = 0;
    if (done.fragment + 1 < node->first + node->count)
        return (tr_graph_place){done.fragment + 1, done.mirrored};
    if (node->cyclic)
        return (tr_graph_place){node->first, done.mirrored != node->mirrored};
    const tr_graph_edge *edge = tr_control_graph_edges(graph, done.fragment, &count);
    return take(edge, done.mirrored);
}

bool tr_planner_is_settled(const tr_controller *controller, const tr_model *model,
                           tr_graph_place done, const tr_state *state) {
    tr_state end = controller->fragment[done.fragment].end;
    if (done.mirrored)
        end = tr_state_mirror(model, &end);
    return tr_state_distance(model, state, &end) < SETTLED;
}

bool tr_planner_leaves(const tr_control_graph *graph, int fragment, const tr_wish *wish,
                       double turn_rad) {
    int node = tr_control_graph_node_of(graph, fragment);
    int goal = graph->node[node].cyclic ? tr_planner_goal(graph, node, wish, turn_rad) : -1;
    return goal >= 0 && goal != node && tr_planner_hop(graph, node, goal) >= 0;
}

tr_graph_place tr_planner_next(const tr_control_graph *graph, tr_graph_place done, bool settled,
                               const tr_wish *wish, double turn_rad) {
    int count = 0, node = tr_control_graph_node_of(graph, done.fragment);
    if (graph->node[node].cyclic && !settled)
        return tr_planner_go_on(graph, done);
    const tr_graph_edge *edge = tr_control_graph_edges(graph, done.fragment, &count);
    int goal = count > 0 ? tr_planner_goal(graph, node, wish, turn_rad) : -1;
    /* A turn that was made in part is seen through. */
    bool bound = graph->node[node].turn_rad != 0 &&
                 done.fragment + 1 < graph->node[node].first + graph->node[node].count;
    if (goal < 0 || goal == node || (bound && wish->skill[0] == 0))
        return tr_planner_go_on(graph, done);
    int hop = tr_planner_hop(graph, node, goal);
    for (int e = 0; e < count; e++)
        if (tr_control_graph_node_of(graph, edge[e].to) == hop)
            return take(&edge[e], done.mirrored);
    return tr_planner_go_on(graph, done);
}

static bool suits_steering(const tr_wish *wish, const tr_steering *steering) {
    bool paces = steering->faster_mps > 0 || steering->slower_mps > 0;
    return (wish->aim == TR_AIM_NONE || steering->turn_rad_s > 0) &&
           (wish->speed_mps == 0 || paces);
}

bool tr_planner_suits(const tr_controller *controller, const tr_wish *wish) {
    const tr_control_graph *graph = controller->graph;
    if (!graph)
        return wish->skill[0] == 0 && suits_steering(wish, &controller->steering);
    bool turns = wish->aim == TR_AIM_NONE;
    for (int n = 0; n < graph->node_count; n++)
        turns |= graph->node[n].steering.turn_rad_s > 0 || graph->node[n].turn_rad != 0;
    return turns && (wish->skill[0] == 0 || tr_control_graph_find(graph, wish->skill) >= 0);
}
