#include "learn/graph/jump.h"

#include "control/graph/planner.h"
#include "control/parts/state_distance.h"
#include "learn/rehearsal/graph_transition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP = 4, /* candidates that are tried together, while jumps are wanted */
    ALONE = 8, /* the first trials, which leave a skill that has run alone */
    WAITS = 3, /* cycles within which the others must be able to leave */
    FOR_WALK = 9
};
static const double NEAR = 0.14; /* as the planner counts (planner.c) */

static int nearer(const void *a, const void *b) {
    const tr_graph_candidate *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return tr_graph_edge_compare(&x->edge, &y->edge);
}

/* Ranks the entries of each moment of leaving, of a sorted list, and sorts by rank. */
static void spread_over_moments(tr_graph_candidate *list, int count, int from_first) {
    int seen[TR_BANK_FRAGMENT_MAX] = {0};
    for (int i = 0; i < count; i++)
        list[i].rank = seen[list[i].edge.from - from_first]++;
    qsort(list, (size_t)count, sizeof *list, nearer);
}

/* The fragments of the skill that a controller begins with. */
typedef struct skill_part {
    const tr_fragment *fragment;
    int first, count;
    bool cyclic;
} skill_part;

static skill_part part_of(const tr_controller *controller) {
    const tr_bank *bank = tr_controller_bank(controller);
    const tr_controller_beginning *first = &controller->first;
    const int at = first->count > 0 ? first->entry : 0;
    return (skill_part){bank->fragment + at, at,
                        first->count > 0 ? first->count : bank->fragment_count, bank->cyclic};
}

/* Adds the pair of the first skill's fragment i and the fragment at `entry` of the second bank, in both
 * halves. */
static void add_pair(const tr_model *model, const tr_jump_def *def, int i, int entry,
                     tr_graph_candidate *out) {
    const skill_part a = part_of(def->from), b = part_of(def->to);
    tr_state start = b.fragment[entry - b.first].start;
    for (int flips = 0; flips < 2; flips++) {
        out[flips].edge =
            (tr_graph_edge){def->from_first + i, def->to_first + entry - b.first, flips};
        out[flips].distance = tr_state_distance(model, &a.fragment[i].end, &start);
        start = tr_state_mirror(model, &start);
    }
}

/* Lists all pairs, nearest first; out: [*count], owned by the caller. */
static tr_status list_candidates(const tr_model *model, const tr_jump_def *def,
                                 tr_graph_candidate **out, int *count) {
    const skill_part a = part_of(def->from), b = part_of(def->to);
    const int entries = (b.cyclic ? b.count : 1) + def->ahead_count;
    int n = 0;
    tr_graph_candidate *list = calloc(2 * (size_t)a.count * (size_t)entries, sizeof *list);
    if (!list)
        return TR_RESOURCE_EXHAUSTED;
    /* A chain is left at its end alone, and entered at its start alone. */
    for (int i = a.cyclic ? 0 : a.count - 1; i < a.count; i++)
        for (int j = 0; j < entries; j++, n += 2)
            add_pair(model, def, i,
                     j < def->ahead_count ? def->ahead[j] : b.first + j - def->ahead_count,
                     &list[n]);
    qsort(list, (size_t)n, sizeof *list, nearer);
    if (def->spread)
        spread_over_moments(list, n, def->from_first);
    *out = list;
    *count = n;
    return TR_OK;
}

/* --- trials --- */

typedef struct crossing {
    const tr_jump_def *def;
    tr_graph_candidate *candidate; /* [count]; those before `begin` have been tried */
    int begin, count;
    /* The round in progress: which candidates are tried, and from which trial on. */
    const int *alive;
    int alive_count, first;
    bool *held; /* [trials of the round][alive_count] */
} crossing;

/* Is it near the reference at half of the next ends of fragments, or more? One that limps is not: a run
 * that was entered from another was 0.1, 0.4 and 0.5 off in turn, for ever. */
static bool is_settled(tr_trial *trial, tr_rehearsal *rehearsal, int ends) {
    int near = 0;
    for (int i = 0; i < ends && !trial->lost; i++) {
        tr_trial_finish_entry(trial, rehearsal);
        near += tr_trial_distance(trial, rehearsal) < NEAR;
    }
    return !trial->lost && 2 * near >= ends;
}

/* Does the trial come over the graph, as in a game? The first trials leave a skill that has run alone:
 * they cost less, and most candidates fail in them. */
static bool comes(const tr_jump_def *def, int number) {
    return def->graph && number >= ALONE;
}

