#include "learn/measure/graph_requests.h"

#include "learn/rehearsal/graph_transition.h"
#include "learn/rehearsal/names.h"
#include "learn/rehearsal/player.h"
#include "learn/rehearsal/trial_ground.h"
#include "math/random.h"

#include <math.h>
#include <string.h>

enum { TRIAL_MAX = 1000, FOR_REQUEST = 11, FOR_HILLS = 12 }; /* purposes of random streams */
static const double REACH_S = 60;                            /* most time on the way to a skill */
static const double STAY_LOW_S = 2, STAY_HIGH_S = 6, AFTER_S = 3;
static const double HILLS_LEVEL_M = 20, HILLS_SIDE_M = 300;

typedef struct requests {
    const tr_controller *controller;
    const tr_control_graph *graph; /* the controller's */
    const tr_graph_request_test *test;
    const tr_graph_request_pair *pair;
    tr_graph_request *out;
} requests;

/* A trial in progress. node: of the last step */
typedef struct player {
    const requests *of;
    tr_player at;
    int node;
    bool is_down;
} player;

/* Makes one step. A simulation that breaks counts as a fall. */
static void step(player *p) {
    if (tr_player_step(&p->at)) {
        p->is_down = true;
        return;
    }
    p->node = tr_control_graph_node_of(p->of->graph, p->at.doing.entry);
    p->is_down = tr_player_is_down(&p->at, false);
}

static void ask(player *p, int node) {
    memcpy(p->at.runner.target.skill, p->of->graph->node[node].skill, TR_NAME_MAX);
}

static bool reach(player *p, int node) {
    int left = (int)(REACH_S / p->of->controller->step_s);
    ask(p, node);
    while (left-- > 0 && !p->is_down && p->node != node)
        step(p);
    return !p->is_down && p->node == node;
}

static void stay(player *p, double seconds) {
    int left = (int)(seconds / p->of->controller->step_s);
    while (left-- > 0 && !p->is_down)
        step(p);
}

/* Measures the time from the request on, divided by where the character spends it. */
static void measure(player *p, const tr_graph_request_pair *pair, tr_graph_request *out) {
    double step_s = p->of->controller->step_s;
    tr_graph_transition transition;
    tr_driver_way way = {0};
    ask(p, pair->to);
    /* What the driver expects is asked for before the first step, to be compared with what
     * comes. */
    if (tr_runner_foresee(&p->at.runner, &way))
        out->expected_s = way.time_s;
    while (!p->is_down && out->seconds < REACH_S) {
        step(p);
        if (p->node == pair->to)
            break;
        out->seconds += step_s;
        /* Each step belongs to the skill or transition that it was made in. */
        if (p->node == pair->from)
            out->waits_s += step_s;
        else if (tr_graph_transition_over(p->of->graph, p->node, &transition))
            out->transitions_s += step_s;
        else
            out->others_s += step_s;
    }
    out->began = !p->is_down && p->node == pair->to;
    if (out->began)
        stay(p, AFTER_S);
    out->fell = p->is_down;
}

/* Reaches a node and stays there for some time. */
static bool visit(player *p, int node, tr_random *random) {
    if (!reach(p, node))
        return false;
    stay(p, STAY_LOW_S + (STAY_HIGH_S - STAY_LOW_S) * tr_random_uniform(random));
    return !p->is_down;
}

/* Draws one of the skills to be visited before; -1: none. */
static int draw_before(const requests *all, tr_random *random) {
    char name[TR_NAME_MAX];
    if (!all->test->after)
        return -1;
    tr_random_walk_draw(all->test->after, random, name);
    return tr_control_graph_find(all->graph, name);
}

static tr_status lay_ground(const tr_graph_request_test *test, int item, tr_rehearsal *rehearsal,
                            tr_state *start) {
    const tr_trial_ground hills = {.kind = TR_TRIAL_GROUND_HILLS,
                                   .amount = test->hills_deg,
                                   .level_m = HILLS_LEVEL_M,
                                   .side_m = HILLS_SIDE_M,
                                   .seed = test->seed + (uint64_t)FOR_HILLS + (uint64_t)item};
    tr_trial_ground_lift(rehearsal->world);
    if (test->hills_deg == 0)
        return TR_OK;
    start->pose.root_pos.z += hills.level_m;
    return tr_trial_ground_lay(&hills, rehearsal->world);
}

static void request(void *context, int item, tr_rehearsal *rehearsal) {
    const requests *all = context;
    const tr_graph_request_pair *pair = &all->pair[item / all->test->trials];
    tr_graph_request *out = &all->out[item];
    tr_random random = tr_random_split(all->test->seed, FOR_REQUEST, (uint64_t)item);
    tr_state start = tr_graph_transition_start(all->controller, all->test->seed, item);
    player p = {.of = all};
    *out = (tr_graph_request){0};
    if (lay_ground(all->test, item, rehearsal, &start) ||
        tr_player_begin(&p.at, all->controller, 0, rehearsal, &start))
        return;
    /* Reach the first skill, after another if asked to; then request the second. */
    const int before = draw_before(all, &random);
    out->asked = (before < 0 || visit(&p, before, &random)) && visit(&p, pair->from, &random);
    if (out->asked)
        measure(&p, pair, out);
}

static bool is_skill(const tr_control_graph *graph, int node) {
    return node >= 0 && node < graph->node_count && graph->node[node].cyclic;
}

static bool are_skills(const tr_control_graph *graph, const char *names) {
    char name[TR_NAME_MAX];
    bool all = names[0];
    while (tr_names_next(&names, name))
        all = all && is_skill(graph, tr_control_graph_find(graph, name));
    return all;
}

tr_status tr_graph_requests(tr_ensemble *ensemble, const tr_controller *controller,
                            const tr_graph_request_test *test, const tr_graph_request_pair *pair,
                            int count, tr_graph_request *out) {
    const tr_control_graph *graph = tr_graph_of(controller);
    if (!graph || test->trials < 1 || test->trials > TRIAL_MAX ||
        !(test->hills_deg >= 0 && test->hills_deg <= 30) ||
        (test->after && !are_skills(graph, test->after)))
        return TR_INVALID_ARGUMENT;
    for (int i = 0; i < count; i++)
        if (!is_skill(graph, pair[i].from) || !is_skill(graph, pair[i].to) ||
            pair[i].from == pair[i].to)
            return TR_INVALID_ARGUMENT;
    requests all = {controller, graph, test, pair, out};
    tr_ensemble_share(ensemble, request, &all, count * test->trials,
                      (const tr_ranks_result[]){{out, sizeof *out}, {0}});
    return TR_OK;
}
