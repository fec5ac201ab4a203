#include "learn/distil/roll_out.h"

#include "learn/rehearsal/trial.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOR_TRIAL = 1, FOR_GROUND = 4 };
static const double GROUND_SIDE_M = 60, KERB_LOW_M = 0.5, KERB_HIGH_M = 4;
static const double PUSH_S = 0.2, PUSH_EVERY_LOW_S = 1, PUSH_EVERY_HIGH_S = 3;

/* Of changes that fail always and never, the first are drawn so much more often: (0.15 + 1) / 0.15; of
 * skills out of which they do, (0.3 + 1) / 0.3. */
static const double EVEN_CHANGE = 0.15, EVEN_START = 0.3;

/* room: steps of a trial; step: [trials][room]; count: [trials] */
typedef struct roll_outs {
    const tr_roll_out_def *def;
    const tr_control_graph *graph; /* the teacher's */
    tr_roll_out_step *step;
    int *count;
    int room;
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
                 const tr_features *ended, const tr_model *model, tr_roll_out_step *out) {
    const tr_lost_watch *watch = &trial->watch;
    const tr_action_map *map = &all->graph->bank.action;
    const tr_features seen = watch->mirrored ? tr_features_mirror(began) : *began;
    double action[TR_ACTION_MAX], noise[TR_ACTION_MAX];
    bool flips;
    tr_policy_evaluate(&all->graph->bank.fragment[watch->entry].policy, map->size, &seen, action);
    memcpy(noise, trial->runner.parameter, (size_t)map->size * sizeof *noise);
    if (watch->mirrored)
        tr_action_mirror(model, map, trial->runner.parameter, noise);
    out->at.fragment = watch->entry;
    out->next = tr_follower_ahead(all->graph, watch->entry, 1, &flips);
    out->lost = trial->lost;
    put_features(began, watch->mirrored, out->at.state);
    put_features(ended, watch->mirrored != flips, out->after);
    for (int i = 0; i < map->size; i++) {
        out->at.action[i] = (float)action[i];
        out->noise[i] = (float)noise[i];
    }
}

/* --- what is drawn --- */

static int draw_weighted(const double *weight, int count, tr_random *random) {
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += weight[k];
    double at = sum * tr_random_uniform(random);
    int k = 0;
    while (k + 1 < count && (at -= weight[k]) > 0)
        k++;
    return k;
}

/* The skill in which a trial begins. */
static int draw_start(const roll_outs *all, tr_random *random) {
    const int skills = all->graph->node_count;
    double weight[TR_ROLL_OUT_SKILL_MAX];
    for (int from = 0; from < skills; from++) {
        weight[from] = EVEN_START;
        for (int to = 0; to < skills; to++)
            weight[from] += all->def->changes->failed[from][to] / skills;
    }
    return draw_weighted(weight, skills, random);
}

/* Where another skill takes over. */
static tr_cue draw_change(const roll_outs *all, int from, const tr_features *seen,
                          tr_random *random) {
    const tr_roll_out_changes *changes = all->def->changes;
    double weight[TR_ROLL_OUT_SKILL_MAX];
    for (int to = 0; to < all->graph->node_count; to++)
        weight[to] = to == from ? 0 : EVEN_CHANGE + changes->failed[from][to];
    const int to = draw_weighted(weight, all->graph->node_count, random);
    const bool valued = tr_random_uniform(random) < changes->valued_share;
    return tr_switch_entry(all->def->cycles, valued ? changes->critic : NULL, &all->graph->node[to],
                           seen, valued ? random : NULL);
}

/* Lays the ground of a trial, the plane or another one, and puts the start on it. */
static tr_status lay_ground(const roll_outs *all, int item, tr_world *world, tr_state *start) {
    tr_random random = tr_random_split(all->def->seed, FOR_GROUND, (uint64_t)item);
    if (!all->def->ground || !tr_harden_ground_takes(all->def->ground, item))
        return TR_OK;
    tr_trial_ground ground = tr_harden_ground_draw(all->def->ground, &random);
    ground.side_m = GROUND_SIDE_M;
    ground.kerb_m = KERB_LOW_M + (KERB_HIGH_M - KERB_LOW_M) * tr_random_uniform(&random);
    *start = tr_state_place(start, 2 * TR_PI * tr_random_uniform(&random), (tr_vec3){0, 0, 0});
    return tr_trial_ground_raise(&ground, world, start);
}

