#include "learn/graph/graph_refit.h"

#include "control/graph/catch_step.h"
#include "control/network/follower.h"
#include "learn/graph/graph_bank.h"
#include "learn/rehearsal/graph_transition.h"
#include "learn/rehearsal/names.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT_OUT = INT_MIN };

static const double SAME_START = 1e-9; /* m and components of quaternions */

/* moved, ends: [node_count] by how many fragments start and end of a node move forward, LEFT_OUT:
 * it is left out; the end is fewer or more where another rising skill takes its place. */
typedef struct refit {
    const tr_graph_refit_def *def;
    const tr_control_graph *old;
    int moved[TR_GRAPH_NODE_MAX], ends[TR_GRAPH_NODE_MAX];
    int skill_count, edge_count, fragment_count;
    tr_controller *skill[TR_GRAPH_NODE_MAX]; /* owned */
    bool turns[TR_GRAPH_NODE_MAX];
    const tr_graph_node *limits[TR_GRAPH_NODE_MAX]; /* of the graph that it comes from */
    tr_graph_edge edge[TR_GRAPH_EDGE_MAX];
} refit;

static tr_status find_cyclic(const refit *r, const char *skill, int *out, tr_error *error) {
    *out = tr_control_graph_find(r->old, skill);
    return *out >= 0 && r->old->node[*out].cyclic
               ? TR_OK
               : tr_fail(error, TR_NOT_FOUND, "graph '%s': no cyclic skill '%s'",
                         r->def->graph->name, skill);
}

/* Returns the controller that takes the place of a node; NULL: there is none. */
static const tr_controller *replacement_of(const refit *r, int node) {
    const tr_graph_refit_def *def = r->def;
    for (int i = 0; i < def->with_count; i++)
        if (strcmp(def->as_skill[i], r->old->node[node].skill) == 0)
            return def->with[i];
    return NULL;
}

/* --- what is left out --- */

static bool is_left_out(const refit *r, const char *skill) {
    return r->moved[tr_control_graph_find(r->old, skill)] == LEFT_OUT;
}

static void leave_out_chains(refit *r) {
    tr_graph_transition t;
    for (int n = 0; n < r->old->node_count; n++)
        if (tr_graph_transition_over(r->old, n, &t) &&
            (is_left_out(r, t.from) || is_left_out(r, t.to)))
            r->moved[n] = LEFT_OUT;
}

static tr_status leave_out(refit *r, tr_error *error) {
    const char *names = r->def->without ? r->def->without : "";
    char name[TR_NAME_MAX];
    tr_status status = TR_OK;
    while (!status && tr_names_next(&names, name)) {
        tr_graph_transition over;
        int node = tr_control_graph_find(r->old, name);
        if (node < 0 || !tr_graph_transition_over(r->old, node, &over))
            status = find_cyclic(r, name, &node, error);
        if (!status)
            r->moved[node] = LEFT_OUT;
    }
    if (status)
        return status;
    leave_out_chains(r);
    return TR_OK;
}

static void move_nodes(refit *r) {
    for (int n = 0, missing = 0; n < r->old->node_count; n++) {
        const tr_controller *by = replacement_of(r, n);
        /* All that is missing before a node moves it forward; what is missing in it moves its end
         * too. */
        int count = r->old->node[n].count, start = missing;
        missing += r->moved[n] == LEFT_OUT ? count
                   : by                    ? count - tr_controller_bank(by)->fragment_count
                                           : 0;
        if (r->moved[n] != LEFT_OUT)
            r->moved[n] = start;
        r->ends[n] = missing;
    }
}

/* --- skills --- */

static bool same_fragments(const tr_bank *a, const tr_bank *b) {
    bool same = a->fragment_count == b->fragment_count && a->mirrored == b->mirrored;
    for (int k = 0; same && k < a->fragment_count; k++) {
        const tr_pose *p = &a->fragment[k].start.pose, *q = &b->fragment[k].start.pose;
        same = a->fragment[k].steps == b->fragment[k].steps &&
               tr_vec3_distance(p->root_pos, q->root_pos) < SAME_START &&
               1 - fabs(tr_quat_dot(p->root_rot, q->root_rot)) < SAME_START;
    }
    return same;
}

