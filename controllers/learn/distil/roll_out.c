#include "learn/distil/roll_out.h"

#include "learn/rehearsal/trial.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOR_TRIAL = 1 };
static const double PUSH_S = 0.2, PUSH_EVERY_LOW_S = 1, PUSH_EVERY_HIGH_S = 3;

/* room: samples of a trial; sample: [trials][room]; count: [trials] */
typedef struct roll_outs {
    const tr_roll_out_def *def;
    const tr_control_graph *graph; /* the teacher's */
    tr_roll_out_sample *sample;
    int *count;
    int room, cycle[TR_GRAPH_NODE_MAX], cycle_count;
} roll_outs;

static int64_t steps_of(const roll_outs *all, double seconds) {
    return llround(seconds / all->def->acts->step_s);
}

/* --- one trial --- */

static void push(const roll_outs *all, tr_rehearsal *rehearsal, tr_random *random) {
    const tr_rehearsal_push blow = {all->def->push_n * tr_random_uniform(random),
                                    2 * TR_PI * tr_random_uniform(random),
                                    (int)steps_of(all, PUSH_S)};
    if (tr_rehearsal_shove(rehearsal, &blow))
        return; /* a trial without this push is one too */
}

static int64_t draw_pause(const roll_outs *all, tr_random *random) {
    return steps_of(all, PUSH_EVERY_LOW_S +
                             (PUSH_EVERY_HIGH_S - PUSH_EVERY_LOW_S) * tr_random_uniform(random));
}

/* Notes the state in which the fragment just done began, and the teacher's action there. */
static void note(const roll_outs *all, const tr_lost_watch *watch, const tr_features *began,
                 tr_roll_out_sample *out) {
    const tr_features seen = watch->mirrored ? tr_features_mirror(began) : *began;
    double action[TR_ACTION_MAX];
    const int size = all->graph->bank.action.size;
    tr_policy_evaluate(&all->graph->bank.fragment[watch->entry].policy, size, &seen, action);
    out->fragment = watch->entry;
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        out->state[i] = (float)seen.s[i];
    for (int i = 0; i < size; i++)
        out->action[i] = (float)action[i];
}

/* Plays the skill from one of its fragments until the time is up or the motion is lost. */
static void run(void *context, int item, tr_rehearsal *rehearsal) {
    roll_outs *all = context;
    const tr_graph_node *node = &all->graph->node[all->cycle[item / all->def->trials]];
    tr_roll_out_sample *out = all->sample + (size_t)item * (size_t)all->room;
    tr_random random = tr_random_split(all->def->seed, FOR_TRIAL, (uint64_t)item);
    const int entry = node->first + (int)(tr_random_uniform(&random) * node->count);
    const tr_state start =
        tr_trial_disturb(&all->graph->bank.fragment[entry].start, all->def->seed, item);
    const int64_t end = steps_of(all, all->def->trial_s);
    int64_t next_push = draw_pause(all, &random);
    tr_trial trial;
    tr_state state;
    if (tr_trial_begin_at(&trial, all->def->acts, entry, rehearsal, &start))
        return;
    /* A sample is noted for each fragment, the one in which the motion is lost too. */
    for (int n = 0; n < all->room && trial.steps < end && !trial.lost; n++) {
        if (all->def->push_n > 0 && trial.steps >= next_push) {
            push(all, rehearsal, &random);
            next_push = trial.steps + draw_pause(all, &random);
        }
        /* Adds noise to the action of the fragment that begins. */
        for (int i = 0; all->def->noise_rad > 0 && i < all->graph->bank.action.size; i++)
            trial.runner.parameter[i] = all->def->noise_rad * tr_random_normal(&random);
        if (tr_world_get_state(rehearsal->world, rehearsal->character, &state))
            return;
        const tr_features began = tr_features_of(
            rehearsal->model, &state, tr_world_bodies(rehearsal->world, rehearsal->character));
        tr_trial_finish_entry(&trial, rehearsal);
        out[n].since = n;
        note(all, &trial.watch, &began, &out[n]);
        all->count[item] = n + 1;
    }
}

/* --- all trials --- */

static int shortest(const tr_bank *bank) {
    int steps = TR_FRAGMENT_STEPS_MAX;
    for (int f = 0; f < bank->fragment_count; f++)
        steps = bank->fragment[f].steps < steps ? bank->fragment[f].steps : steps;
    return steps;
}

/* Closes the gaps between the trials; returns how many samples there are. */
static int gather(roll_outs *all, int trials) {
    int total = 0;
    for (int k = 0; k < trials; k++) {
        memmove(all->sample + total, all->sample + (size_t)k * (size_t)all->room,
                (size_t)all->count[k] * sizeof *all->sample);
        total += all->count[k];
    }
    return total;
}

tr_status tr_roll_out(tr_ensemble *ensemble, const tr_roll_out_def *def, tr_roll_out_sample **out,
                      int *out_count) {
    roll_outs all = {.def = def, .graph = tr_graph_of(def->teacher)};
    /* Teachers are the cyclic skills. */
    for (int n = 0; n < all.graph->node_count; n++)
        if (all.graph->node[n].cyclic)
            all.cycle[all.cycle_count++] = n;
    const int trials = all.cycle_count * def->trials;
    all.room = (int)(steps_of(&all, def->trial_s) / shortest(&all.graph->bank)) + 1;
    all.sample = calloc((size_t)trials * (size_t)all.room + 1, sizeof *all.sample);
    all.count = calloc((size_t)trials + 1, sizeof *all.count);
    if (!all.sample || !all.count) {
        free(all.sample);
        free(all.count);
        return TR_RESOURCE_EXHAUSTED;
    }
    /* Trials lie apart while threads fill them in, and are then moved together. */
    const tr_ranks_result results[] = {
        {all.sample, (size_t)all.room * sizeof *all.sample}, {all.count, sizeof *all.count}, {0}};
    tr_ensemble_share(ensemble, run, &all, trials, results);
    *out_count = gather(&all, trials);
    *out = all.sample;
    free(all.count);
    return TR_OK;
}