/* Plays the skill from one of its fragments until the time is up or the motion is lost. */
static void run(void *context, int item, tr_rehearsal *rehearsal) {
    roll_outs *all = context;
    const tr_roll_out_def *def = all->def;
    tr_roll_out_step *out = all->step + (size_t)item * (size_t)all->room;
    tr_random random = tr_random_split(def->seed, FOR_TRIAL, (uint64_t)item);
    const bool changes = def->changes && all->graph->node_count > 1;
    const int began_in = changes ? draw_start(all, &random) : item / def->trials;
    const tr_graph_node *node = &all->graph->node[began_in];
    const int entry = node->first + (int)(tr_random_uniform(&random) * node->count);
    tr_state start = tr_trial_disturb(&all->graph->bank.fragment[entry].start, def->seed, item);
    const int64_t end = steps_of(all, def->trial_s);
    int64_t next_push = def->push_n > 0 ? draw_pause(all, &random) : end;
    int from = -1, age = 0;
    tr_trial trial;
    if (def->pushed_share < 1 && tr_random_uniform(&random) >= def->pushed_share)
        next_push = end;
    if (lay_ground(all, item, rehearsal->world, &start) ||
        tr_trial_begin_at(&trial, def->acts, entry, rehearsal, &start))
        return;
    tr_features ended = tr_rehearsal_features(rehearsal);
    /* A step is noted for each fragment, the one in which the motion is lost too. */
    for (int n = 0; n < all->room && trial.steps < end && !trial.lost; n++, age++) {
        const tr_features began = ended;
        if (trial.steps >= next_push) {
            push(all, rehearsal, &random);
            next_push = trial.steps + draw_pause(all, &random);
        }
        /* Adds noise to the action of the fragment that begins. */
        for (int i = 0; def->noise_rad > 0 && i < all->graph->bank.action.size; i++)
            trial.runner.parameter[i] = def->noise_rad * tr_random_normal(&random);
        if (n > 0 && changes && tr_random_uniform(&random) < def->changes->share) {
            from = tr_control_graph_node_of(all->graph, trial.watch.entry);
            age = 0;
            trial.runner.cue = draw_change(all, from, &began, &random);
        }
        tr_trial_finish_entry(&trial, rehearsal);
        ended = tr_rehearsal_features(rehearsal);
        out[n].at.since = n;
        out[n].from = from;
        out[n].age = age;
        note(all, &trial, &began, &ended, rehearsal->model, &out[n]);
        all->count[item] = n + 1;
    }
    tr_trial_ground_lift(rehearsal->world);
}

/* --- all trials --- */

static int shortest(const tr_bank *bank) {
    int steps = TR_FRAGMENT_STEPS_MAX;
    for (int f = 0; f < bank->fragment_count; f++)
        steps = bank->fragment[f].steps < steps ? bank->fragment[f].steps : steps;
    return steps;
}

/* Closes the gaps between the trials; returns how many steps there are. */
static int gather(roll_outs *all, int trials) {
    int total = 0;
    for (int k = 0; k < trials; k++) {
        memmove(all->step + total, all->step + (size_t)k * (size_t)all->room,
                (size_t)all->count[k] * sizeof *all->step);
        total += all->count[k];
    }
    return total;
}

tr_status tr_roll_out(tr_ensemble *ensemble, const tr_roll_out_def *def, tr_roll_out_step **out,
                      int *out_count) {
    roll_outs all = {.def = def, .graph = tr_graph_of(def->teacher)};
    const int trials = all.graph->node_count * def->trials;
    all.room = (int)(steps_of(&all, def->trial_s) / shortest(&all.graph->bank)) + 1;
    all.step = calloc((size_t)trials * (size_t)all.room + 1, sizeof *all.step);
    all.count = calloc((size_t)trials + 1, sizeof *all.count);
    if (!all.step || !all.count) {
        free(all.step);
        free(all.count);
        return TR_RESOURCE_EXHAUSTED;
    }
    /* Trials lie apart while threads fill them in, and are then moved together. */
    const tr_ranks_result results[] = {
        {all.step, (size_t)all.room * sizeof *all.step}, {all.count, sizeof *all.count}, {0}};
    tr_ensemble_share(ensemble, run, &all, trials, results);
    *out_count = gather(&all, trials);
    *out = all.step;
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