static tr_status replace(const refit *r, const tr_controller *by, tr_controller **skill,
                         tr_error *error) {
    tr_controller *copy = NULL;
    const tr_bank *new = tr_controller_bank(by), *old = tr_controller_bank(*skill);
    bool fits =
        old->cyclic ? same_fragments(new, old) : !new->cyclic &&new->mirrored == old->mirrored;
    if (!tr_chain_of(by) || !fits)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "'%s': cannot take the place of '%s', because it has other fragments",
                       by->name, (*skill)->skill);
    tr_status status = tr_controller_copy(by, r->def->model, &copy);
    if (status)
        return tr_fail(error, status, "'%s': %s", by->name, tr_status_text(status));
    memcpy(copy->skill, (*skill)->skill, sizeof copy->skill);
    tr_controller_destroy(*skill);
    *skill = copy;
    return TR_OK;
}

/* Does an edge lead from another skill to the node, or out of it to another? */
static bool is_reached(const tr_control_graph *graph, int node, bool in) {
    bool reached = false;
    for (int e = 0; e < graph->edge_count; e++) {
        const int from = tr_control_graph_node_of(graph, graph->edge[e].from);
        const int to = tr_control_graph_node_of(graph, graph->edge[e].to);
        reached |= from != to && (in ? to : from) == node;
    }
    return reached;
}

/* The skill of a list: one of the graph, or one that another graph adds. */
static tr_status find_skill(const refit *r, int i, tr_error *error) {
    const char *skill = r->def->as_skill[i];
    const tr_control_graph *adds = tr_graph_of(r->def->with[i]);
    int node = tr_control_graph_find(adds ? adds : r->old, skill);
    if (!adds)
        return node >= 0 && tr_control_graph_rises(r->old, node)
                   ? TR_OK
                   : find_cyclic(r, skill, &node, error);
    return node >= 0 && tr_control_graph_find(r->old, skill) < 0 && is_reached(adds, node, true) &&
                   is_reached(adds, node, false)
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "--with %s=%s: expected a skill that '%s' lacks, with transitions to it "
                         "and out of it",
                         skill, r->def->with[i]->name, r->def->graph->name);
}

/* Takes a skill out of a graph. The limits for leaving skills and taking transitions come with it: they
 * were measured on the graph's walks, and without them characters fall in transitions that they enter
 * too far off. */
static tr_status take_skill(refit *r, const tr_controller *from, int node, tr_error *error) {
    const tr_graph_node *n = &tr_graph_of(from)->node[node];
    if (r->skill_count == TR_GRAPH_NODE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph '%s': expected at most %d skills",
                       r->def->name, TR_GRAPH_NODE_MAX);
    tr_controller **skill = &r->skill[r->skill_count];
    tr_status status = tr_graph_bank_take(r->def->model, from, node, skill);
    if (status)
        return tr_fail(error, status, "graph '%s': %s", r->def->name, tr_status_text(status));
    tr_controller_copy_setting(r->def->with[0], *skill);
    r->limits[r->skill_count] = n;
    r->turns[r->skill_count++] = n->turn_rad != 0;
    return TR_OK;
}

static tr_status take_skills(refit *r, tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < r->def->with_count; i++)
        status = find_skill(r, i, error);
    for (int n = 0; !status && n < r->old->node_count; n++) {
        const tr_controller *by = replacement_of(r, n);
        if (r->moved[n] == LEFT_OUT)
            continue;
        status = take_skill(r, r->def->graph, n, error);
        if (!status && by)
            status = replace(r, by, &r->skill[r->skill_count - 1], error);
    }
    return status;
}

/* --- what another graph adds --- */

