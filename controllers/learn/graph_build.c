#include "learn/graph_build.h"

#include "learn/trial.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tr_graph_build_def tr_graph_build_default(void) {
    return (tr_graph_build_def){
        .candidates = 60, .trials = 200, .edges = 6, .after_s = 6, .seed = 20150815};
}

/* --- the bank --- */

static tr_status refuse(const tr_controller *c, const char *what, tr_error *error) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "graph: skill '%s': %s", c->skill, what);
}

static tr_status check_skill(const tr_graph_build_def *def, int at, const tr_model *model,
                             tr_error *error) {
    const tr_controller *c = def->controllers[at], *first = def->controllers[0];
    tr_status status = tr_controller_check(c, model, error);
    if (status)
        return status;
    if (c->graph)
        return refuse(c, "expected one skill, not a graph", error);
    if (c->step_s != first->step_s || c->action.size != first->action.size ||
        memcmp(c->action.body, first->action.body,
               (size_t)first->action.joint_count * sizeof *c->action.body) != 0)
        return refuse(c, "expected the step and the action of the first", error);
    if (!tr_action_map_is_symmetric(model, &c->action))
        return refuse(c, "expected an action that can be mirrored", error);
    return TR_OK;
}

static void copy_fragments(const tr_controller *from, const tr_model *model, tr_fragment *to) {
    for (int f = 0; f < from->fragment_count; f++) {
        tr_quat *target = to[f].target;
        size_t count = (size_t)from->fragment[f].steps * (size_t)model->body_count;
        memcpy(target, from->fragment[f].target, count * sizeof *target);
        to[f] = from->fragment[f];
        to[f].target = target;
    }
}

/* Heading gained from the start of a chain to its end. */
static double turn_of(const tr_controller *c) {
    double turn = 0;
    for (int f = 0; !c->cyclic && f < c->fragment_count; f++)
        turn += tr_quat_heading(c->fragment[f].end.pose.root_rot);
    return turn;
}

static tr_status fill_bank(const tr_graph_build_def *def, const tr_model *model,
                           tr_controller *bank) {
    const tr_controller *first = def->controllers[0];
    int at = 0;
    tr_status status = tr_control_graph_create(def->count, 0, &bank->graph);
    if (status)
        return status;
    snprintf(bank->name, sizeof bank->name, "%s", def->name);
    snprintf(bank->skill, sizeof bank->skill, "graph");
    memcpy(bank->model_name, first->model_name, sizeof bank->model_name);
    memcpy(bank->gain_set, first->gain_set, sizeof bank->gain_set);
    bank->model_hash = first->model_hash;
    bank->step_s = first->step_s;
    bank->action = first->action;
    bank->spawn = first->spawn;
    bank->cyclic = true;
    for (int i = 0; i < def->count; i++) {
        const tr_controller *c = def->controllers[i];
        tr_graph_node *node = &bank->graph->node[i];
        memcpy(node->skill, c->skill, sizeof node->skill);
        memcpy(node->gain_set, c->gain_set, sizeof node->gain_set);
        node->first = at;
        node->count = c->fragment_count;
        node->cyclic = c->cyclic;
        node->mirrored = c->mirrored;
        node->turn_rad = turn_of(c);
        node->steering = c->steering;
        copy_fragments(c, model, bank->fragment + at);
        at += c->fragment_count;
    }
    return TR_OK;
}

static tr_status create_bank(const tr_graph_build_def *def, const tr_model *model,
                             tr_controller **out, tr_error *error) {
    int fragments = 0, steps = 1;
    for (int i = 0; i < def->count; i++) {
        const tr_controller *c = def->controllers[i];
        fragments += c->fragment_count;
        for (int f = 0; f < c->fragment_count; f++)
            steps = c->fragment[f].steps > steps ? c->fragment[f].steps : steps;
    }
    tr_controller *bank = NULL;
    tr_status status = tr_controller_create(fragments, steps, model->body_count, &bank);
    if (!status)
        status = fill_bank(def, model, bank);
    if (status) {
        tr_controller_destroy(bank);
        return tr_fail(error, status, "graph '%s': %d fragments: %s", def->name, fragments,
                       tr_status_text(status));
    }
    *out = bank;
    return TR_OK;
}

/* --- candidates --- */

/* Pose and velocity apart: joints in 0.3 rad and 3 rad/s, the root's height in 0.1 m, its
 * orientation without the heading in 0.2 rad, its velocity in 0.5 m/s. */
