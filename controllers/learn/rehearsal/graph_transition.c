#include "learn/rehearsal/graph_transition.h"

#include "control/graph/planner.h"
#include "learn/rehearsal/trial_ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SETTLE_S = 2; /* at least, before a trial walks or approaches the transition */
enum { FOR_APPROACH = 3, FOR_HEADING, FOR_SLOPE = 8 }; /* of random streams, beside harden.c's */
enum { OPEN_MAX = 40 }; /* visits of a skill that are waited for a transition to open */
static const double SLOPE_SIDE_M = 400;

bool tr_graph_transition_over(const tr_control_graph *graph, int node, tr_graph_transition *out) {
    const tr_graph_node *chain = &graph->node[node];
    /* A transition is a chain with exactly one edge in and one edge out, between cyclic skills. */
    int last = chain->first + chain->count - 1, in = -1, on = -1, ways = 0;
    for (int e = 0; e < graph->edge_count; e++) {
        const tr_graph_edge *edge = &graph->edge[e];
        ways += edge->to == chain->first || edge->from == last;
        in = edge->to == chain->first ? e : in;
        on = edge->from == last ? e : on;
    }
    if (chain->cyclic || ways != 2 || in < 0 || on < 0)
        return false;
    const tr_graph_node *from = &graph->node[tr_control_graph_node_of(graph, graph->edge[in].from)];
    const tr_graph_node *to = &graph->node[tr_control_graph_node_of(graph, graph->edge[on].to)];
    *out = (tr_graph_transition){.leave = graph->edge[in].from,
                                 .first = chain->first,
                                 .count = chain->count,
                                 .learns = chain->first,
                                 .learns_count = chain->count,
                                 .enter = graph->edge[on].to,
                                 .flips = graph->edge[on].flips};
    memcpy(out->from, from->skill, TR_NAME_MAX);
    memcpy(out->to, to->skill, TR_NAME_MAX);
    return from->cyclic && to->cyclic;
}

void tr_graph_transition_teach_skill(tr_graph_transition *transition,
                                     const tr_control_graph *graph) {
    const tr_graph_node *skill = &graph->node[tr_control_graph_node_of(graph, transition->enter)];
    transition->learns = skill->first;
    transition->learns_count = skill->count;
}

static bool lies_within(int first, int count, const tr_bank *bank) {
    return first >= 0 && count >= 1 && count <= bank->fragment_count - first;
}

bool tr_graph_transition_fits(const tr_graph_transition *p, const tr_controller *controller) {
    const tr_control_graph *graph = tr_graph_of(controller);
    return graph && p->leave >= 0 && p->leave < graph->bank.fragment_count &&
           lies_within(p->first, p->count, &graph->bank) &&
           lies_within(p->learns, p->learns_count, &graph->bank) &&
           tr_control_graph_find(graph, p->from) >= 0 && tr_control_graph_find(graph, p->to) >= 0;
}

double tr_graph_transition_chain_s(const tr_graph_transition *transition,
                                   const tr_controller *controller) {
    const tr_bank *bank = tr_controller_bank(controller);
    int steps = 0;
    for (int k = transition->first; k < transition->first + transition->count; k++)
        steps += bank->fragment[k].steps;
    return steps * controller->step_s;
}

/* Would the planner take the transition from a settled character now? To a turning skill only in
 * one half. */
static bool goes_over(const tr_graph_transition *transition, const tr_trial *trial) {
    static const tr_planner_stance settled = {.settled = true, .jumps = true, .tidies = -1};
    const tr_control_graph *graph = tr_graph_of(trial->runner.controller);
    tr_steering_target target = {.aim = TR_AIM_NONE};
    tr_graph_place done = {trial->watch.entry, trial->watch.mirrored};
    memcpy(target.skill, transition->to, TR_NAME_MAX);
    return tr_planner_next(graph, done, &settled, &target, 0).fragment == transition->first;
}

/* Is the character of a trial that is not lost beyond the limit of the transition, where it has
 * one? */
static bool is_shut(const tr_graph_transition *transition, const tr_trial *trial,
                    tr_rehearsal *rehearsal) {
    const tr_control_graph *graph = tr_graph_of(trial->runner.controller);
    tr_graph_place done = {trial->watch.entry, trial->watch.mirrored};
    tr_state state;
    if (trial->lost || tr_world_get_state(rehearsal->world, rehearsal->character, &state))
        return false;
    tr_planner_stance stance = tr_planner_look(graph, rehearsal->model, done, &state);
    return stance.shut[tr_control_graph_node_of(graph, transition->first)];
}

tr_state tr_graph_transition_start(const tr_controller *controller, uint64_t seed, int trial) {
    tr_random random = tr_random_split(seed, FOR_HEADING, (uint64_t)trial);
    tr_state start = tr_trial_disturbed_start(controller, seed, trial);
    return tr_state_place(&start, 2 * TR_PI * tr_random_uniform(&random), (tr_vec3){0, 0, 0});
}

