#include "learn/graph/graph_prune.h"

#include "control/graph/planner.h"
#include "learn/rehearsal/graph_transition.h"
#include "learn/rehearsal/player.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_PRUNE = 37, RECENT = 2 };

/* A character is asked for this long, and after a skill has begun for another within DWELL_S. Falls within
 * BLAMED_S after a jump are blamed on it: of 16 falls 7 were in a cartwheel, 7 to 10 s after the jump into the
 * backflip before it (the log of hero). A character that does not reach a skill within WAIT_S goes around in
 * circles, which counts as a fall. */
static const double ASKED_S = 60, DWELL_S = 4, BLAMED_S = 12, WAIT_S = 12;

/* A jump goes if it is blamed more than once and for more than this share of its uses, and this many times the
 * share of the worst jump: beside bad ones good ones are blamed too. Above the last share it goes in any case. */
static const double BLAMED_SHARE = 0.03, TIMES_WORST = 0.5, SURELY = 0.5;

/* By edge of the graph. */
typedef struct tally {
    int uses, blamed;
} tally;

/* of: [trials][edge_count]; falls: [trials] */
typedef struct round_work {
    const tr_controller *controller;
    const tr_control_graph *graph;
    uint64_t seed;
    tally *of;
    int *falls;
} round_work;

/* A character that is asked. recent: the jumps taken last, and when */
typedef struct asked {
    const round_work *w;
    tr_player at;
    tr_random random;
    int entry, goal, recent[RECENT], count;
    double time_s, asked_s, leave_s, recent_s[RECENT];
    tally *tally;
} asked;

static bool jumps(const tr_control_graph *graph, const tr_graph_edge *edge) {
    return tr_graph_edge_jumps(edge, &graph->node[tr_control_graph_node_of(graph, edge->from)],
                               &graph->node[tr_control_graph_node_of(graph, edge->to)]);
}

static void ask(asked *a) {
    const tr_control_graph *graph = a->w->graph;
    int skills = 0, next = a->goal;
    for (int n = 0; n < graph->node_count; n++)
        skills += graph->node[n].cyclic && n != a->goal;
    int chosen = (int)(tr_random_uniform(&a->random) * skills);
    for (int n = 0; n < graph->node_count; n++)
        if (graph->node[n].cyclic && n != a->goal && chosen-- == 0)
            next = n;
    a->goal = next;
    memcpy(a->at.runner.target.skill, graph->node[next].skill, TR_NAME_MAX);
    a->leave_s = INFINITY;
    a->asked_s = a->time_s;
}

static void note_jump(asked *a, int edge) {
    const int at = a->count++ % RECENT;
    a->tally[edge].uses++;
    a->recent[at] = edge;
    a->recent_s[at] = a->time_s;
}

/* Notes the jump by which an entry came after another, in whichever half. */
static void note_entry(asked *a, int next) {
    const tr_control_graph *graph = a->w->graph;
    int count = 0;
    const tr_graph_edge *edge = tr_control_graph_edges(graph, a->entry, &count);
    for (int i = 0; i < count; i++)
        if (edge[i].to == next && jumps(graph, &edge[i])) {
            note_jump(a, (int)(edge + i - graph->edge));
            break;
        }
    a->entry = next;
}

static bool step(asked *a) {
    const tr_control_graph *graph = a->w->graph;
    a->time_s += a->w->controller->step_s;
    if (tr_player_step(&a->at) || tr_player_is_down(&a->at, false))
        return false;
    if (a->at.drive.entry != a->entry)
        note_entry(a, a->at.drive.entry);
    if (isinf(a->leave_s) && tr_control_graph_node_of(graph, a->entry) == a->goal)
        a->leave_s = a->time_s + DWELL_S * tr_random_uniform(&a->random);
    if (a->time_s >= a->leave_s)
        ask(a);
    return !isinf(a->leave_s) || a->time_s - a->asked_s < WAIT_S;
}

static void blame(asked *a) {
    for (int i = 0; i < a->count && i < RECENT; i++)
        a->tally[a->recent[i]].blamed += a->time_s - a->recent_s[i] < BLAMED_S;
    a->count = 0;
}

