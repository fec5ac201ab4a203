/* The base walk: from the published gait to one that walks at the wanted speed, looks like the
 * clip, and survives short pushes and forces from the side. The wanted speed changes in small
 * steps, and the forces grow as the gait survives them. */
#include "learn/gait/gait_training.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the trainings of the shipped controllers used: controllers/log/2026-11-25-gaits.md. */
enum { BASE_RAMP = 25 };              /* generations until the base walk has its full speed */
static const double BASE_FIRST = 0.2; /* share of these forces at the beginning */

enum { TEST_EVERY = 10, TESTS = 9 };
static const double TRIAL_S = 10, FIRST_MPS = 0.4, LEAST_MPS = 0.3;

static bool is_wanted(const tr_gait_phase *phase, const tr_gait_settings *settings) {
    (void)phase;
    return settings->base_generations > 0;
}

static tr_status begin(const tr_gait_phase *phase, tr_gait_training *t, tr_error *error) {
    (void)phase;
    t->progress.share = BASE_FIRST;
    return tr_gait_training_search(t, tr_gait_space_of(true).size, t->settings.samples,
                                   TR_GAIT_BEST, t->amounts.sigma, error);
}

static void value_of(const tr_gait_training *t, const double *x, double *out) {
    tr_gait_space space = tr_gait_space_of(true);
    memcpy(out, t->progress.origin, sizeof t->progress.origin);
    tr_gait_space_add(&space, x, 1, out);
    tr_gait_parameters_clamp(out);
}

static tr_status build(const void *context, const double *x, tr_gait **out) {
    const tr_gait_training *t = context;
    double value[TR_GAIT_SIZE];
    value_of(t, x, value);
    return tr_gait_training_gait(t, value, out);
}

static double place_cost(const void *context, const double *x) {
    const tr_gait_training *t = context;
    double value[TR_GAIT_SIZE];
    value_of(t, x, value);
    return TR_GAIT_WEIGHT_GAIN * tr_gait_gain_sum(value);
}

/* Disturbs the trials in turn: one is undisturbed, to judge the style, one is kicked from all
 * sides, one has a force from the side. */
static void disturb(const tr_gait_training *t, int number, tr_gait_trial_def *trial) {
    const double kick_n = t->progress.share * t->amounts.base_kick_n,
                 side_n = t->progress.share * t->amounts.base_side_n;
    switch (number % 3) {
    case 0:
        trial->style = &t->style;
        break;
    case 1:
        trial->force.kick_n = kick_n;
        break;
    default:
        trial->force.side_low_n = -side_n;
        trial->force.side_high_n = side_n;
    }
}

/* last: every trial is undisturbed. */
static tr_gait_exam exam_of(const tr_gait_training *t, bool test, bool last, int trials) {
    double ramp = fmin(1, (double)t->progress.tries / BASE_RAMP);
    tr_gait_exam exam = {.count = trials, .races = !test};
    exam.weights =
        tr_gait_training_weights(t, FIRST_MPS + ramp * (t->settings.base_mps - FIRST_MPS));
    exam.weights.least_mps = LEAST_MPS;
    for (int i = 0; i < trials; i++) {
        exam.trial[i] = tr_gait_training_trial(t, TRIAL_S, tr_gait_training_seed(t, test, i));
        disturb(t, last ? 0 : i, &exam.trial[i]);
    }
    return exam;
}

/* Tests the mean of the distribution, which is the result after the last generation. The last test
 * is undisturbed. */
static tr_status test(tr_gait_training *t, bool last, double *out_value, tr_gait_result *out,
                      tr_error *error) {
    tr_gait *gait = NULL;
    tr_gait_exam exam = exam_of(t, true, last, TESTS);
    value_of(t, t->search.cma.mean, out_value);
    tr_status status = tr_gait_training_gait(t, out_value, &gait);
    if (!status)
        status = tr_gait_examine_all(gait, &exam, t->ensemble, out);
    tr_gait_destroy(gait);
    return tr_fail_if(error, status, "base walk");
}

static tr_status keep(tr_gait_training *t, const double *value, const tr_gait_result *result,
                      tr_error *error) {
    tr_gait_progress *p = &t->progress;
    if (result->survived < TESTS)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "base walk: %d of %d trials survived; raise base_generations or change "
                       "seed or base_mps",
                       result->survived, TESTS);
    memcpy(p->origin, value, sizeof p->origin);
    memcpy(p->start, value, sizeof p->start);
    p->base_mps = result->speed_mps;
    /* What was found from another base walk no longer holds. */
    t->anchors.count = t->speeds.count = t->samples.count = 0;
    tr_gait_sample optimal = {.generation = (int32_t)p->generation, .optimal = 1};
    memcpy(optimal.value, value, sizeof optimal.value);
    tr_status status = tr_gait_anchors_put(&t->anchors, 0, value);
    return status ? status : tr_gait_samples_add(&t->samples, &optimal);
}

static tr_status advance(const tr_gait_phase *phase, tr_gait_training *t, char *line,
                         size_t capacity, bool *out_done, tr_error *error) {
    (void)phase;
    tr_gait_progress *p = &t->progress;
    tr_gait_exam exam = exam_of(t, false, false, t->amounts.base_trials);
    const tr_gait_problem problem = {build, place_cost, t};
    tr_status status = tr_gait_training_generation(t, &problem, &exam, error);
    if (status)
        return status;
    tr_gait_training_adapt_share(t, exam.count);
    p->tries++;
    *out_done = p->tries >= t->settings.base_generations;
    /* Now and then, and at the end, it is tested. */
    if (p->tries % TEST_EVERY != 0 && !*out_done)
        return TR_OK;
    double value[TR_GAIT_SIZE];
    tr_gait_result result;
    status = test(t, *out_done, value, &result, error);
    if (status)
        return status;
    snprintf(
        line, capacity,
        "base %4d: %.0f %% of the forces; cost %6.2f, %d of %d walk, %.2f m/s, %.3f rad off the "
        "clip, step size %.3f",
        p->tries, 100 * p->share, t->search.candidate[0].cost, result.survived, TESTS,
        result.speed_mps, result.style_rad, t->search.cma.sigma);
    return *out_done ? keep(t, value, &result, error) : TR_OK;
}

const tr_gait_phase tr_gait_base_phase = {"base", NULL, is_wanted, begin, advance};