static bool same_skill(const tr_control_graph *a, int i, const tr_control_graph *b, int k) {
    tr_bank one = a->bank, other = b->bank;
    one.fragment += a->node[i].first;
    one.fragment_count = a->node[i].count;
    one.mirrored = a->node[i].mirrored;
    other.fragment += b->node[k].first;
    other.fragment_count = b->node[k].count;
    other.mirrored = b->node[k].mirrored;
    return same_fragments(&one, &other);
}

/* Adds the skills that the graph lacks. at: [node_count] where the fragments of its nodes begin in the
 * new bank; is_new: [node_count] */
static tr_status add_skills(refit *r, const tr_controller *by, int *at, bool *is_new,
                            tr_error *error) {
    const tr_control_graph *more = tr_graph_of(by);
    tr_status status = TR_OK;
    for (int n = 0; !status && n < more->node_count; n++) {
        const int known = tr_control_graph_find(r->old, more->node[n].skill);
        is_new[n] = known < 0;
        at[n] = is_new[n] ? r->fragment_count : r->old->node[known].first - r->moved[known];
        r->fragment_count += is_new[n] ? more->node[n].count : 0;
        if (is_new[n])
            status = take_skill(r, by, n, error);
        else if (r->moved[known] == LEFT_OUT || !same_skill(r->old, known, more, n))
            status = tr_fail(error, TR_INVALID_ARGUMENT,
                             "'%s': its skill '%s' has other fragments than that of '%s', or is "
                             "left out there",
                             by->name, more->node[n].skill, r->def->graph->name);
        if (!status && is_new[n])
            status = tr_graph_bank_check(r->def->model, r->skill[0], r->skill[r->skill_count - 1],
                                         error);
    }
    return status;
}

static tr_status add_graph(refit *r, const tr_controller *by, tr_error *error) {
    const tr_control_graph *more = tr_graph_of(by);
    int at[TR_GRAPH_NODE_MAX];
    bool is_new[TR_GRAPH_NODE_MAX];
    tr_status status = add_skills(r, by, at, is_new, error);
    for (int e = 0; !status && e < more->edge_count; e++) {
        const tr_graph_edge *edge = &more->edge[e];
        const int from = tr_control_graph_node_of(more, edge->from);
        const int to = tr_control_graph_node_of(more, edge->to);
        if (!is_new[from] && !is_new[to])
            continue;
        if (r->edge_count == TR_GRAPH_EDGE_MAX)
            return tr_fail(error, TR_INVALID_ARGUMENT, "graph '%s': expected at most %d edges",
                           r->def->name, TR_GRAPH_EDGE_MAX);
        r->edge[r->edge_count++] =
            (tr_graph_edge){at[from] + edge->from - more->node[from].first,
                            at[to] + edge->to - more->node[to].first, edge->flips};
    }
    return status;
}

/* --- the whole --- */

/* Takes over the catching steps whose skill stays. */
static tr_status take_catch_steps(const refit *r, tr_control_graph *graph) {
    tr_catch_steps steps = r->old->catches;
    if (steps.count == 0)
        return TR_OK;
    steps.row = calloc((size_t)steps.count, sizeof *steps.row);
    if (!steps.row)
        return TR_RESOURCE_EXHAUSTED;
    steps.count = 0;
    for (int i = 0; i < r->old->catches.count; i++) {
        tr_catch_row row = r->old->catches.row[i];
        const int node = tr_control_graph_node_of(r->old, row.fragment);
        if (r->moved[node] == LEFT_OUT)
            continue;
        row.fragment -= r->moved[node];
        steps.row[steps.count++] = row;
    }
    tr_status status = tr_catch_steps_set(graph, &steps);
    free(steps.row);
    return status;
}

/* Puts the network of the old graph around the new one. A gait that it learned stays, because what it
 * sees of one gait is scaled by all (follower.h). */