/* After a fall the character begins anew. */
static void try_character(void *context, int item, tr_rehearsal *rehearsal) {
    const round_work *w = context;
    asked a = {.w = w,
               .random = tr_random_split(w->seed, STREAM_PRUNE, (uint64_t)item),
               .tally = w->of + (size_t)item * (size_t)w->graph->edge_count};
    const tr_state start = tr_graph_transition_start(w->controller, w->seed, item);
    for (bool down = true; a.time_s < ASKED_S; down = !step(&a)) {
        if (!down)
            continue;
        w->falls[item] += a.time_s > 0;
        blame(&a);
        a.entry = 0;
        if (tr_player_begin(&a.at, w->controller, 0, rehearsal, &start))
            return;
        ask(&a);
    }
}

/* --- a round --- */

/* Removes an edge, unless its skills would no longer be joined. */
static bool drop(tr_control_graph *graph, int e) {
    const tr_graph_edge edge = graph->edge[e];
    const int from = tr_control_graph_node_of(graph, edge.from);
    const int to = tr_control_graph_node_of(graph, edge.to);
    memmove(&graph->edge[e], &graph->edge[e + 1],
            (size_t)(--graph->edge_count - e) * sizeof *graph->edge);
    if (tr_planner_leads(graph, from, to))
        return true;
    memmove(&graph->edge[e + 1], &graph->edge[e],
            (size_t)(graph->edge_count - e) * sizeof *graph->edge);
    graph->edge[e] = edge;
    graph->edge_count++;
    return false;
}

/* Sums over trials into the first. Returns the share of the uses of the worst jump that is blamed. */
static double sum_tallies(const round_work *w, int trials) {
    const int edges = w->graph->edge_count;
    double worst = 0;
    for (int e = 0; e < edges; e++) {
        for (int i = 1; i < trials; i++) {
            w->of[e].uses += w->of[i * edges + e].uses;
            w->of[e].blamed += w->of[i * edges + e].blamed;
        }
        if (w->of[e].blamed > 1)
            worst = fmax(worst, (double)w->of[e].blamed / w->of[e].uses);
    }
    return worst;
}

/* Drops what is blamed or was never taken. From the last edge on, so that those before keep their places. */
static void judge(const round_work *w, int trials, tr_control_graph *graph,
                  tr_graph_prune_round *out) {
    const double worst = sum_tallies(w, trials);
    const double share = fmax(BLAMED_SHARE, fmin(SURELY, TIMES_WORST * worst));
    for (int e = graph->edge_count - 1; e >= 0; e--) {
        const tally *it = &w->of[e];
        const bool unused = it->uses == 0;
        if (!jumps(graph, &graph->edge[e]))
            continue;
        out->jumps++;
        if ((unused || (it->blamed > 1 && it->blamed > share * it->uses)) && drop(graph, e))
            ++*(unused ? &out->unused : &out->blamed);
    }
}

static tr_status run_round(tr_ensemble *ensemble, const tr_graph_prune_def *def, int round,
                           tr_controller *controller, tr_graph_prune_round *out) {
    tr_control_graph *graph = tr_graph_of(controller);
    const size_t row = (size_t)graph->edge_count * sizeof(tally);
    round_work w = {.controller = controller,
                    .graph = graph,
                    .seed = def->seed + (uint64_t)round,
                    .of = calloc((size_t)def->trials, row),
                    .falls = calloc((size_t)def->trials, sizeof(int))};
    const tr_status status = w.of && w.falls ? TR_OK : TR_RESOURCE_EXHAUSTED;
    *out = (tr_graph_prune_round){0};
    if (!status)
        tr_ensemble_share(ensemble, try_character, &w, def->trials,
                          (const tr_ranks_result[]){{w.of, row}, {w.falls, sizeof(int)}, {0}});
    for (int i = 0; !status && i < def->trials; i++)
        out->falls += w.falls[i];
    if (!status)
        judge(&w, def->trials, graph, out);
    free(w.of);
    free(w.falls);
    return status;
}

tr_status tr_graph_prune(tr_ensemble *ensemble, const tr_graph_prune_def *def,
                         tr_graph_prune_report report, void *context, tr_controller *controller,
                         tr_error *error) {
    tr_graph_prune_round row = {.blamed = 1};
    tr_status status = tr_graph_of(controller) && def->trials >= 1 && def->rounds >= 1
                           ? TR_OK
                           : TR_INVALID_ARGUMENT;
    for (int r = 0; !status && r < def->rounds && row.blamed > 0; r++) {
        status = run_round(ensemble, def, r, controller, &row);
        if (!status && report)
            report(context, r + 1, &row);
    }
    if (!status)
        tr_graph_of(controller)->bank.mirrored = tr_control_graph_flips(tr_graph_of(controller));
    return status ? tr_fail(error, status, "prune: %s", tr_status_text(status)) : TR_OK;
}