/* Brings a trial into the first skill. */
static void approach(const tr_jump_def *def, int number, tr_trial *trial, tr_rehearsal *rehearsal) {
    const tr_controller *controller = comes(def, number) ? def->graph : def->from;
    tr_state start = comes(def, number) ? tr_graph_transition_start(controller, def->seed, number)
                                        : tr_trial_disturbed_start(controller, def->seed, number);
    trial->lost = tr_trial_begin(trial, controller, rehearsal, &start);
    if (trial->lost || !comes(def, number))
        return;
    tr_random random = tr_random_split(def->seed, FOR_WALK, (uint64_t)number);
    const tr_control_graph *graph = tr_graph_of(controller);
    const int node = tr_control_graph_node_of(graph, def->from_first);
    tr_random_walk(trial, rehearsal, &random, graph->node[node].skill, &def->walk);
}

/* May the planner jump from the end of the fragment that was just completed? */
static bool may_jump(const tr_trial *trial, const tr_rehearsal *rehearsal) {
    const tr_graph_place done = {trial->watch.entry, trial->watch.mirrored};
    tr_state state;
    if (trial->lost || tr_world_get_state(rehearsal->world, rehearsal->character, &state))
        return false;
    const tr_planner_stance stance =
        tr_planner_look(tr_graph_of(trial->runner.controller), rehearsal->model, done, &state);
    return stance.settled && stance.jumps;
}

/* Runs to the end of the fragment that is left, and to where the planner would leave it. A jump that is
 * not to be had within a few cycles would be waited for in vain. */
static void leave(const tr_jump_def *def, int number, int fragment, tr_trial *trial,
                  tr_rehearsal *rehearsal) {
    const bool cyclic = part_of(def->from).cyclic;
    if (comes(def, number)) {
        for (int i = 0; i < WAITS && !trial->lost; i++) {
            tr_trial_run_to(trial, rehearsal, fragment);
            if (may_jump(trial, rehearsal))
                return;
        }
        trial->lost = true;
        return;
    }
    /* Trials leave in their first to fourth cycle, because states differ from cycle to cycle. */
    for (int visits = cyclic ? 1 + number % 4 : 1; visits > 0; visits--)
        tr_trial_run_to(trial, rehearsal, fragment);
    if (cyclic)
        tr_trial_settle_at(trial, rehearsal, fragment);
}

static double heading_of(const tr_rehearsal *rehearsal) {
    tr_state state = {.pose.root_rot = tr_quat_identity()};
    (void)!tr_world_get_state(rehearsal->world, rehearsal->character, &state);
    return tr_quat_heading(state.pose.root_rot);
}

/* Makes the trial jump from where it is. Does the second skill hold its motion? */
static bool holds(const tr_jump_def *def, const tr_graph_edge *edge, tr_trial *trial,
                  tr_rehearsal *rehearsal) {
    const skill_part b = part_of(def->to);
    int entry = b.first + edge->to - def->to_first;
    /* The half is that in which the fragment was done, which the runner may have left. A controller
     * that does both notices the change, as it will when it jumps by itself. */
    const bool mirrored = trial->watch.mirrored != edge->flips;
    if (def->from->driver.content == def->to->driver.content)
        trial->runner.cue = (tr_cue){true, entry, mirrored};
    else
        tr_trial_hand_over(trial, def->to, entry, mirrored);
    if (trial->runner.target.skill[0]) {
        const tr_control_graph *graph = tr_graph_of(def->graph);
        memcpy(trial->runner.target.skill,
               graph->node[tr_control_graph_node_of(graph, b.first)].skill, TR_NAME_MAX);
    }
    int64_t steps = (int64_t)(def->after_s / def->to->step_s);
    /* A chain is to be held to its end. */
    if (!b.cyclic) {
        steps = 0;
        for (int f = 0; f < b.count; f++)
            steps += b.fragment[f].steps;
    }
    const double heading = heading_of(rehearsal);
    tr_trial_run(trial, rehearsal, trial->steps + steps);
    const double turn = tr_angle_wrap(heading_of(rehearsal) - heading);
    return !trial->lost && (def->straight_rad <= 0 || fabs(turn) <= def->straight_rad) &&
           (!def->settled || !b.cyclic || is_settled(trial, rehearsal, 2 * b.count));
}

/* Makes a trial of each candidate that is alive: they part in the first skill. One that does not come
 * into that skill over the graph says nothing of them. */
