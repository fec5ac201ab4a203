#include "learn/schedule/push_trial.h"

#include "control/parts/falls.h"
#include "control/scheduler/scheduler.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A character stood if no foot moved further, and the root kept this share of its height. */
static const double STOOD_M = 0.05, STOOD_SHARE = 0.8;

typedef struct outcome {
    bool survived, back, stood;
    int64_t decisions, jumps;
    double moved_m, feet_m;
} outcome;

typedef struct work {
    const tr_controller *controller;
    const tr_push_trials *test;
    outcome *outcome; /* [trials] */
} work;

static int64_t steps_in(const tr_controller *controller, double seconds) {
    return (int64_t)llround(seconds / controller->step_s);
}

static tr_vec3 place_of(const tr_rehearsal *rehearsal) {
    tr_state state = {0};
    (void)!tr_world_get_state(rehearsal->world, rehearsal->character, &state);
    return state.pose.root_pos;
}

static tr_status push(const work *w, int item, tr_rehearsal *rehearsal) {
    const tr_push_trials *test = w->test;
    tr_state state;
    if (test->force_n == 0)
        return TR_OK;
    tr_status status = tr_world_get_state(rehearsal->world, rehearsal->character, &state);
    if (status)
        return status;
    double direction = 2 * TR_PI * (item % test->directions) / test->directions;
    return tr_rehearsal_shove(rehearsal,
                              &(tr_rehearsal_push){test->force_n,
                                                   tr_quat_heading(state.pose.root_rot) + direction,
                                                   (int)steps_in(w->controller, test->push_s)});
}

typedef struct feet {
    tr_vec3 at[2];
} feet;

static feet feet_of(const tr_rehearsal *rehearsal) {
    const tr_model *model = tr_world_character_model(rehearsal->world, rehearsal->character);
    const tr_body_state *bodies = tr_world_bodies(rehearsal->world, rehearsal->character);
    feet now = {0};
    for (int side = 0; side < 2; side++)
        if (model->foot[side] >= 0)
            now.at[side] = bodies[model->foot[side]].com_pos;
    return now;
}

/* Watches step by step, because a decision shows only in the step with which its entry begins. */
static void watch(const work *w, tr_trial *trial, tr_rehearsal *rehearsal, outcome *out) {
    const tr_push_trials *test = w->test;
    const feet from = feet_of(rehearsal);
    int64_t until = trial->steps + steps_in(w->controller, test->push_s + test->after_s);
    while (!trial->lost && trial->steps < until) {
        tr_trial_run(trial, rehearsal, trial->steps + 1);
        const feet now = feet_of(rehearsal);
        for (int side = 0; side < 2; side++)
            out->feet_m = fmax(out->feet_m, tr_vec3_distance(now.at[side], from.at[side]));
        const tr_scheduler_state *state = tr_scheduler_state_of(&trial->runner);
        /* Step 1 of an entry: the scheduler has just decided. */
        bool begun = trial->step == 1 && state && state->decision.made;
        out->decisions += begun;
        out->jumps += begun && state->decision.out_of_sequence;
    }
}

static bool is_in(const tr_runner *runner, const char *skill) {
    tr_doing doing;
    tr_runner_look(runner, &doing);
    return strcmp(skill, "any") == 0 || strcmp(skill, doing.text) == 0;
}

static void try_push(void *context, int item, tr_rehearsal *rehearsal) {
    const work *w = context;
    const tr_push_trials *test = w->test;
    const tr_controller *controller = w->controller;
    outcome *out = &w->outcome[item];
    tr_random random = tr_random_split(test->seed, 1, (uint64_t)item);
    tr_state start = tr_trial_disturbed_start(controller, test->seed, item);
    tr_trial trial;
    if (tr_trial_begin(&trial, controller, rehearsal, &start))
        return;
    /* The push comes within a second, so that it meets any phase. */
    double before_s = test->settle_s + tr_random_uniform(&random);
    tr_trial_run(&trial, rehearsal, steps_in(controller, before_s));
    if (trial.lost || push(w, item, rehearsal))
        return;
    tr_vec3 from = place_of(rehearsal);
    watch(w, &trial, rehearsal, out);
    tr_vec3 way = tr_vec3_sub(place_of(rehearsal), from);
    out->survived = !trial.lost && !tr_falls_is_down(rehearsal->world, rehearsal->character, false);
    out->back = out->survived && is_in(&trial.runner, test->favoured);
    out->stood =
        out->survived && out->feet_m < STOOD_M && place_of(rehearsal).z > STOOD_SHARE * from.z;
    out->moved_m = sqrt(way.x * way.x + way.y * way.y);
}

static tr_push_trial_count count(const work *w) {
    tr_push_trial_count sum = {.trials = w->test->trials};
    for (int i = 0; i < sum.trials; i++) {
        const outcome *o = &w->outcome[i];
        sum.survived += o->survived;
        sum.back += o->back;
        sum.decisions += o->decisions;
        sum.jumps += o->jumps;
        sum.stood += o->stood;
        sum.moved_m += o->survived ? o->moved_m : 0;
        sum.feet_m += o->survived ? o->feet_m : 0;
    }
    /* Ways are means over those that survived. */
    if (sum.survived) {
        sum.moved_m /= sum.survived;
        sum.feet_m /= sum.survived;
    }
    return sum;
}

tr_status tr_push_trials_run(tr_ensemble *ensemble, const tr_controller *controller,
                             const tr_push_trials *test, tr_push_trial_count *out) {
    if (test->trials < 1 || test->trials > TR_PUSH_TRIAL_MAX || test->directions < 1 ||
        !(test->push_s >= 0) || !(test->settle_s >= 0) || !(test->after_s >= 0) ||
        !(test->force_n >= 0))
        return TR_INVALID_ARGUMENT;
    work w = {controller, test, calloc((size_t)test->trials, sizeof *w.outcome)};
    if (!w.outcome)
        return TR_RESOURCE_EXHAUSTED;
    tr_ensemble_share(ensemble, try_push, &w, test->trials,
                      (const tr_ranks_result[]){{w.outcome, sizeof *w.outcome}, {0}});
    *out = count(&w);
    free(w.outcome);
    return TR_OK;
}
