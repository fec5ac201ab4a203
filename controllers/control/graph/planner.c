#include "control/graph/planner.h"

#include "control/parts/displacement.h"
#include "control/parts/state_distance.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* A turning skill is chosen when it leaves at most this share of the turn. */
static const double TURN_LEFT_OVER = 0.6;

/* A cyclic turning skill is begun for turns of at least this, rad; smaller ones are steered. */
static const double TURN_FROM_RAD = TR_PI / 3;

/* Turning skills would circle nearer points: twice the widest circle of a walked turn, m. */
static const double TURNING_ROOM_M = 4;

/* Another skill's speed must come nearer by this to be worth a change, m/s. */
static const double SPEED_GAIN = 0.1;

/* A state this near to the reference is settled. Undisturbed skills stay nearer, except kicks at
 * some of their fragments. Many characters that change skills from farther off fall. Where
 * the reference is as fast as a walk, it must be nearer: 300 characters were asked for the kick while
 * running; the 285 that left the walk nearer than about this stayed up, and the other 15 fell
 * (the log of graphs). */
static const double SETTLED = 0.15, SETTLED_FAST = 0.144, FAST_MPS = 1;

/* A character slower than this is at rest (tr_state_motion). One that has just stopped sways and
 * passes near the reference while it still moves. */
static const double AT_REST = 0.04;

/* One slower than this stands still. A transition with a limit out of a skill that rests begins only
 * then: 7 of 47 characters that still swayed within the limit fell in it (the log of graphs). */
static const double STILL = 0.01;

/* One slower than this has stood for a second or more. Its feet creep, and its distance grows by 0.0001
 * a second. If it tidied its stance then, it would step aside about every 13 s; it stays. After half a
 * minute its distance is smaller again, but 10 of 54 characters fell in the transition. So for it the
 * limit is this share of what it is for one that has just stopped: 1 of 120 fell (the log of graphs). */
static const double STANDS = 0.003, CREPT = 0.98;

/* An aim is to a side if the sine of its bearing is at least this. */
static const double LEANS_FROM = 0.1;

/* Returns how far a speed is from those that a skill can do. */
static double speed_error(const tr_steering *steering, double speed_mps) {
    double low = steering->speed_mps - steering->slower_mps;
    double high = steering->speed_mps + steering->faster_mps;
    return speed_mps < low ? low - speed_mps : speed_mps > high ? speed_mps - high : 0;
}

static bool circles(const tr_graph_node *node) {
    return node->cyclic && node->turn_rad != 0;
}

/* Returns what a skill leaves of a turn; a cyclic one runs for as many rounds as bring the heading
 * nearest. */
static double left_of(const tr_graph_node *node, double turn_rad) {
    double rounds = node->cyclic ? fmax(1, round(turn_rad / node->turn_rad)) : 1;
    return fabs(turn_rad - rounds * node->turn_rad);
}

static int best_turn(const tr_control_graph *graph, int node, double turn_rad) {
    int best = -1;
    double least = TURN_LEFT_OVER * fabs(turn_rad);
    for (int n = 0; n < graph->node_count; n++) {
        const tr_graph_node *it = &graph->node[n];
        double left = left_of(it, turn_rad);
        /* A cyclic skill in progress may finish a small turn, but none begins for it. */
        bool begins = it->cyclic && n != node;
        if (it->turn_rad != 0 && left < least && !tr_control_graph_rises(graph, n) &&
            !(begins && fabs(turn_rad) < TURN_FROM_RAD)) {
            least = left;
            best = n;
        }
    }
    return best;
}

static bool goes_straight(const tr_control_graph *graph, int n) {
    return graph->node[n].cyclic && !circles(&graph->node[n]) &&
           !tr_control_graph_has_side(graph, n);
}

/* A skill for a speed is cyclic, goes straight, and neither backwards nor to a side. */
static bool advances(const tr_control_graph *graph, int n) {
    const tr_graph_node *node = &graph->node[n];
    return goes_straight(graph, n) &&
           !(node->steering.speed_mps > 0 && tr_control_graph_way(graph, n) == TR_WAY_BACK);
}