static tr_status take_network(const refit *r, tr_controller *graph, tr_error *error) {
    const tr_follower *from = tr_driver_content(r->def->graph->driver, &tr_network_kind);
    tr_follower *follower = NULL;
    if (!from)
        return TR_OK;
    tr_status status =
        tr_follower_add(graph, from->network.width + 1, from->network.layers - 1, &follower);
    if (status)
        return tr_fail(error, status, "graph '%s': no memory for its network", r->def->name);
    for (int f = 0; f < r->old->bank.fragment_count; f++) {
        const int node = tr_control_graph_node_of(r->old, f);
        if (from->known[f].known && r->moved[node] == LEFT_OUT)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "--without %s: the network of '%s' learned it; expected another skill",
                           r->old->node[node].skill, r->def->graph->name);
        if (from->known[f].known) {
            memcpy(follower->mean[f - r->moved[node]], from->mean[f], sizeof *from->mean);
            memcpy(follower->usual[f - r->moved[node]], from->usual[f], sizeof *from->usual);
        }
    }
    follower->reflected = from->reflected;
    follower->blend_steps = from->blend_steps;
    memcpy(follower->spread, from->spread, sizeof follower->spread);
    tr_network_take(&follower->network, &from->network);
    tr_follower_learn_cycles(follower);
    return TR_OK;
}

/* Takes over the edges between skills that stay. Rising skills are left at their end alone
 * (graph_build.h). */
static void take_edges(refit *r) {
    for (int e = 0; e < r->old->edge_count; e++) {
        const tr_graph_edge *edge = &r->old->edge[e];
        int from = tr_control_graph_node_of(r->old, edge->from);
        int to = tr_control_graph_node_of(r->old, edge->to);
        bool rises = tr_control_graph_rises(r->old, from);
        if (r->moved[from] != LEFT_OUT && r->moved[to] != LEFT_OUT)
            r->edge[r->edge_count++] =
                (tr_graph_edge){edge->from - (rises ? r->ends : r->moved)[from],
                                edge->to - r->moved[to], edge->flips};
    }
}

static tr_status join(const refit *r, tr_controller **out, tr_error *error) {
    const tr_graph_bank_def bank = {.name = r->def->name,
                                    .skill = (const tr_controller *const *)r->skill,
                                    .edge = r->edge,
                                    .skill_count = r->skill_count,
                                    .edge_count = r->edge_count,
                                    .turns = r->turns};
    tr_status status = tr_graph_bank_create(r->def->model, &bank, out, error);
    if (status)
        return status;
    for (int n = 0; n < r->skill_count; n++) {
        tr_graph_of(*out)->node[n].settled = r->limits[n]->settled;
        tr_graph_of(*out)->node[n].steepest_rad = r->limits[n]->steepest_rad;
    }
    status = take_catch_steps(r, tr_graph_of(*out));
    if (status)
        return tr_fail(error, status, "graph '%s': no memory", r->def->name);
    /* A graph whose first skill was not left out spawns as before. */
    if (r->moved[0] == 0)
        (*out)->spawn = r->def->graph->spawn;
    return take_network(r, *out, error);
}

tr_status tr_graph_refit(const tr_graph_refit_def *def, tr_controller **out, tr_error *error) {
    const tr_control_graph *old = tr_graph_of(def->graph);
    if (!old || def->with_count < 1)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%s': expected a graph and a skill for it",
                       def->graph->name);
    refit *r = calloc(1, sizeof *r);
    if (!r)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for graph '%s'", def->name);
    r->def = def;
    r->old = old;
    tr_status status = leave_out(r, error);
    if (!status)
        status = take_skills(r, error);
    if (!status) {
        move_nodes(r);
        take_edges(r);
        r->fragment_count = old->bank.fragment_count - r->ends[old->node_count - 1];
        for (int i = 0; !status && i < def->with_count; i++)
            if (tr_graph_of(def->with[i]))
                status = add_graph(r, def->with[i], error);
    }
    if (!status)
        status = join(r, out, error);
    for (int i = 0; i < r->skill_count; i++)
        tr_controller_destroy(r->skill[i]);
    free(r);
    return status;
}
