#include "learn/measure/lasting_test.h"

#include "learn/rehearsal/travel.h"

#include <math.h>
#include <stdlib.h>

static const double FROM_S = 2, SLOPE_NPS = 100;

typedef struct work {
    const tr_controller *controller;
    const tr_lasting_test *test;
    bool *held; /* [trials] */
} work;

static bool push_trunk(tr_rehearsal *rehearsal, tr_vec3 force) {
    const tr_rehearsal_push push = {fabs(force.x), force.x < 0 ? TR_PI : 0, 1};
    return force.x == 0 || !tr_rehearsal_shove(rehearsal, &push);
}

static void try_one(void *context, int item, tr_rehearsal *rehearsal) {
    work *w = context;
    double step_s = w->controller->step_s;
    int64_t steps = (int64_t)ceil(w->test->seconds / step_s);
    const tr_force_def def = {.kind = w->test->kind,
                              .low_n = -w->test->most_n,
                              .high_n = w->test->most_n,
                              .slope_nps = SLOPE_NPS,
                              .from_s = FROM_S,
                              .seed = tr_random_split(w->test->seed, 2, (uint64_t)item).state};
    tr_force_course course = tr_force_course_begin(&def);
    tr_trial trial;
    tr_state start = tr_trial_disturbed_start(w->controller, w->test->seed, item);
    start = tr_travel_along_x(&start, tr_travel_direction(w->controller));
    if (tr_trial_begin(&trial, w->controller, rehearsal, &start))
        return;
    while (!trial.lost && trial.steps < steps) {
        double time_s = (double)trial.steps * step_s;
        if (!push_trunk(rehearsal, tr_force_course_next(&course, time_s, step_s)))
            return;
        tr_trial_run(&trial, rehearsal, trial.steps + 1);
    }
    w->held[item] = !trial.lost;
}

tr_status tr_evaluate_lasting(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_lasting_test *test, int *out_held) {
    if (test->trials < 1 || !(test->seconds > 0))
        return TR_INVALID_ARGUMENT;
    work w = {controller, test, calloc((size_t)test->trials, sizeof *w.held)};
    if (!w.held)
        return TR_RESOURCE_EXHAUSTED;
    tr_ensemble_share(ensemble, try_one, &w, test->trials,
                      (const tr_ranks_result[]){{w.held, sizeof *w.held}, {0}});
    *out_held = 0;
    for (int i = 0; i < test->trials; i++)
        *out_held += w.held[i];
    free(w.held);
    return TR_OK;
}