void tr_planner_speeds(const tr_control_graph *graph, double *out_slowest_mps,
                       double *out_fastest_mps) {
    double slowest = INFINITY, fastest = 0;
    for (int n = 0; n < graph->node_count; n++) {
        const tr_steering *s = &graph->node[n].steering;
        if (s->speed_mps <= 0 || !advances(graph, n))
            continue;
        slowest = fmin(slowest, s->speed_mps - s->slower_mps);
        fastest = fmax(fastest, s->speed_mps + s->faster_mps);
    }
    *out_slowest_mps = fastest > 0 ? fmax(0, slowest) : 0;
    *out_fastest_mps = fastest;
}

static int best_speed(const tr_control_graph *graph, int node, double speed_mps) {
    const tr_graph_node *here = &graph->node[node];
    int best = -1;
    double least = INFINITY;
    /* The present skill counts as nearer by SPEED_GAIN. */
    if (advances(graph, node)) {
        best = node;
        least = speed_error(&here->steering, speed_mps) - SPEED_GAIN;
    }
    for (int n = 0; n < graph->node_count; n++) {
        double error = speed_error(&graph->node[n].steering, speed_mps);
        if (error < least && advances(graph, n)) {
            least = error;
            best = n;
        }
    }
    return best;
}

/* The edges out of a node; they lie in a row, because nodes and edges are in order of fragments. */
static const tr_graph_edge *edges_from(const tr_control_graph *graph, int node, int *out_count) {
    const int end = graph->node[node].first + graph->node[node].count;
    int count = 0;
    const tr_graph_edge *edge = tr_control_graph_edges(graph, graph->node[node].first, &count);
    while (edge + count < graph->edge + graph->edge_count && edge[count].from < end)
        count++;
    *out_count = count;
    return edge;
}

/* Does a chain that is not shut lead from one node to another? shut: [node]; NULL: none */
static bool has_chain(const tr_control_graph *graph, int from, int to, const bool *shut) {
    int leaves = 0;
    const tr_graph_edge *edge = edges_from(graph, from, &leaves);
    for (int e = 0; e < leaves; e++) {
        const int chain = tr_control_graph_node_of(graph, edge[e].to);
        const tr_graph_node *node = &graph->node[chain];
        int count = 0;
        /* A chain is a node that does not repeat, and whose end leads to one place only. */
        if (node->cyclic || (shut && shut[chain]))
            continue;
        const tr_graph_edge *out =
            tr_control_graph_edges(graph, node->first + node->count - 1, &count);
        if (count == 1 && tr_control_graph_node_of(graph, out->to) == to)
            return true;
    }
    return false;
}

/* Is the edge a jump into a skill that is only passed on the way to `goal`, although a chain leads
 * there too? After a jump the character is not settled; chains were made to end settled. */
static bool hurries(const tr_control_graph *graph, const tr_graph_edge *edge, int goal,
                    const bool *shut) {
    const int a = tr_control_graph_node_of(graph, edge->from);
    const int b = tr_control_graph_node_of(graph, edge->to);
    return b != goal && graph->node[a].cyclic && graph->node[b].cyclic &&
           has_chain(graph, a, b, shut);
}

/* Measures the fewest edges from each node to node `to`; node_count: no way leads there. shut:
 * nodes that are not passed; NULL: none. */
static void measure_ways(const tr_control_graph *graph, int to, const bool *shut,
                         int far[TR_GRAPH_NODE_MAX]) {
    for (int n = 0; n < graph->node_count; n++)
        far[n] = n == to ? 0 : graph->node_count;
    /* Bellman-Ford: edges are relaxed until nothing changes. */
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < graph->edge_count; e++) {
            int a = tr_control_graph_node_of(graph, graph->edge[e].from);
            int b = tr_control_graph_node_of(graph, graph->edge[e].to);
            if (far[b] + 1 < far[a] && !(shut && shut[a]) &&
                !hurries(graph, &graph->edge[e], to, shut)) {
                far[a] = far[b] + 1;
                changed = true;
            }
        }
    }
}