static double state_distance(const tr_model *model, const tr_state *a, const tr_state *b) {
    double sum = 0, height = (a->pose.root_pos.z - b->pose.root_pos.z) / 0.1;
    double heading_a = tr_quat_heading(a->pose.root_rot),
           heading_b = tr_quat_heading(b->pose.root_rot);
    tr_quat tilt_a = tr_quat_mul(tr_quat_from_heading(-heading_a), a->pose.root_rot);
    tr_quat tilt_b = tr_quat_mul(tr_quat_from_heading(-heading_b), b->pose.root_rot);
    double tilt = tr_quat_angle(tilt_a, tilt_b) / 0.2;
    double speed = tr_vec3_distance(tr_vec3_to_heading(a->root_vel, heading_a),
                                    tr_vec3_to_heading(b->root_vel, heading_b)) /
                   0.5;
    for (int i = 1; i < model->body_count; i++) {
        double angle = tr_quat_angle(a->pose.joint[i], b->pose.joint[i]) / 0.3;
        double rate = tr_vec3_distance(a->joint_rate[i], b->joint_rate[i]) / 3;
        sum += (angle * angle + rate * rate) / (model->body_count - 1);
    }
    return sqrt((sum + height * height + tilt * tilt + speed * speed) / 5);
}

static int nearer(const void *a, const void *b) {
    const tr_graph_candidate *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return tr_graph_edge_compare(&x->edge, &y->edge);
}

/* All ways over from one skill to the other, nearest first; out: [*count], owned by the caller. */
static tr_status list_candidates(const tr_controller *bank, const tr_model *model,
                                 tr_graph_link link, tr_graph_candidate **out, int *count) {
    const tr_graph_node *a = &bank->graph->node[link.from], *b = &bank->graph->node[link.to];
    int n = 0, from = a->cyclic ? a->first : a->first + a->count - 1;
    tr_graph_candidate *list = calloc(2 * (size_t)a->count * (size_t)b->count, sizeof *list);
    if (!list)
        return TR_RESOURCE_EXHAUSTED;
    for (int f = from; f < a->first + a->count; f++)
        for (int g = b->first; g < b->first + (b->cyclic ? b->count : 1); g++)
            for (int flips = 0; flips < 2; flips++) {
                tr_state start = bank->fragment[g].start;
                if (flips)
                    start = tr_state_mirror(model, &start);
                list[n].edge = (tr_graph_edge){f, g, flips};
                list[n++].distance = state_distance(model, &bank->fragment[f].end, &start);
            }
    qsort(list, (size_t)n, sizeof *list, nearer);
    *out = list;
    *count = n;
    return TR_OK;
}

/* --- trials --- */

typedef struct crossing {
    const tr_graph_build_def *def;
    const tr_controller *bank;
    tr_graph_link link;
    tr_graph_candidate *candidate; /* [count] */
    int count;
    /* The round in progress: which candidates are tried, and from which trial on. */
    const int *alive;
    int first, size;
    bool *held; /* [alive][size] */
} crossing;

/* Runs the first skill until the fragment of the edge is done, some cycles on. */
static bool come_to_edge(const tr_controller *c, int fragment, int visits, tr_trial *trial,
                         tr_rehearsal *rehearsal) {
    while (!trial->lost) {
        int done = trial->runner.fragment;
        tr_trial_run(trial, rehearsal, trial->steps + c->fragment[done].steps);
        if (done == fragment && --visits <= 0)
            return !trial->lost;
        if (trial->runner.ended)
            return false;
    }
    return false;
}

/* item: place among the alive * size + trial of the round. */
static void try_crossing(void *context, int item, tr_rehearsal *rehearsal) {
    crossing *x = context;
    const tr_graph_build_def *def = x->def;
    const tr_graph_edge *edge = &x->candidate[x->alive[item / x->size]].edge;
    const tr_controller *a = def->controllers[x->link.from], *b = def->controllers[x->link.to];
    int number = x->first + item % x->size;
    int fragment = edge->from - x->bank->graph->node[x->link.from].first;
    int entry = edge->to - x->bank->graph->node[x->link.to].first;
    tr_state start = tr_trial_disturbed_start(a, def->seed, number);
    tr_trial before, after;
    x->held[item] = false;
    if (tr_trial_begin(&before, a, rehearsal, &start) != TR_OK)
        return;
    int visits = a->cyclic ? 2 + number % 4 : 1;
    if (!come_to_edge(a, fragment, visits, &before, rehearsal))
        return;
    /* The half in which the fragment was done, which the runner may have left. */
    bool mirrored = before.mirrored != edge->flips;
    after = (tr_trial){.controller = b, .runner = tr_runner_start(b, entry, mirrored)};
    int64_t steps = (int64_t)(def->after_s / b->step_s);
    if (!b->cyclic) {
        steps = 0;
        for (int f = entry; f < b->fragment_count; f++)
            steps += b->fragment[f].steps;
    }
    tr_trial_run(&after, rehearsal, steps);
    x->held[item] = !after.lost;
}

