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

static void put_features(const tr_features *features, bool mirrors, float out[TR_FEATURE_COUNT]) {
    const tr_features seen = mirrors ? tr_features_mirror(features) : *features;
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        out[i] = (float)seen.s[i];
}

/* Notes the fragment just done, and the teacher's action where it began. */
static void note(const roll_outs *all, const tr_trial *trial, const tr_features *began,
                 const tr_features *ended, const tr_model *model, tr_roll_out_sample *out) {
    const tr_lost_watch *watch = &trial->watch;
    const tr_action_map *map = &all->graph->bank.action;
    const tr_features seen = watch->mirrored ? tr_features_mirror(began) : *began;
    double action[TR_ACTION_MAX], noise[TR_ACTION_MAX];
    bool flips;
    tr_policy_evaluate(&all->graph->bank.fragment[watch->entry].policy, map->size, &seen, action);
    memcpy(noise, trial->runner.parameter, (size_t)map->size * sizeof *noise);
    if (watch->mirrored)
        tr_action_mirror(model, map, trial->runner.parameter, noise);
    out->fragment = watch->entry;
    out->next = tr_follower_ahead(all->graph, watch->entry, 1, &flips);
    out->lost = trial->lost;
    put_features(began, watch->mirrored, out->state);
    put_features(ended, watch->mirrored != flips, out->after);
    for (int i = 0; i < map->size; i++) {
        out->action[i] = (float)action[i];
        out->noise[i] = (float)noise[i];
    }
}

/* Where another skill takes over. */
static tr_cue draw_change(const roll_outs *all, int fragment, const tr_features *seen,
                          tr_random *random) {
    const int now = tr_control_graph_node_of(all->graph, fragment);
    int k = (int)(tr_random_uniform(random) * (all->cycle_count - 1));
    k += all->cycle[k] >= now;
    return tr_switch_nearest(all->def->cycles, &all->graph->node[all->cycle[k]], seen);
}

/* Plays the skill from one of its fragments until the time is up or the motion is lost. */
static void run(void *context, int item, tr_rehearsal *rehearsal) {
    roll_outs *all = context;
    const tr_roll_out_def *def = all->def;
    const tr_graph_node *node = &all->graph->node[all->cycle[item / def->trials]];
    tr_roll_out_sample *out = all->sample + (size_t)item * (size_t)all->room;
    tr_random random = tr_random_split(def->seed, FOR_TRIAL, (uint64_t)item);
    const int entry = node->first + (int)(tr_random_uniform(&random) * node->count);
    const tr_state start =
        tr_trial_disturb(&all->graph->bank.fragment[entry].start, def->seed, item);
    const int64_t end = steps_of(all, def->trial_s);
    const bool changes = def->change_share > 0 && all->cycle_count > 1;
    int64_t next_push = def->push_n > 0 ? draw_pause(all, &random) : end;
    tr_trial trial;
    if (def->pushed_share < 1 && tr_random_uniform(&random) >= def->pushed_share)
        next_push = end;
    if (tr_trial_begin_at(&trial, def->acts, entry, rehearsal, &start))
        return;
    tr_features ended = tr_rehearsal_features(rehearsal);
    /* A sample is noted for each fragment, the one in which the motion is lost too. */
    for (int n = 0; n < all->room && trial.steps < end && !trial.lost; n++) {
        const tr_features began = ended;
        if (trial.steps >= next_push) {
            push(all, rehearsal, &random);
            next_push = trial.steps + draw_pause(all, &random);
        }
        /* Adds noise to the action of the fragment that begins. */
        for (int i = 0; def->noise_rad > 0 && i < all->graph->bank.action.size; i++)
            trial.runner.parameter[i] = def->noise_rad * tr_random_normal(&random);
        if (n > 0 && changes && tr_random_uniform(&random) < def->change_share)
            trial.runner.cue = draw_change(all, trial.watch.entry, &began, &random);
        tr_trial_finish_entry(&trial, rehearsal);
        ended = tr_rehearsal_features(rehearsal);
        out[n].since = n;
        note(all, &trial, &began, &ended, rehearsal->model, &out[n]);
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

void tr_roll_out_deviation(const tr_follower *follower, int fragment, const float *state,
                           float out[TR_FEATURE_COUNT]) {
    tr_features features = {0};
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        features.s[i] = (double)state[i];
    tr_follower_deviation(follower, fragment, &features, out);
}