/* Returns the nearest cyclic skill that goes straight; -1: none. */
static int nearest_straight(const tr_control_graph *graph, int node) {
    int best = -1, least = graph->node_count, far[TR_GRAPH_NODE_MAX];
    for (int n = 0; n < graph->node_count; n++) {
        if (!goes_straight(graph, n))
            continue;
        measure_ways(graph, n, NULL, far);
        if (far[node] < least) {
            least = far[node];
            best = n;
        }
    }
    return best;
}

double tr_planner_turn(tr_bearing bearing) {
    return bearing.distance_m < TURNING_ROOM_M ? 0 : bearing.turn_rad;
}

int tr_planner_goal(const tr_control_graph *graph, int node, const tr_steering_target *target,
                    double turn_rad) {
    /* In the order of the header: the named skill, a turn, a speed, straight on. */
    if (target->skill[0] != 0)
        return tr_control_graph_find(graph, target->skill);
    int turn = best_turn(graph, node, turn_rad);
    if (turn >= 0)
        return turn;
    if (target->speed_mps > 0)
        return best_speed(graph, node, target->speed_mps);
    return target->aim != TR_AIM_NONE && circles(&graph->node[node]) ? nearest_straight(graph, node)
                                                                     : -1;
}

/* Returns the first neighbour of node `from` on a shortest way to where `far` is measured to; -1:
 * none. */
static int hop_by(const tr_control_graph *graph, int from, const int far[TR_GRAPH_NODE_MAX],
                  const bool *shut) {
    int hop = -1, count = 0;
    const tr_graph_edge *edge = edges_from(graph, from, &count);
    for (int e = 0; e < count; e++) {
        int b = tr_control_graph_node_of(graph, edge[e].to);
        if (far[b] < far[from] && (hop < 0 || b < hop) &&
            !(far[b] > 0 && hurries(graph, &edge[e], -1, shut)))
            hop = b;
    }
    return hop;
}

int tr_planner_hop(const tr_control_graph *graph, int from, int to) {
    int far[TR_GRAPH_NODE_MAX];
    measure_ways(graph, to, NULL, far);
    return hop_by(graph, from, far, NULL);
}

static tr_graph_place take(const tr_graph_edge *edge, bool mirrored) {
    return (tr_graph_place){edge->to, mirrored != edge->flips};
}

tr_graph_place tr_planner_follow(const tr_control_graph *graph, tr_graph_place done) {
    const tr_graph_node *node = &graph->node[tr_control_graph_node_of(graph, done.fragment)];
    int count = 0;
    if (done.fragment + 1 < node->first + node->count)
        return (tr_graph_place){done.fragment + 1, done.mirrored};
    if (node->cyclic)
        return (tr_graph_place){node->first, done.mirrored != node->mirrored};
    const tr_graph_edge *edge = tr_control_graph_edges(graph, done.fragment, &count);
    return take(edge, done.mirrored);
}

/* Returns the place at which a skill is entered: `at` itself, or the one to which its transition
 * leads. */
static tr_graph_place skill_after(const tr_control_graph *graph, tr_graph_place at) {
    int count = 0;
    const tr_graph_node *node = &graph->node[tr_control_graph_node_of(graph, at.fragment)];
    return node->cyclic ? at
                        : take(tr_control_graph_edges(graph, node->first + node->count - 1, &count),
                               at.mirrored);
}

double tr_planner_distance(const tr_bank *bank, const tr_model *model, tr_graph_place done,
                           const tr_state *state) {
    tr_state end = bank->fragment[done.fragment].end;
    if (done.mirrored)
        end = tr_state_mirror(model, &end);
    return tr_state_distance(model, state, &end);
}

/* Is a state within a limit of the reference? limit: 0: the one for all skills. */
static bool is_within(const tr_bank *bank, const tr_model *model, tr_graph_place done,
                      const tr_state *state, double limit) {
    const tr_state *end = &bank->fragment[done.fragment].end;
    /* At rest the distance alone could be small for a moment of a sway. */
    if (tr_state_motion(model, end) < AT_REST && tr_state_motion(model, state) >= AT_REST)
        return false;
    if (limit <= 0)
        limit = tr_vec3_length(end->root_vel) > FAST_MPS ? SETTLED_FAST : SETTLED;
    return tr_planner_distance(bank, model, done, state) < limit;
}

