#include "control/graph/planner.h"

#include "control/parts/state_distance.h"
#include "math/elementary.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A turning skill is chosen when it leaves at most this share of the turn. */
static const double TURN_LEFT_OVER = 0.6;

/* What it leaves is steered, at 0.5 rad/s in steps of 5 ms. */
static const double STEPS_PER_RAD = 400;

/* A cyclic turning skill in progress ends where less of the turn is left, rad. */
static const double ENOUGH_RAD = 0.3;

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

/* A moving character jumps only from this near; undisturbed ones are nearer. From 0.15 on, 8 of 379
 * requests ended in a fall after a jump (the log of hero). */
static const double JUMPS = 0.08;

/* A character slower than this is at rest (tr_state_motion). One that has just stopped sways and
 * passes near the reference while it still moves. */
static const double AT_REST = 0.04;

/* One slower than this stands still. A transition with a limit out of a skill that rests begins only
 * then: 7 of 47 characters that still swayed within the limit fell in it (the log of graphs). */
static const double STILL = 0.01;

/* One slower than this has stood for a second or more. Its feet creep, and its distance grows by 0.0001
 * a second. After half a minute its distance is smaller again, but 10 of 54 characters fell in the
 * transition. So for it the limit is this share of what it is for one that has just stopped: 1 of 120 fell
 * (the log of graphs). */
static const double STANDS = 0.003, CREPT = 0.98;

/* A jump into a skill that is only passed counts as so many fragments more, because the character has to
 * settle before it may leave; chains were made to end settled. Into a skill that moves: of 380 requests
 * none ended in a fall; with 10 fragments 6 of 378 did. A skill that rests is left only at rest. */
enum { UNSETTLED = 40, UNSETTLED_AT_REST = 8 };

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

/* Returns how many steps a skill takes to turn, with what it leaves of the turn steered after it; INFINITY:
 * it leaves too much, or is not worth it. A cyclic one that begins runs for as many rounds as bring the
 * heading nearest; one that turns far may go the other way round, and in progress end at any fragment. */
static double steps_to_turn(const tr_control_graph *graph, int n, bool begun, double turn_rad) {
    const tr_graph_node *node = &graph->node[n];
    const double gain = node->turn_rad;
    const bool far = node->cyclic && fabs(gain) > TR_PI / 2;
    double wanted = turn_rad, cycle = 0;
    for (int f = node->first; f < node->first + node->count; f++)
        cycle += graph->bank.fragment[f].steps;
    if (far && gain * turn_rad < 0 && fabs(turn_rad) > TR_PI / 2)
        wanted += copysign(2 * TR_PI, gain);
    double rounds = node->cyclic ? fmax(1, round(wanted / gain)) : 1;
    if (far && begun)
        rounds = wanted / gain;
    const double left = fabs(wanted - rounds * gain);
    if (left >= TURN_LEFT_OVER * fabs(turn_rad) || rounds * fabs(gain) < ENOUGH_RAD)
        return (double)INFINITY;
    return rounds * cycle + left * STEPS_PER_RAD;
}