/* Trials in rounds that double; who failed once is tried no further. */
static tr_status run_rounds(tr_ensemble *ensemble, crossing *x) {
    int trials = x->def->trials;
    int *alive = calloc((size_t)x->count + 1, sizeof *alive);
    x->held = calloc((size_t)x->count * (size_t)trials + 1, sizeof *x->held);
    x->alive = alive;
    for (int done = 0, size = 4; alive && x->held && done < trials; done += x->size, size *= 2) {
        int count = 0;
        for (int i = 0; i < x->count; i++)
            if (x->candidate[i].held == done)
                alive[count++] = i;
        x->first = done;
        x->size = size < trials - done ? size : trials - done;
        tr_ensemble_run(ensemble, try_crossing, x, count * x->size);
        for (int i = 0; i < count * x->size; i++) {
            x->candidate[alive[i / x->size]].trials++;
            x->candidate[alive[i / x->size]].held += x->held[i];
        }
    }
    tr_status status = alive && x->held ? TR_OK : TR_RESOURCE_EXHAUSTED;
    free(x->held);
    free(alive);
    return status;
}

/* Keeps the nearest that held in every trial. */
static int keep(const tr_graph_build_def *def, tr_graph_candidate *candidates, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        tr_graph_candidate *c = &candidates[i];
        c->kept = c->held == def->trials && kept < def->edges;
        kept += c->kept;
    }
    return kept;
}

static tr_status add_edges(tr_controller *bank, const tr_graph_candidate *candidates, int count,
                           int kept) {
    tr_control_graph *graph = bank->graph;
    size_t room = (size_t)(graph->edge_count + kept) + 1;
    tr_graph_edge *edges = realloc(graph->edge, room * sizeof *edges);
    if (!edges)
        return TR_RESOURCE_EXHAUSTED;
    graph->edge = edges;
    for (int i = 0; i < count; i++)
        if (candidates[i].kept)
            edges[graph->edge_count++] = candidates[i].edge;
    return TR_OK;
}

static tr_status try_link(tr_ensemble *ensemble, const tr_graph_build_def *def, tr_graph_link link,
                          tr_controller *bank, tr_graph_told told, void *context) {
    tr_graph_candidate *candidates = NULL;
    int count = 0;
    tr_status status = list_candidates(bank, ensemble->model, link, &candidates, &count);
    if (status)
        return status;
    count = count < def->candidates ? count : def->candidates;
    crossing x = {.def = def, .bank = bank, .link = link, .candidate = candidates, .count = count};
    status = run_rounds(ensemble, &x);
    if (!status)
        status = add_edges(bank, candidates, count, keep(def, candidates, count));
    if (!status && told)
        told(context, link, candidates, count);
    free(candidates);
    return status;
}

static int in_order(const void *a, const void *b) {
    return tr_graph_edge_compare(a, b);
}

static void finish(tr_controller *bank) {
    tr_control_graph *graph = bank->graph;
    qsort(graph->edge, (size_t)graph->edge_count, sizeof *graph->edge, in_order);
    for (int n = 0; n < graph->node_count; n++)
        bank->mirrored |= graph->node[n].mirrored;
    for (int e = 0; e < graph->edge_count; e++)
        bank->mirrored |= graph->edge[e].flips;
}

static bool sound_counts(const tr_graph_build_def *def) {
    return def->count >= 1 && def->count <= TR_GRAPH_NODE_MAX && def->link_count >= 0 &&
           def->candidates >= 1 && def->candidates <= TR_GRAPH_CANDIDATE_MAX && def->trials >= 1 &&
           def->trials <= 1000 && def->edges >= 1 &&
           def->link_count <= TR_GRAPH_EDGE_MAX / def->edges && def->after_s > 0 &&
           def->after_s <= 600;
}

tr_status tr_graph_build(tr_ensemble *ensemble, const tr_graph_build_def *def, tr_graph_told told,
                         void *context, tr_controller **out, tr_error *error) {
    tr_controller *bank = NULL;
    tr_status status = TR_OK;
    if (!sound_counts(def))
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph '%s': a count is out of range",
                       def->name);
    for (int i = 0; !status && i < def->count; i++)
        status = check_skill(def, i, ensemble->model, error);
    if (!status)
        status = create_bank(def, ensemble->model, &bank, error);
    if (status)
        return status;
    for (int i = 0; !status && i < def->link_count; i++) {
        tr_graph_link link = def->links[i];
        bool known = link.from >= 0 && link.from < def->count && link.to >= 0 &&
                     link.to < def->count && link.from != link.to;
        status = known ? try_link(ensemble, def, link, bank, told, context) : TR_INVALID_ARGUMENT;
        if (status)
            tr_fail(error, status, "graph '%s': link %d: %s", def->name, i, tr_status_text(status));
    }
    finish(bank);
    if (!status)
        status = tr_controller_check(bank, ensemble->model, error);
    if (status)
        tr_controller_destroy(bank);
    else
        *out = bank;
    return status;
}