bool tr_planner_is_settled(const tr_bank *bank, const tr_model *model, tr_graph_place done,
                           const tr_state *state) {
    return is_within(bank, model, done, state, 0);
}

bool tr_planner_may_leave(const tr_control_graph *graph, const tr_model *model, tr_graph_place done,
                          const tr_state *state) {
    int node = tr_control_graph_node_of(graph, done.fragment);
    return is_within(&graph->bank, model, done, state, graph->node[node].settled);
}

/* Returns how far a character is from where a transition begins, or, before another fragment than
 * the last one before it, how far it is from the motion that leads there. */
static double distance_before(const tr_control_graph *graph, const tr_model *model,
                              const tr_graph_edge *edge, tr_graph_place done,
                              const tr_state *state) {
    if (edge->from != done.fragment)
        return tr_planner_distance(&graph->bank, model, done, state);
    tr_state start = graph->bank.fragment[edge->to].start;
    if (done.mirrored != edge->flips)
        start = tr_state_mirror(model, &start);
    return tr_state_distance(model, state, &start);
}

/* Returns the side step that is joined both ways with node `node`, with no shut transition on the
 * way there; -1: none. */
static int side_step_from(const tr_control_graph *graph, int node, const bool *shut) {
    int way[TR_GRAPH_NODE_MAX];
    for (int n = 0; n < graph->node_count; n++) {
        if (n == node || !tr_control_graph_steps_aside(graph, n))
            continue;
        measure_ways(graph, n, shut, way);
        if (way[node] < graph->node_count && tr_planner_hop(graph, n, node) >= 0)
            return n;
    }
    return -1;
}

tr_planner_stance tr_planner_look(const tr_control_graph *graph, const tr_model *model,
                                  tr_graph_place done, const tr_state *state) {
    int node = tr_control_graph_node_of(graph, done.fragment);
    const double motion = tr_state_motion(model, state);
    bool misses = false;
    tr_planner_stance out = {
        .settled = tr_planner_may_leave(graph, model, done, state),
        .rests = tr_state_motion(model, &graph->bank.fragment[done.fragment].end) < AT_REST,
        .stands = motion < STANDS};
    for (int e = 0; e < graph->edge_count; e++) {
        const tr_graph_edge *edge = &graph->edge[e];
        int chain = tr_control_graph_node_of(graph, edge->to);
        if (graph->node[chain].cyclic || graph->node[chain].settled <= 0 ||
            tr_control_graph_node_of(graph, edge->from) != node)
            continue;
        /* Only chains out of this skill with a limit of their own can be shut. */
        const double limit = graph->node[chain].settled * (out.rests && out.stands ? CREPT : 1);
        bool far = distance_before(graph, model, edge, done, state) >= limit;
        out.shut[chain] = far || (out.rests && motion >= STILL);
        misses |= far;
    }
    out.tidies = misses && out.rests ? side_step_from(graph, node, out.shut) : -1;
    return out;
}

bool tr_planner_leaves(const tr_control_graph *graph, int fragment,
                       const tr_steering_target *target, double turn_rad) {
    int node = tr_control_graph_node_of(graph, fragment);
    int goal = graph->node[node].cyclic ? tr_planner_goal(graph, node, target, turn_rad) : -1;
    return goal >= 0 && goal != node && tr_planner_hop(graph, node, goal) >= 0;
}

/* Returns the place behind the edge on the way to the node to which `far` is measured. In the
 * mirrored half a turn or side step goes to the other side. So a skill with both halves waits for
 * the right one, and a skill with one half, such as standing, is treated as its own image. */
