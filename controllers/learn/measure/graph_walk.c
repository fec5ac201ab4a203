#include "learn/measure/graph_walk.h"

#include "control/graph/control_graph.h"
#include "learn/rehearsal/graph_transition.h"
#include "learn/rehearsal/player.h"
#include "learn/rehearsal/trial_ground.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WALK_MAX = 10000 };
static const double HILLS_SIDE_M = 700;

/* One walk. */
typedef struct walker {
    const tr_controller *controller;
    const tr_control_graph *graph; /* the controller's */
    const tr_graph_walk_test *test;
    tr_player at;
    tr_random random;
    int node;       /* the skill it is in */
    int goal;       /* the skill that the walker steers to */
    double leave_s; /* when it steers to another; INFINITY: not there yet */
    double steered_s, longest_way_s;
    double time_s;
    int64_t visits[TR_GRAPH_NODE_MAX], crossings;
    tr_graph_walk_stage stage[TR_GRAPH_WALK_STAGE_MAX]; /* [stage_count], the last in progress */
    int stage_count;
    int fall_count, risen, falls[TR_GRAPH_NODE_MAX];
    double down_s; /* how long it has been down */
    bool is_down, is_lost;
    tr_graph_walk_fall last_fall;
} walker;

static bool is_too_steep(const walker *w, int node) {
    const tr_rehearsal *r = w->at.rehearsal;
    return tr_control_graph_is_too_steep(w->graph, w->graph->node[node].skill,
                                         tr_world_local_ground(r->world, r->character).normal);
}

/* May the walk steer to the node? Never to rising skills: only a fall leads there. */
static bool may_steer_to(const walker *w, int node) {
    tr_graph_transition transition;
    return !tr_control_graph_rises(w->graph, node) && node != w->node && !is_too_steep(w, node) &&
           !tr_graph_transition_over(w->graph, node, &transition);
}

static void steer_to_another(walker *w) {
    const tr_control_graph *graph = w->graph;
    int64_t least = INT64_MAX;
    int choices = 0;
    /* The goal is one of the skills visited least, chosen by chance. */
    for (int n = 0; n < graph->node_count; n++)
        if (may_steer_to(w, n) && w->visits[n] < least)
            least = w->visits[n];
    for (int n = 0; n < graph->node_count; n++)
        if (may_steer_to(w, n) && w->visits[n] == least)
            choices++;
    int chosen = choices ? (int)(tr_random_uniform(&w->random) * choices) : 0;
    for (int n = 0; n < graph->node_count; n++)
        if (may_steer_to(w, n) && w->visits[n] == least && chosen-- == 0)
            w->goal = n;
    memcpy(w->at.runner.target.skill, graph->node[w->goal].skill, sizeof w->at.runner.target.skill);
    w->leave_s = INFINITY;
    w->steered_s = w->time_s;
}

/* Notes the time on the way so far, while the goal is not reached. */
static void note_way(walker *w) {
    if (isinf(w->leave_s))
        w->longest_way_s = fmax(w->longest_way_s, w->time_s - w->steered_s);
}

/* The oldest stage is forgotten where there is no more room. */
static void note_stage(walker *w) {
    if (w->stage_count == TR_GRAPH_WALK_STAGE_MAX)
        memmove(w->stage, w->stage + 1, (size_t)--w->stage_count * sizeof *w->stage);
    w->stage[w->stage_count++] = (tr_graph_walk_stage){w->node, 0};
}

/* Looks, after each fragment, where the walk is, and steers on when its time here is over. */
static void look_about(walker *w) {
    const tr_control_graph *graph = w->graph;
    int node = tr_control_graph_node_of(graph, w->at.doing.entry);
    note_way(w);
    if (node != w->node) {
        w->crossings++;
        w->visits[node]++;
        w->node = node;
        note_stage(w);
    }
    if (node == w->goal && isinf(w->leave_s)) {
        double spread = w->test->dwell_high_s - w->test->dwell_low_s;
        w->leave_s = w->time_s;
        /* A skill that is not cyclic ends by itself. */
        if (graph->node[node].cyclic)
            w->leave_s += w->test->dwell_low_s + spread * tr_random_uniform(&w->random);
    }
    /* Where the ground became too steep for the goal on the way, it chooses another. */
    if (w->time_s >= w->leave_s || (isinf(w->leave_s) && is_too_steep(w, w->goal)))
        steer_to_another(w);
}

