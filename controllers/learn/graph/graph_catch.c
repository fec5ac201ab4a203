#include "learn/graph/graph_catch.h"

#include "learn/rehearsal/names.h"
#include "learn/rehearsal/random_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A standing character that is not disturbed stays within half of this of its reference. */
static const double BEYOND = 0.3;

static const double LEAST_N = 60, MOST_N = 250, PUSH_S = 0.2;
static const double SETTLE_S = 1, WITHIN_S = 1.5, AFTER_S = 4, DWELL_S = 2;
enum { ENTRY_MAX = 1024, NEIGHBOURS = 6 };

/* What became of a character that continued in an entry. */
enum { FELL, UP, STANDS };

/* entry: where the pushed character may continue; state: [states], after a push; fate: [states][entries]
 * push: what is left of the push when the character decides; moment: then */
typedef struct catching {
    tr_ensemble *ensemble;
    const tr_controller *controller;
    tr_control_graph *graph;
    const tr_graph_catch_def *def;
    int rest, entries, states;
    tr_graph_place entry[ENTRY_MAX];
    tr_features *state;
    unsigned char *fate;
    tr_rehearsal_push push;
    tr_rehearsal_moment moment;
} catching;

static void ask_for_rest(const catching *c, tr_trial *trial) {
    memcpy(trial->runner.target.skill, c->graph->node[c->rest].skill, TR_NAME_MAX);
}

static int64_t steps_in(const catching *c, double seconds) {
    return llround(seconds / c->controller->step_s);
}

/* --- the entries --- */

static void add_entries(catching *c, int node) {
    const tr_graph_node *n = &c->graph->node[node];
    for (int f = n->first; f < n->first + n->count; f++)
        for (int half = 0; half < (c->graph->bank.mirrored ? 2 : 1); half++)
            if (c->entries < ENTRY_MAX)
                c->entry[c->entries++] = (tr_graph_place){f, half == 1};
}

static tr_status list_entries(catching *c, tr_error *error) {
    const char *names = c->def->skills ? c->def->skills : "";
    char name[TR_NAME_MAX];
    c->rest = tr_control_graph_rest(c->graph);
    if (c->rest < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph '%s': no skill of it rests",
                       c->controller->name);
    add_entries(c, c->rest);
    while (tr_names_next(&names, name)) {
        const int node = tr_control_graph_find(c->graph, name);
        if (node < 0 || !c->graph->node[node].cyclic)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "--skills: graph '%s' has no cyclic skill '%s'", c->controller->name,
                           name);
        if (node != c->rest)
            add_entries(c, node);
    }
    return TR_OK;
}

/* The entry of the other half. */
static int image_of(const catching *c, int entry) {
    return c->graph->bank.mirrored ? entry ^ 1 : entry;
}

/* --- trials --- */

/* Stands, every second time after a random walk. */
static bool stand(const catching *c, int number, tr_random *random, tr_rehearsal *rehearsal,
                  tr_trial *trial) {
    const tr_random_walk_def walk = {.dwell_s = DWELL_S};
    const tr_state start = tr_trial_disturbed_start(c->controller, c->def->seed, number);
    if (tr_trial_begin(trial, c->controller, rehearsal, &start))
        return false;
    if (number % 2)
        tr_random_walk(trial, rehearsal, random, c->graph->node[c->rest].skill, &walk);
    ask_for_rest(c, trial);
    tr_trial_run(trial, rehearsal,
                 trial->steps + steps_in(c, SETTLE_S + 0.5 * tr_random_uniform(random)));
    return !trial->lost;
}

/* Pushes a standing character and runs to where it decides. false: it does not get there. */
static bool reach_decision(catching *c, int number, tr_rehearsal *rehearsal) {
    tr_random random = tr_random_split(c->def->seed, 1, (uint64_t)number);
    tr_trial trial;
    tr_state state;
    if (!stand(c, number, &random, rehearsal, &trial))
        return false;
    const int steps = (int)steps_in(c, PUSH_S);
    c->push = (tr_rehearsal_push){LEAST_N + (MOST_N - LEAST_N) * tr_random_uniform(&random),
                                  2 * TR_PI * tr_random_uniform(&random), steps};
    if (tr_rehearsal_shove(rehearsal, &c->push))
        return false;
    const int64_t from = trial.steps, until = from + steps_in(c, WITHIN_S);
    while (!trial.lost && trial.steps < until) {
        tr_trial_finish_entry(&trial, rehearsal);
        const tr_graph_place done = {trial.watch.entry, trial.watch.mirrored};
        if (trial.lost || tr_world_get_state(rehearsal->world, rehearsal->character, &state))
            return false;
        if (tr_control_graph_node_of(c->graph, done.fragment) == c->rest &&
            tr_planner_distance(&c->graph->bank, rehearsal->model, done, &state) > BEYOND) {
            c->push.steps = steps - (int)(trial.steps - from);
            c->state[c->states] = tr_rehearsal_features(rehearsal);
            return !tr_rehearsal_look(rehearsal, &c->moment);
        }
    }
    return false;
}