static tr_graph_place approach(const tr_control_graph *graph, tr_graph_place done, const bool *shut,
                               const int far[TR_GRAPH_NODE_MAX]) {
    int count = 0, node = tr_control_graph_node_of(graph, done.fragment);
    const tr_graph_edge *edge = tr_control_graph_edges(graph, done.fragment, &count);
    const int hop = hop_by(graph, node, far, shut);
    for (int e = 0; e < count; e++) {
        tr_graph_place next = take(&edge[e], done.mirrored), skill = skill_after(graph, next);
        if (tr_control_graph_node_of(graph, next.fragment) != hop || (shut && shut[hop]))
            continue;
        int there = tr_control_graph_node_of(graph, skill.fragment);
        bool aside = skill.mirrored && tr_control_graph_has_side(graph, there);
        if (!graph->node[node].mirrored)
            return (tr_graph_place){next.fragment, next.mirrored != aside};
        if (!aside && !(skill.mirrored && circles(&graph->node[there])))
            return next;
    }
    return tr_planner_follow(graph, done);
}

tr_graph_place tr_planner_next(const tr_control_graph *graph, tr_graph_place done,
                               const tr_planner_stance *stance, const tr_steering_target *target,
                               double turn_rad) {
    int count = 0, node = tr_control_graph_node_of(graph, done.fragment);
    /* Step 1 of the header: the skill may not be left. */
    if (graph->node[node].cyclic && !stance->settled)
        return tr_planner_follow(graph, done);
    tr_control_graph_edges(graph, done.fragment, &count);
    /* Step 2: the goal, which matters only where the fragment has a way out. */
    int goal = count > 0 ? tr_planner_goal(graph, node, target, turn_rad) : -1;
    /* A turn that has begun is finished. */
    bool bound = !graph->node[node].cyclic && graph->node[node].turn_rad != 0 &&
                 done.fragment + 1 < graph->node[node].first + graph->node[node].count;
    /* A character that has just stopped here tidies its stance. */
    if (goal == node && stance->tidies >= 0 && !stance->stands)
        goal = stance->tidies;
    if (goal < 0 || goal == node || (bound && target->skill[0] == 0))
        return tr_planner_follow(graph, done);
    /* Step 3: the way. A skill that rests comes no nearer to a shut transition, so it goes
     * around. */
    int far[TR_GRAPH_NODE_MAX];
    measure_ways(graph, goal, stance->rests ? stance->shut : NULL, far);
    /* Every way is shut: it tidies its stance, so that one opens. */
    if (far[node] == graph->node_count && stance->tidies >= 0 &&
        tr_planner_hop(graph, node, goal) >= 0)
        measure_ways(graph, stance->tidies, stance->shut, far);
    return approach(graph, done, stance->shut, far);
}

/* A long way is cut in its middle: the requested skill is always named. */
static void pass(tr_driver_way *way, const tr_graph_node *node) {
    int at = way->count < TR_DRIVER_WAY_MAX ? way->count++ : TR_DRIVER_WAY_MAX - 1;
    way->skill[at] = node->skill;
}

/* --- walks by the references --- */

/* The mirror image turns and steps to the other side. */
static tr_displacement travel_of(const tr_fragment *fragment, bool mirrored) {
    const tr_pose *from = &fragment->start.pose, *to = &fragment->end.pose;
    const double heading = tr_quat_heading(from->root_rot), side = mirrored ? -1 : 1;
    const double dx = to->root_pos.x - from->root_pos.x, dy = to->root_pos.y - from->root_pos.y;
    const double c = tr_cos(heading), s = tr_sin(heading);
    return (tr_displacement){c * dx + s * dy, side * (c * dy - s * dx),
                             side * tr_angle_wrap(tr_quat_heading(to->root_rot) - heading)};
}

void tr_planner_measure(const tr_control_graph *graph, int goal, int far[TR_GRAPH_NODE_MAX]) {
    measure_ways(graph, goal, NULL, far);
}

void tr_planner_pass(const tr_control_graph *graph, tr_graph_place place, tr_planner_walk *walk) {
    const tr_fragment *fragment = &graph->bank.fragment[place.fragment];
    walk->travel = tr_displacement_join(walk->travel, travel_of(fragment, place.mirrored));
    walk->steps += fragment->steps;
    walk->fragments++;
    walk->done = place;
}