static void try_crossings(void *context, int item, tr_rehearsal *rehearsal) {
    crossing *x = context;
    const tr_jump_def *def = x->def;
    const int number = x->first + item, first = part_of(def->from).first - def->from_first;
    tr_rehearsal_moment parting;
    tr_trial before;
    approach(def, number, &before, rehearsal);
    const bool came = !before.lost && !tr_rehearsal_look(rehearsal, &parting);
    for (int k = 0; k < x->alive_count; k++) {
        const tr_graph_edge *edge = &x->candidate[x->alive[k]].edge;
        tr_trial trial = before;
        trial.lost = !came || tr_rehearsal_return(rehearsal, &parting);
        leave(def, number, first + edge->from, &trial, rehearsal);
        x->held[item * x->alive_count + k] =
            came ? !trial.lost && holds(def, edge, &trial, rehearsal) : comes(def, number);
    }
}

/* Did a nearer entry hold, out of the same moment? */
static bool has_nearer(const crossing *x, int i) {
    bool found = false;
    for (int k = 0; k < i && !found; k++)
        found = x->candidate[k].rank < x->candidate[i].rank &&
                x->candidate[k].edge.from == x->candidate[i].edge.from &&
                x->candidate[k].held == x->def->trials;
    return found;
}

/* Tries the candidates of a rank in rounds of doubling size; one that failed once is not tried again.
 * alive: [count]; held: [count * trials]. Returns whether candidates of higher ranks are left. */
static bool try_rank(tr_ensemble *ensemble, crossing *x, int rank, int *alive) {
    const int trials = x->def->trials;
    for (int done = 0, size = 4; done < trials; done += size, size *= 2) {
        int count = 0;
        for (int i = x->begin; i < x->count; i++)
            if (x->candidate[i].rank == rank && x->candidate[i].held == done && !has_nearer(x, i))
                alive[count++] = i;
        size = size < trials - done ? size : trials - done;
        x->first = done;
        x->alive_count = count;
        if (count > 0)
            tr_ensemble_share(
                ensemble, try_crossings, x, size,
                (const tr_ranks_result[]){{x->held, (size_t)count * sizeof *x->held}, {0}});
        for (int i = 0; i < count * size; i++) {
            x->candidate[alive[i % count]].trials++;
            x->candidate[alive[i % count]].held += x->held[i];
        }
    }
    return x->count > 0 && x->candidate[x->count - 1].rank > rank;
}

static tr_status try_all(tr_ensemble *ensemble, crossing *x) {
    int *alive = calloc((size_t)x->count + 1, sizeof *alive);
    x->held = calloc((size_t)x->count * (size_t)x->def->trials + 1, sizeof *x->held);
    x->alive = alive;
    for (int rank = 0; alive && x->held && try_rank(ensemble, x, rank, alive);)
        rank++;
    tr_status status = alive && x->held ? TR_OK : TR_RESOURCE_EXHAUSTED;
    free(x->held);
    free(alive);
    return status;
}

tr_status tr_jumps_try(tr_ensemble *ensemble, const tr_jump_def *def, tr_graph_candidate **out,
                       int *out_count) {
    tr_graph_candidate *candidates = NULL;
    int count = 0, tried = 0;
    tr_status status = list_candidates(ensemble->model, def, &candidates, &count);
    count = count < def->candidates ? count : def->candidates;
    while (!status && tried < count) {
        const int end = def->enough > 0 && count - tried > GROUP ? tried + GROUP : count;
        crossing x = {.def = def, .candidate = candidates, .begin = tried, .count = end};
        status = try_all(ensemble, &x);
        tried = end;
        if (def->enough > 0 &&
            tr_jumps_keep_held(candidates, tried, def->trials, def->enough) == def->enough)
            break;
    }
    if (status) {
        free(candidates);
        return status;
    }
    *out = candidates;
    *out_count = tried;
    return TR_OK;
}

int tr_jumps_keep_held(tr_graph_candidate *candidates, int count, int trials, int edges) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        candidates[i].kept = candidates[i].held == trials && kept < edges;
        kept += candidates[i].kept;
    }
    return kept;
}

void tr_jumps_keep_best(tr_graph_candidate *candidates, int count, int most) {
    for (int kept = 0; kept < most && kept < count; kept++) {
        int best = -1;
        for (int i = 0; i < count; i++)
            if (!candidates[i].kept && (best < 0 || candidates[i].held > candidates[best].held))
                best = i;
        candidates[best].kept = true;
    }
}