static int best_turn(const tr_control_graph *graph, int node, double turn_rad, const bool *steep) {
    int best = -1;
    double least = (double)INFINITY;
    for (int n = 0; n < graph->node_count; n++) {
        const tr_graph_node *it = &graph->node[n];
        if (it->turn_rad == 0)
            continue;
        const double steps = steps_to_turn(graph, n, n == node, turn_rad);
        /* A cyclic skill in progress may finish a small turn, but none begins for it. */
        bool begins = it->cyclic && n != node;
        if (steps < least && !tr_control_graph_rises(graph, n) &&
            !(begins && fabs(turn_rad) < TURN_FROM_RAD) && !(steep && steep[n])) {
            least = steps;
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

static int best_speed(const tr_control_graph *graph, int node, double speed_mps,
                      const bool *steep) {
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
        if (error < least && advances(graph, n) && !(steep && steep[n])) {
            least = error;
            best = n;
        }
    }
    return best;
}

static int far_at(const tr_planner_far *far, tr_graph_place place) {
    return far->steps[2 * place.fragment + place.mirrored];
}

static tr_graph_place take(const tr_graph_edge *edge, bool mirrored) {
    return (tr_graph_place){edge->to, mirrored != edge->flips};
}

/* Is there a next fragment in the skill itself? */
static bool continues(const tr_graph_node *node, int fragment) {
    return node->cyclic || fragment + 1 < node->first + node->count;
}

/* The next place in the skill itself. */
static tr_graph_place continuation(const tr_graph_node *node, tr_graph_place done) {
    const bool again = done.fragment + 1 == node->first + node->count;
    return again ? (tr_graph_place){node->first, done.mirrored != node->mirrored}
                 : (tr_graph_place){done.fragment + 1, done.mirrored};
}

tr_graph_place tr_planner_follow(const tr_control_graph *graph, tr_graph_place done) {
    const tr_graph_node *node = &graph->node[tr_control_graph_node_of(graph, done.fragment)];
    int count = 0;
    return continues(node, done.fragment)
               ? continuation(node, done)
               : take(tr_control_graph_edges(graph, done.fragment, &count), done.mirrored);
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

/* Hold all skills that do not rest, and all skills. */
enum { MOVING = -2, EVERY = -3 };

/* A search for the shortest way. sided: in the mirrored half the goal goes to the other side, so it
 * is entered in its own half only
 * rest: the skill that rests, whose places are their own images; -1: none
 * held: the skill out of which it may not jump; -1: none; or MOVING or EVERY
 * shut, steep: [node]; NULL: none; far: the result */
typedef struct search {
    const tr_control_graph *graph;
    int goal, rest, held;
    bool sided;
    const bool *shut, *steep;
    const tr_planner_far *far;
} search;

/* What a way may not take: see search. */
typedef struct search_bars {
    const bool *shut, *steep;
    int held;
} search_bars;

static search search_for(const tr_control_graph *graph, const search_bars *bars,
                         const tr_planner_far *far) {
    return (search){.graph = graph,
                    .goal = far->goal,
                    .rest = tr_control_graph_rest(graph),
                    .held = bars->held,
                    .sided = circles(&graph->node[far->goal]) ||
                             tr_control_graph_has_side(graph, far->goal),
                    .shut = bars->shut,
                    .steep = bars->steep,
                    .far = far};
}

/* Returns the steps from the start of a place until the goal is entered. */
static int cost_of(const search *s, tr_graph_place place, int node) {
    if (node == s->goal && !(s->sided && place.mirrored))
        return 0;
    return s->graph->bank.fragment[place.fragment].steps + far_at(s->far, place);
}

static bool is_held(const search *s, int node) {
    return s->held == EVERY || (s->held == MOVING ? node != s->rest : node == s->held);
}

/* Chooses the nearest of all that may follow a place of a node: the next fragment, or one of `count`
 * edges. Returns the steps from its start until the goal is entered. */
static int choose_next(const search *s, int n, tr_graph_place done, const tr_graph_edge *edge,
                       int count, tr_graph_place *out) {
    const tr_graph_node *node = &s->graph->node[n];
    int least = INT_MAX;
    if (continues(node, done.fragment)) {
        *out = continuation(node, done);
        least = cost_of(s, *out, n);
    }
    /* Each edge, and out of a skill that rests its mirror image too. */
    for (int i = 0; i < (n == s->rest ? 2 : 1) * count; i++) {
        const tr_graph_edge *e = &edge[i % count];
        const int to = s->far->node[e->to];
        const tr_graph_place next = take(e, done.mirrored != (i >= count));
        const bool jumps = tr_graph_edge_jumps(e, node, &s->graph->node[to]);
        const int skill = s->far->skill[to];
        int cost = cost_of(s, next, to);
        if (jumps && skill != s->goal)
            cost += (skill == s->rest ? UNSETTLED_AT_REST : UNSETTLED) *
                    s->graph->bank.fragment[e->to].steps;
        const bool barred = jumps ? is_held(s, n) : s->shut && s->shut[to];
        if (cost < least && !barred && !(s->steep && s->steep[to])) {
            least = cost;
            *out = next;
        }
    }
    return least;
}

/* Goes backwards through the places of a node, whose edges these are. Returns whether any became
 * nearer. */
static bool relax_node(const search *s, int n, const tr_graph_edge *edge, int edge_count,
                       tr_planner_far *far) {
    const tr_graph_node *node = &s->graph->node[n];
    bool nearer = false;
    for (int f = node->first + node->count - 1; f >= node->first; f--) {
        int count = 0;
        while (count < edge_count && edge[edge_count - count - 1].from == f)
            count++;
        edge_count -= count;
        for (int half = 0; half < 2; half++) {
            tr_graph_place next;
            const int steps =
                choose_next(s, n, (tr_graph_place){f, half == 1}, edge + edge_count, count, &next);
            int *known = &far->steps[2 * f + half];
            nearer |= steps < *known;
            *known = steps < *known ? steps : *known;
        }
    }
    return nearer;
}

/* Goes backwards through the nodes once, past those after which nothing became nearer. nearer: [node],
 * when the node was last looked at; first: for those before the goal it counts as nearer. Returns whether
 * any became nearer. */
static bool relax(const search *s, bool first, bool *nearer, tr_planner_far *far) {
    const tr_control_graph *graph = s->graph;
    const tr_graph_edge *edge = graph->edge + graph->edge_count;
    bool changed = false;
    for (int n = graph->node_count - 1; n >= 0; n--) {
        bool due = nearer[n];
        int count = 0;
        for (; edge > graph->edge && edge[-1].from >= graph->node[n].first; count++) {
            edge--;
            due = due || nearer[far->node[edge->to]];
        }
        const bool relaxed = due && relax_node(s, n, edge, count, far);
        nearer[n] = relaxed || (first && n == s->goal);
        changed |= relaxed;
    }
    return changed;
}

/* Bellman-Ford: places are relaxed until nothing changes. */
static void measure(const tr_control_graph *graph, int goal, search_bars bars,
                    tr_planner_far *far) {
    far->goal = goal;
    const search s = search_for(graph, &bars, far);
    const tr_graph_node *last = &graph->node[graph->node_count - 1];
    bool nearer[TR_GRAPH_NODE_MAX] = {false}, first = true;
    for (int i = 0; i < 2 * (last->first + last->count); i++)
        far->steps[i] = TR_PLANNER_NEVER;
    for (int n = 0; n < graph->node_count; n++)
        memset(far->node + graph->node[n].first, n, (size_t)graph->node[n].count);
    for (int n = 0; n < graph->node_count; n++)
        far->skill[n] =
            far->node[skill_after(graph, (tr_graph_place){graph->node[n].first, false}).fragment];
    nearer[goal] = true;
    while (relax(&s, first, nearer, far))
        first = false;
}

void tr_planner_measure(const tr_control_graph *graph, int goal, const bool *shut,
                        tr_planner_far *out) {
    measure(graph, goal, (search_bars){.shut = shut, .held = -1}, out);
}

/* Returns the steps from the end of a node to where `far` is measured. */
static int far_from(const tr_control_graph *graph, int node, const tr_planner_far *far) {
    return far_at(far,
                  (tr_graph_place){graph->node[node].first + graph->node[node].count - 1, false});
}

/* Returns the nearest cyclic skill that goes straight; -1: none. */
static int nearest_straight(const tr_control_graph *graph, int node, const bool *steep) {
    int best = -1, least = TR_PLANNER_NEVER;
    tr_planner_far far;
    for (int n = 0; n < graph->node_count; n++) {
        if (!goes_straight(graph, n))
            continue;
        measure(graph, n, (search_bars){.steep = steep, .held = -1}, &far);
        if (far_from(graph, node, &far) < least) {
            least = far_from(graph, node, &far);
            best = n;
        }
    }
    return best;
}

double tr_planner_turn(tr_bearing bearing) {
    return bearing.distance_m < TURNING_ROOM_M ? 0 : bearing.turn_rad;
}

int tr_planner_goal(const tr_control_graph *graph, int node, const tr_steering_target *target,
                    double turn_rad, const bool *steep) {
    /* In the order of the header: the named skill, a turn, a speed, straight on. */
    if (target->skill[0] != 0)
        return tr_control_graph_find(graph, target->skill);
    int turn = best_turn(graph, node, turn_rad, steep);
    if (turn >= 0)
        return turn;
    if (target->speed_mps > 0)
        return best_speed(graph, node, target->speed_mps, steep);
    return target->aim != TR_AIM_NONE && circles(&graph->node[node])
               ? nearest_straight(graph, node, steep)
               : -1;
}

bool tr_planner_leads(const tr_control_graph *graph, int from, int to, const bool *steep) {
    tr_planner_far far;
    measure(graph, to, (search_bars){.steep = steep, .held = -1}, &far);
    return far_from(graph, from, &far) < TR_PLANNER_NEVER;
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

/* Returns how far a character is from where a transition begins, or, in a skill that moves before another
 * fragment than the last one before it, how far it is from the motion that leads there. */
static double distance_before(const tr_control_graph *graph, const tr_model *model,
                              const tr_graph_edge *edge, tr_graph_place done, bool rests,
                              const tr_state *state) {
    if (edge->from != done.fragment && !rests)
        return tr_planner_distance(&graph->bank, model, done, state);
    tr_state start = graph->bank.fragment[edge->to].start;
    if (done.mirrored != edge->flips)
        start = tr_state_mirror(model, &start);
    return tr_state_distance(model, state, &start);
}

/* Returns the side step that is joined both ways with node `node`, with no shut transition on the
 * way there; -1: none. */
static int side_step_from(const tr_control_graph *graph, int node, const bool *shut) {
    tr_planner_far far;
    for (int n = 0; n < graph->node_count; n++) {
        if (n == node || !tr_control_graph_steps_aside(graph, n))
            continue;
        tr_planner_measure(graph, n, shut, &far);
        if (far_from(graph, node, &far) < TR_PLANNER_NEVER &&
            tr_planner_leads(graph, n, node, NULL))
            return n;
    }
    return -1;
}

tr_planner_stance tr_planner_look(const tr_control_graph *graph, const tr_model *model,
                                  tr_graph_place done, const tr_state *state) {
    int node = tr_control_graph_node_of(graph, done.fragment);
    const double motion = tr_state_motion(model, state);
    const bool rests = tr_state_motion(model, &graph->bank.fragment[done.fragment].end) < AT_REST;
    const bool near = tr_planner_may_leave(graph, model, done, state);
    /* One that stands still far from the reference comes no nearer: it waited for minutes. Of 10 that left
     * 0.2 off, after a dance, 4 fell in the next skill; of 5 that took a side step, none. */
    const bool strays = !near && rests && motion < STILL;
    bool misses = strays;
    tr_planner_stance out = {
        .settled = near || strays,
        .strays = strays,
        .rests = rests,
        .jumps = rests || tr_planner_distance(&graph->bank, model, done, state) < JUMPS};
    const double share = rests && motion < STANDS ? CREPT : 1;
    for (int e = 0; e < graph->edge_count; e++) {
        const tr_graph_edge *edge = &graph->edge[e];
        int chain = tr_control_graph_node_of(graph, edge->to);
        if (graph->node[chain].cyclic || graph->node[chain].settled <= 0 ||
            tr_control_graph_node_of(graph, edge->from) != node ||
            edge->to != graph->node[chain].first)
            continue;
        /* Only chains out of this skill with a limit of their own can be shut. */
        const double limit = share * graph->node[chain].settled;
        bool far = distance_before(graph, model, edge, done, rests, state) >= limit;
        out.shut[chain] = far || (out.rests && motion >= STILL);
        misses |= far && motion < STILL;
    }
    out.tidies = misses && out.rests ? side_step_from(graph, node, out.shut) : -1;
    return out;
}

bool tr_planner_leaves(const tr_control_graph *graph, int fragment,
                       const tr_steering_target *target, double turn_rad, const bool *steep) {
    int node = tr_control_graph_node_of(graph, fragment);
    int goal =
        graph->node[node].cyclic ? tr_planner_goal(graph, node, target, turn_rad, steep) : -1;
    return goal >= 0 && goal != node && tr_planner_leads(graph, node, goal, steep);
}

/* Returns the place after `done` on the shortest way to where `far` is measured. */
static tr_graph_place approach(const tr_control_graph *graph, tr_graph_place done, search_bars bars,
                               const tr_planner_far *far) {
    int count = 0;
    const tr_graph_edge *edge = tr_control_graph_edges(graph, done.fragment, &count);
    const search s = search_for(graph, &bars, far);
    tr_graph_place next = tr_planner_follow(graph, done);
    (void)choose_next(&s, tr_control_graph_node_of(graph, done.fragment), done, edge, count, &next);
    return next;
}

tr_graph_place tr_planner_next(const tr_control_graph *graph, tr_graph_place done,
                               const tr_planner_stance *stance, const tr_steering_target *target,
                               double turn_rad) {
    const bool *steep = stance->steep;
    int count = 0, node = tr_control_graph_node_of(graph, done.fragment);
    /* Step 1 of the header: the skill may not be left. */
    if (graph->node[node].cyclic && !stance->settled)
        return tr_planner_follow(graph, done);
    tr_control_graph_edges(graph, done.fragment, &count);
    /* Step 2: the goal, which matters only where the fragment has a way out. */
    int goal = count > 0 ? tr_planner_goal(graph, node, target, turn_rad, steep) : -1;
    /* A turn that has begun is finished. */
    bool bound = !graph->node[node].cyclic && graph->node[node].turn_rad != 0 &&
                 done.fragment + 1 < graph->node[node].first + graph->node[node].count;
    /* One far off its stance tidies it first, whatever the goal; a late one leaves as it stands. */
    if (goal >= 0 && stance->tidies >= 0 && stance->strays && !stance->late)
        goal = stance->tidies;
    if (goal < 0 || goal == node || (bound && target->skill[0] == 0))
        return tr_planner_follow(graph, done);
    /* Step 3: the way. A skill that rests comes no nearer to a shut transition, so it goes
     * around. */
    tr_planner_far far;
    const bool *shut = stance->rests ? stance->shut : NULL;
    /* A jump that is too far now waits for a later cycle: if the character took a chain back instead, it
     * would plan the same jump again, and go in circles. One that is late takes chains. */
    const int held = stance->slopes ? EVERY : stance->late ? MOVING : -1;
    measure(graph, goal, (search_bars){shut, steep, held}, &far);
    const bool lost = far_at(&far, done) == TR_PLANNER_NEVER;
    bool jumps = stance->jumps;
    /* Every way is shut: it tidies its stance, so that one opens. */
    if (lost && stance->tidies >= 0 && tr_planner_leads(graph, node, goal, steep))
        measure(graph, stance->tidies, (search_bars){stance->shut, steep, -1}, &far);
    /* A late one waits before a shut chain. If it left for a jump, it would come back by the chains of the
     * next skill, and go in circles. Without any chain it jumps from as far as it may leave at all: some
     * skills never come nearer. */
    else if (lost && stance->late) {
        measure(graph, goal, (search_bars){NULL, steep, held}, &far);
        if (far_at(&far, done) == TR_PLANNER_NEVER) {
            measure(graph, goal, (search_bars){shut, steep, -1}, &far);
            jumps = true;
        }
    }
    return approach(graph, done, (search_bars){stance->shut, steep, jumps ? -1 : node}, &far);
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

tr_graph_place tr_planner_go(const tr_control_graph *graph, int goal, const tr_planner_far *far,
                             tr_planner_walk *walk, tr_driver_way *names) {
    int node = tr_control_graph_node_of(graph, walk->done.fragment);
    /* Each fragment is passed once, in either half. */
    for (int f = 0;
         f < 2 * graph->bank.fragment_count && far_at(far, walk->done) < TR_PLANNER_NEVER; f++) {
        const tr_graph_place place = approach(graph, walk->done, (search_bars){.held = -1}, far);
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
                                    const tr_planner_far *far) {
    bool leaves = false;
    for (int f = 0; f < 2 * graph->bank.fragment_count && !leaves &&
                    tr_control_graph_node_of(graph, walk.done.fragment) != goal;
         f++) {
        const tr_graph_place next = tr_planner_follow(graph, walk.done);
        leaves = !is_same(approach(graph, walk.done, (search_bars){.held = -1}, far), next);
        tr_planner_pass(graph, next, &walk);
    }
    (void)tr_planner_go(graph, goal, far, &walk, NULL);
    return walk.travel;
}

bool tr_planner_way(const tr_control_graph *graph, tr_graph_place from, int steps,
                    const tr_driver_prospect *prospect, tr_driver_way *out) {
    const char *skill = prospect->target->skill;
    int node = tr_control_graph_node_of(graph, from.fragment);
    int goal = skill[0] ? tr_control_graph_find(graph, skill) : -1;
    tr_planner_far far;
    tr_planner_walk walk;
    bool steep[TR_GRAPH_NODE_MAX];
    if (goal < 0 || goal == node)
        return false;
    tr_control_graph_find_steep(graph, prospect->normal, steep);
    measure(graph, goal, (search_bars){.steep = steep, .held = -1}, &far);
    if (far_at(&far, from) == TR_PLANNER_NEVER)
        return false;
    pass_rest(graph, from, steps, &walk);
    *out = (tr_driver_way){.count = 0};
    out->later = travel_later(graph, walk, goal, &far);
    if (tr_planner_go(graph, goal, &far, &walk, out).fragment < 0)
        return false;
    out->time_s = walk.steps * prospect->step_s;
    out->travel = walk.travel;
    return true;
}