tr_graph_place tr_planner_lean(const tr_control_graph *graph, tr_graph_place done,
                               tr_graph_place next, double turn_rad) {
    const tr_graph_node *from = &graph->node[tr_control_graph_node_of(graph, done.fragment)];
    const tr_graph_place skill = skill_after(graph, next);
    const int there = tr_control_graph_node_of(graph, skill.fragment);
    const tr_graph_node *node = &graph->node[there];
    tr_planner_walk half = {.steps = 0};
    if (from->mirrored || node == from || !node->mirrored ||
        tr_control_graph_way(graph, there) != TR_WAY_AHEAD || fabs(tr_sin(turn_rad)) < LEANS_FROM ||
        tr_control_graph_has_side(graph, there))
        return next;
    for (int f = node->first; f < node->first + node->count; f++)
        tr_planner_pass(graph, (tr_graph_place){f, skill.mirrored}, &half);
    const bool other_side = half.travel.aside_m * tr_sin(turn_rad) < 0;
    return (tr_graph_place){next.fragment, next.mirrored != other_side};
}

tr_graph_place tr_planner_go(const tr_control_graph *graph, int goal,
                             const int far[TR_GRAPH_NODE_MAX], tr_planner_walk *walk,
                             tr_driver_way *names) {
    int node = tr_control_graph_node_of(graph, walk->done.fragment);
    /* Each fragment is passed once, in either half. */
    for (int f = 0; f < 2 * graph->bank.fragment_count && far[node] < graph->node_count; f++) {
        const tr_graph_place place = approach(graph, walk->done, NULL, far);
        const int next = tr_control_graph_node_of(graph, place.fragment);
        if (names && next != node && (graph->node[next].cyclic || next == goal))
            pass(names, &graph->node[next]);
        if (next == goal)
            return place;
        node = next;
        tr_planner_pass(graph, place, walk);
    }
    return (tr_graph_place){-1, false};
}

/* What is left of a fragment of which `steps` are done: its share of the whole. */
static void pass_rest(const tr_control_graph *graph, tr_graph_place place, int steps,
                      tr_planner_walk *walk) {
    const tr_fragment *fragment = &graph->bank.fragment[place.fragment];
    const tr_displacement whole = travel_of(fragment, place.mirrored);
    const double left = (double)(fragment->steps - steps) / fragment->steps;
    *walk = (tr_planner_walk){.done = place, .steps = fragment->steps - steps};
    walk->travel =
        (tr_displacement){left * whole.ahead_m, left * whole.aside_m, left * whole.turn_rad};
}

static bool is_same(tr_graph_place a, tr_graph_place b) {
    return a.fragment == b.fragment && a.mirrored == b.mirrored;
}

/* Walks on as if the first chance to leave were missed, and then to the goal. */
static tr_displacement travel_later(const tr_control_graph *graph, tr_planner_walk walk, int goal,
                                    const int far[TR_GRAPH_NODE_MAX]) {
    bool leaves = false;
    for (int f = 0; f < 2 * graph->bank.fragment_count && !leaves &&
                    tr_control_graph_node_of(graph, walk.done.fragment) != goal;
         f++) {
        const tr_graph_place next = tr_planner_follow(graph, walk.done);
        leaves = !is_same(approach(graph, walk.done, NULL, far), next);
        tr_planner_pass(graph, next, &walk);
    }
    (void)tr_planner_go(graph, goal, far, &walk, NULL);
    return walk.travel;
}

bool tr_planner_way(const tr_control_graph *graph, tr_graph_place from, int steps,
                    const tr_steering_target *target, double step_s, tr_driver_way *out) {
    int node = tr_control_graph_node_of(graph, from.fragment), far[TR_GRAPH_NODE_MAX];
    int goal = target->skill[0] ? tr_control_graph_find(graph, target->skill) : -1;
    tr_planner_walk walk;
    if (goal < 0 || goal == node)
        return false;
    measure_ways(graph, goal, NULL, far);
    if (far[node] == graph->node_count)
        return false;
    pass_rest(graph, from, steps, &walk);
    *out = (tr_driver_way){.count = 0};
    out->later = travel_later(graph, walk, goal, far);
    if (tr_planner_go(graph, goal, far, &walk, out).fragment < 0)
        return false;
    out->time_s = walk.steps * step_s;
    out->travel = walk.travel;
    return true;
}