/* Runs one fragment, or one step of getting up; false: the simulation failed. */
static bool advance(walker *w) {
    int steps = 0;
    do {
        if (tr_player_step(&w->at))
            return false;
        steps++;
    } while (!w->at.drive.completes && !w->at.doing.down);
    double seconds = steps * w->controller->step_s;
    w->is_down = tr_player_is_down(&w->at, w->is_down);
    w->down_s = w->is_down ? w->down_s + seconds : 0;
    w->time_s += seconds;
    w->stage[w->stage_count - 1].seconds += seconds;
    return true;
}

static void note_fall(walker *w, int item) {
    w->fall_count++;
    w->falls[w->node]++;
    w->last_fall = (tr_graph_walk_fall){.walk = item, .at_s = w->time_s, .count = w->stage_count};
    memcpy(w->last_fall.stage, w->stage, sizeof w->stage);
}

static void walk_on(walker *w, int item) {
    bool was_down = w->is_down;
    if (!advance(w)) {
        w->is_lost = true;
        return;
    }
    if (w->is_down && !was_down)
        note_fall(w, item);
    /* A walk ends with a fall, unless it recovers and the character gets up in time. */
    if (w->is_down)
        w->is_lost = !w->test->recovers || w->down_s > TR_GRAPH_WALK_RISE_S;
    w->risen += was_down && !w->is_down;
    if (!w->is_down)
        look_about(w);
}

typedef struct walks {
    const tr_controller *controller;
    const tr_graph_walk_test *test;
    walker *walker; /* [walks] */
} walks;

static void walk(void *context, int item, tr_rehearsal *rehearsal) {
    walks *all = context;
    walker *w = &all->walker[item];
    tr_state start = tr_trial_disturbed_start(all->controller, all->test->seed, item);
    *w = (walker){.controller = all->controller,
                  .graph = tr_graph_of(all->controller),
                  .test = all->test,
                  .random = tr_random_split(all->test->seed, 7, (uint64_t)item),
                  .visits = {1}};
    note_stage(w);
    if (tr_trial_hills_lay(all->test->hills_deg, HILLS_SIDE_M, all->test->seed + (uint64_t)item,
                           rehearsal->world, &start) ||
        tr_player_begin(&w->at, all->controller, 0, rehearsal, &start)) {
        w->is_lost = true; /* a walk that cannot begin does not count as upright */
        return;
    }
    w->leave_s = all->test->dwell_low_s;
    /* A fall at the end still gets the time for getting up. */
    while (!w->is_lost && (w->time_s < all->test->seconds || w->is_down))
        walk_on(w, item);
}

/* Adds a walk to the sum. The pointers of another rank's walker are not valid here. */
static void add_walk(const walker *w, int node_count, tr_graph_walk_result *sum) {
    bool fell = w->fall_count > 0 || w->is_lost;
    sum->upright += !fell;
    sum->ended += !w->is_lost;
    sum->risen += w->risen;
    sum->crossings += w->crossings;
    sum->total_s += w->time_s;
    sum->longest_way_s = fmax(sum->longest_way_s, w->longest_way_s);
    if (w->is_lost)
        sum->shortest_s = fmin(sum->shortest_s, w->time_s);
    for (int n = 0; n < node_count; n++) {
        sum->falls[n] += w->falls[n];
        sum->visits[n] += w->visits[n];
    }
}

tr_status tr_graph_walk(tr_ensemble *ensemble, const tr_controller *controller,
                        const tr_graph_walk_test *test, tr_graph_walk_report report, void *context,
                        tr_graph_walk_result *out) {
    const tr_control_graph *graph = tr_graph_of(controller);
    if (!graph || test->walks < 1 || test->walks > WALK_MAX || !(test->seconds > 0) ||
        !(test->dwell_low_s >= 0 && test->dwell_high_s >= test->dwell_low_s) ||
        !(test->hills_deg >= 0 && test->hills_deg <= 30))
        return TR_INVALID_ARGUMENT;
    walker *walkers = calloc((size_t)test->walks, sizeof *walkers);
    if (!walkers)
        return TR_RESOURCE_EXHAUSTED;
    walks all = {controller, test, walkers};
    tr_ensemble_share(ensemble, walk, &all, test->walks,
                      (const tr_ranks_result[]){{walkers, sizeof *walkers}, {0}});
    tr_graph_walk_result result = {.walks = test->walks, .shortest_s = test->seconds};
    for (int i = 0; i < test->walks; i++) {
        add_walk(&walkers[i], graph->node_count, &result);
        if (report && walkers[i].fall_count > 0)
            report(context, &walkers[i].last_fall);
    }
    free(walkers);
    *out = result;
    return TR_OK;
}