/* Continues from the moment in some of the entries. */
static void try_entries(void *context, const int *item, int count,
                        const tr_rehearsal_group *group) {
    catching *c = context;
    tr_trial trial[TR_QUARTET_MAX];
    int64_t steps[TR_QUARTET_MAX] = {0};
    for (int k = 0; k < count; k++) {
        const tr_graph_place entry = c->entry[item[k]];
        tr_trial_hand_over(&trial[k], c->controller, entry.fragment, entry.mirrored);
        ask_for_rest(c, &trial[k]);
        steps[k] = steps_in(c, AFTER_S);
        if (tr_rehearsal_return(group->rehearsal[k], &c->moment) ||
            (c->push.steps > 0 && tr_rehearsal_shove(group->rehearsal[k], &c->push)))
            trial[k].lost = true;
    }
    tr_trial_run_together(trial, group, steps, count);
    for (int k = 0; k < count; k++)
        c->fate[c->states * c->entries + item[k]] =
            trial[k].lost                                                         ? FELL
            : tr_control_graph_node_of(c->graph, trial[k].watch.entry) == c->rest ? STANDS
                                                                                  : UP;
}

/* --- rows --- */

/* A state, or its mirror image, near another. */
typedef struct neighbour {
    double off;
    int state;
    bool mirrored;
} neighbour;

static int nearer(const void *a, const void *b) {
    const neighbour *x = a, *y = b;
    return x->off != y->off ? (x->off > y->off) - (x->off < y->off) : x->state - y->state;
}

/* Returns the entry that does best in the states around one; it must stay up in that, if one does. */
static int choose_entry(const catching *c, int state, neighbour *near) {
    const int halves = c->graph->bank.mirrored ? 2 : 1;
    for (int i = 0; i < halves * c->states; i++) {
        const bool mirrored = i % halves;
        const tr_features *of = &c->state[i / halves];
        const tr_features image = mirrored ? tr_features_mirror(of) : *of;
        near[i] = (neighbour){tr_features_distance(&c->state[state], &image), i / halves, mirrored};
    }
    qsort(near, (size_t)halves * (size_t)c->states, sizeof *near, nearer);
    int best = 0;
    double most = -1;
    for (int e = 0; e < c->entries; e++) {
        double worth = c->fate[state * c->entries + e] > FELL;
        for (int i = 0; i < NEIGHBOURS && i < halves * c->states; i++) {
            const int entry = near[i].mirrored ? image_of(c, e) : e;
            const int fate = c->fate[near[i].state * c->entries + entry];
            worth += (fate == STANDS ? 1 : fate == UP ? 0.7 : 0) / (1 + i);
        }
        if (worth > most) {
            most = worth;
            best = e;
        }
    }
    return best;
}

static tr_status set_rows(const catching *c, tr_graph_catch_report *out) {
    tr_catch_row *row = calloc((size_t)c->states, sizeof *row);
    neighbour *near = calloc(2 * (size_t)c->states, sizeof *near);
    tr_status status = row && near ? TR_OK : TR_RESOURCE_EXHAUSTED;
    for (int s = 0; !status && s < c->states; s++) {
        const int entry = choose_entry(c, s, near);
        row[s] = (tr_catch_row){c->state[s], c->entry[entry].fragment, c->entry[entry].mirrored};
        out->saved += c->fate[s * c->entries + entry] > FELL;
    }
    out->states = c->states;
    if (!status)
        status = tr_catch_steps_set(c->graph, &(tr_catch_steps){BEYOND, c->states, row});
    free(row);
    free(near);
    return status;
}

static tr_status run_trials(catching *c, tr_error *error) {
    for (int i = 0; i < c->def->trials && c->states < TR_CATCH_ROW_MAX; i++) {
        if (!reach_decision(c, i, &c->ensemble->rehearsal[0]))
            continue;
        tr_ensemble_share_groups(
            c->ensemble, try_entries, c, c->entries,
            (const tr_ranks_result[]){{c->fate + c->states * c->entries, sizeof *c->fate}, {0}});
        c->states++;
    }
    return c->states > 0 ? TR_OK
                         : tr_fail(error, TR_FAILED_PRECONDITION,
                                   "graph '%s': no push moved a standing character far; expected "
                                   "more --trials",
                                   c->controller->name);
}

tr_status tr_graph_catch(tr_ensemble *ensemble, const tr_graph_catch_def *def,
                         tr_controller *controller, tr_graph_catch_report *out, tr_error *error) {
    catching *c = calloc(1, sizeof *c);
    if (!c)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "graph '%s': no memory", controller->name);
    *c = (catching){.ensemble = ensemble,
                    .controller = controller,
                    .graph = tr_graph_of(controller),
                    .def = def};
    *out = (tr_graph_catch_report){0};
    /* Rows that exist would answer the pushes. */
    c->graph->catches.count = 0;
    tr_status status = list_entries(c, error);
    c->state = calloc((size_t)def->trials, sizeof *c->state);
    c->fate = calloc((size_t)def->trials * (size_t)(c->entries + 1), sizeof *c->fate);
    if (!status && !(c->state && c->fate))
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "graph '%s': no memory", controller->name);
    if (!status)
        status = run_trials(c, error);
    if (!status && (status = set_rows(c, out)))
        status = tr_fail(error, status, "graph '%s': no memory", controller->name);
    free(c->state);
    free(c->fate);
    free(c);
    return status;
}