void tr_graph_transition_approach(const tr_graph_transition *transition, tr_trial *trial,
                                  tr_rehearsal *rehearsal, tr_random *random) {
    if (transition->walks)
        tr_random_walk(trial, rehearsal, random, transition->from, &transition->walk);
    tr_trial_settle_at(trial, rehearsal, transition->leave);
    /* In the wrong half the planner would not go over: the next end of the fragment is in the other
     * one. */
    if (!trial->lost && !goes_over(transition, trial))
        tr_trial_settle_at(trial, rehearsal, transition->leave);
    /* Beyond the limit of the transition the planner waits, and so does the trial. */
    for (int i = 0; i < OPEN_MAX && is_shut(transition, trial, rehearsal); i++)
        tr_trial_settle_at(trial, rehearsal, transition->leave);
    trial->lost = trial->lost || is_shut(transition, trial, rehearsal);
    memcpy(trial->runner.target.skill, transition->to, TR_NAME_MAX);
}

typedef struct one_try {
    bool came, held;
    double turn_rad, distance, lasted_s;
} one_try;

typedef struct tries {
    const tr_controller *controller;
    const tr_graph_transition *transition;
    const tr_graph_transition_test *test;
    one_try *result; /* [trials] */
} tries;

static double heading_of(const tr_rehearsal *rehearsal) {
    tr_state state;
    return !tr_world_get_state(rehearsal->world, rehearsal->character, &state)
               ? tr_quat_heading(state.pose.root_rot)
               : 0;
}

/* Runs for a while. Returns the mean distance from the references at the ends of fragments. */
static double hold(tr_trial *trial, tr_rehearsal *rehearsal, double seconds) {
    int64_t last = trial->steps + (int64_t)(seconds / trial->runner.controller->step_s);
    double sum = tr_trial_distance(trial, rehearsal);
    int ends = 1;
    while (!trial->lost && trial->steps < last) {
        tr_trial_finish_entry(trial, rehearsal);
        sum += tr_trial_distance(trial, rehearsal);
        ends++;
    }
    return sum / ends;
}

/* Lays the plane or a slope, and puts the start on it; trials head in all directions. */
static tr_status lay_ground(const tr_graph_transition_test *test, int item, tr_rehearsal *rehearsal,
                            tr_state *start) {
    tr_random random = tr_random_split(test->seed, FOR_SLOPE, (uint64_t)item);
    const tr_trial_ground slope = {.kind = TR_TRIAL_GROUND_UP,
                                   .amount =
                                       test->slope_deg * (0.5 + 0.5 * tr_random_uniform(&random)),
                                   .side_m = SLOPE_SIDE_M};
    return tr_trial_ground_raise(&slope, rehearsal->world, start);
}

static void try_once(void *context, int item, tr_rehearsal *rehearsal) {
    tries *t = context;
    one_try *out = &t->result[item];
    const tr_controller *controller = t->controller;
    tr_random random = tr_random_split(t->test->seed, FOR_APPROACH, (uint64_t)item);
    tr_state start = tr_graph_transition_start(controller, t->test->seed, item);
    /* Trials leave the start at any phase of a cycle. */
    double settle_s = SETTLE_S + tr_random_uniform(&random) * tr_controller_duration_s(controller);
    tr_trial trial;
    if (lay_ground(t->test, item, rehearsal, &start) ||
        tr_trial_begin(&trial, controller, rehearsal, &start))
        return;
    tr_trial_run(&trial, rehearsal, (int64_t)(settle_s / controller->step_s));
    tr_graph_transition_approach(t->transition, &trial, rehearsal, &random);
    out->came = !trial.lost;
    /* Cross the chain, then hold the second skill. */
    double before = heading_of(rehearsal);
    for (int k = 0; k < t->transition->count; k++)
        tr_trial_finish_entry(&trial, rehearsal);
    int64_t begin = trial.steps;
    out->distance = hold(&trial, rehearsal, t->test->after_s);
    out->held = !trial.lost;
    out->lasted_s = (double)(trial.steps - begin) * controller->step_s;
    out->turn_rad = fabs(remainder(heading_of(rehearsal) - before, 2 * TR_PI));
}

tr_status tr_graph_transition_try(tr_ensemble *ensemble, const tr_controller *controller,
                                  const tr_graph_transition *transition,
                                  const tr_graph_transition_test *test,
                                  tr_graph_transition_count *out) {
    tries t = {controller, transition, test, calloc((size_t)test->trials, sizeof *t.result)};
    if (!t.result)
        return TR_RESOURCE_EXHAUSTED;
    tr_ensemble_share(ensemble, try_once, &t, test->trials,
                      (const tr_ranks_result[]){{t.result, sizeof *t.result}, {0}});
    *out = (tr_graph_transition_count){0};
    for (int i = 0; i < test->trials; i++) {
        out->came += t.result[i].came;
        out->held += t.result[i].held;
        out->turn_rad += t.result[i].held ? t.result[i].turn_rad : 0;
        out->distance += t.result[i].held ? t.result[i].distance : 0;
        out->lasted_s += t.result[i].came ? t.result[i].lasted_s : 0;
    }
    out->lasted_s /= out->came > 0 ? out->came : 1;
    if (out->held > 0) {
        out->turn_rad /= out->held;
        out->distance /= out->held;
    }
    free(t.result);
    return TR_OK;
}
