/* Continuation (Shum et al., section 3.2): the task value grows by steps. At each value the search
 * continues with the mean and the distribution of the value before, until the mean is optimal: it
 * survives its tests at a speed between the least and the greatest wanted.
 *
 * Trials do what a character does at run time: they begin without a force, which then grows. The force
 * that is felt drives the curve of all anchors found so far; the candidate is the curve's last anchor.
 * When a task value is not reached, the step is halved. */
#include "learn/gait/gait_tilt.h"
#include "learn/gait/gait_training.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the trainings of the shipped controllers used: controllers/log/2026-11-25-gaits.md. */
static const double SIGMA_LEAST = 0.15; /* least step size at a new task value */
static const double FORCE_STEP_LEAST_N =
    2; /* end a side when its step, which failures halve, falls below */
static const double WALK_MOST_MPS = 1.3;  /* greatest speed of an optimal gait */
static const double FORCE_SPAN_N = 60;    /* range of varying forces, below the present one */
static const double SPEED_STEP_MPS = 0.1; /* step from one speed to the next */

static const double SETTLE_S = 3;
static const double FIRST_SIGMA_SHARE = 0.67; /* of the base walk's step size */
enum { LEAST_SURVIVORS = 4, LEAST_TRIES = 2 };

/* What grows: the force along x in N with its sign, or the speed in m/s. */
typedef struct axis {
    const char *name, *unit;
    bool is_speed;
    double direction;
    size_t end; /* offset of the setting that it grows to */
} axis;

static double setting_of(const axis *a, const tr_gait_settings *settings) {
    return *(const double *)((const char *)settings + a->end);
}

static double end_of(const tr_gait_training *t, const axis *a) {
    double end = setting_of(a, &t->settings);
    return a->is_speed ? end : a->direction * end;
}

static bool is_wanted(const tr_gait_phase *phase, const tr_gait_settings *settings) {
    return setting_of(phase->detail, settings) > 0;
}

/* --- candidates --- */

static void value_of(const tr_gait_training *t, const double *x, double *out) {
    tr_gait_space space = tr_gait_space_of(false);
    memcpy(out, t->progress.origin, sizeof t->progress.origin);
    tr_gait_space_add(&space, x, 1, out);
    tr_gait_parameters_clamp(out);
}

/* Builds the curve so far with the candidate at its end. */
static tr_status build_on_curve(const void *context, const double *x, tr_gait **out) {
    const tr_gait_training *t = context;
    double value[TR_GAIT_SIZE];
    tr_gait_anchors *anchors = malloc(sizeof *anchors);
    if (!anchors)
        return TR_RESOURCE_EXHAUSTED;
    *anchors = t->anchors;
    value_of(t, x, value);
    tr_status status = tr_gait_anchors_put(anchors, t->progress.task, value);
    if (!status)
        status = tr_gait_training_curve_gait(t, anchors, out);
    free(anchors);
    return status;
}

static tr_status build_alone(const void *context, const double *x, tr_gait **out) {
    const tr_gait_training *t = context;
    double value[TR_GAIT_SIZE];
    value_of(t, x, value);
    return tr_gait_training_gait(t, value, out);
}

static double place_cost(const void *context, const double *x) {
    const tr_gait_training *t = context;
    tr_gait_space space = tr_gait_space_of(false);
    double value[TR_GAIT_SIZE];
    value_of(t, x, value);
    /* Shum et al., eqs. 5 and 8. */
    return TR_GAIT_WEIGHT_DIFFERENCE * space.size *
               tr_gait_space_distance(&space, value, t->progress.start) +
           TR_GAIT_WEIGHT_GAIN * tr_gait_gain_sum(value);
}

static tr_gait_problem problem_of(const tr_gait_training *t, const axis *a) {
    bool on_curve = !a->is_speed;
    return (tr_gait_problem){on_curve ? build_on_curve : build_alone, place_cost, t};
}

/* Sets the force in progress, or one that varies below it, as far down as there are anchors. */
static void set_force(const tr_gait_training *t, const axis *a, bool varies, tr_force_def *force) {
    double task = t->progress.task;
    const tr_gait_anchor *anchor = t->anchors.anchor;
    double known = a->direction > 0 ? anchor[0].task : anchor[t->anchors.count - 1].task;
    double less = a->direction * fmax(a->direction * task - FORCE_SPAN_N, a->direction * known);
    force->kind = varies ? TR_FORCE_VARYING : TR_FORCE_CONSTANT;
    force->low_n = varies ? fmin(less, task) : task;
    force->high_n = varies ? fmax(less, task) : task;
}

static tr_gait_exam exam_of(const tr_gait_training *t, const axis *a, bool test) {
    const tr_gait_amounts *m = &t->amounts;
    double task = t->progress.task, rise_s = a->is_speed ? 0 : fabs(task) / TR_GAIT_SLOPE_NPS;
    double wanted_mps = a->is_speed ? task : t->progress.base_mps;
    tr_gait_exam exam = {.count = test ? m->test_trials : m->force_trials, .races = true};
    exam.weights = tr_gait_training_weights(t, wanted_mps);
    if (a->is_speed)
        exam.weights.least_mps = 0;
    for (int i = 0; i < exam.count; i++) {
        double duration_s = test ? m->test_s : m->trial_s + fabs(task) / 100;
        tr_gait_trial_def *trial = &exam.trial[i];
        *trial = tr_gait_training_trial(t, duration_s, tr_gait_training_seed(t, test, i));
        if (!a->is_speed)
            set_force(t, a, i * m->force_trials / exam.count < m->force_varying, &trial->force);
        trial->force.kick_n = m->force_kick_n;
        /* Speed counts only after the force has risen. */
        trial->steady_s = SETTLE_S + rise_s;
    }
    return exam;
}

/* --- task values --- */

/* Moves the search along with the force, so that it begins near a gait that stands. */
static void move_task(tr_gait_training *t, const axis *a, double to) {
    tr_gait_progress *p = &t->progress;
    double tilted[TR_GAIT_SIZE];
    memcpy(tilted, p->start, sizeof tilted);
    if (!a->is_speed)
        tr_gait_tilt(t->model, t->settings.lean, to - p->task, tilted);
    for (int i = 0; i < TR_GAIT_SIZE; i++)
        p->origin[i] += tilted[i] - p->start[i];
    memcpy(p->start, tilted, sizeof p->start);
    p->task = to;
}

static tr_status begin(const tr_gait_phase *phase, tr_gait_training *t, tr_error *error) {
    const axis *a = phase->detail;
    const tr_gait_settings *s = &t->settings;
    tr_gait_progress *p = &t->progress;
    const tr_gait_anchor *base = tr_gait_anchors_find(&t->anchors, 0);
    if (!base)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: there is no base walk", a->name);
    if (a->is_speed && a->direction * (end_of(t, a) - p->base_mps) <= 0)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "%s: the curve of speeds ends at %g m/s, on the wrong side of the base "
                       "walk's %.2f",
                       a->name, end_of(t, a), p->base_mps);
    memcpy(p->origin, base->value, sizeof p->origin);
    memcpy(p->start, base->value, sizeof p->start);
    p->step = a->is_speed ? SPEED_STEP_MPS : s->force_step_n;
    double from = p->task = a->is_speed ? p->base_mps : 0;
    move_task(t, a, from + a->direction * fmin(p->step, a->direction * (end_of(t, a) - from)));
    /* Forgets what an earlier training found on this side. */
    double low = a->direction > 0 ? -(double)INFINITY : from;
    double high = a->direction > 0 ? from : (double)INFINITY;
    if (!a->is_speed)
        tr_gait_samples_cut(&t->samples, low, high);
    tr_status status = tr_gait_anchors_cut(a->is_speed ? &t->speeds : &t->anchors, low, high);
    if (!status && a->is_speed)
        status = tr_gait_anchors_put(&t->speeds, p->base_mps, base->value);
    if (!status)
        status = tr_gait_training_search(t, tr_gait_space_of(false).size, s->samples, TR_GAIT_BEST,
                                         FIRST_SIGMA_SHARE * t->amounts.sigma, error);
    return status;
}

/* Keeps, of the best quarter of a generation, those that survived every trial (section 3.5). */
static tr_status keep_samples(tr_gait_training *t, const axis *a, const tr_gait_exam *exam) {
    for (int i = 0; !a->is_speed && i < t->search.samples / 4; i++) {
        const tr_gait_candidate *candidate = &t->search.candidate[i];
        if (candidate->result.survived < exam->count)
            continue;
        tr_gait_sample sample = {.task = t->progress.task,
                                 .generation = (int32_t)t->progress.generation};
        value_of(t, candidate->x, sample.value);
        tr_status status = tr_gait_samples_add(&t->samples, &sample);
        if (status)
            return status;
    }
    return TR_OK;
}

static tr_status test(tr_gait_training *t, const axis *a, tr_gait_result *out) {
    tr_gait_exam exam = exam_of(t, a, true);
    tr_gait *gait = NULL;
    tr_gait_problem problem = problem_of(t, a);
    tr_status status = problem.build(t, t->search.cma.mean, &gait);
    if (!status)
        status = tr_gait_examine_all(gait, &exam, t->ensemble, out);
    tr_gait_destroy(gait);
    return status;
}

static bool is_optimal(const tr_gait_training *t, const axis *a, const tr_gait_result *result) {
    const tr_gait_amounts *m = &t->amounts;
    double near_mps = a->is_speed ? SPEED_STEP_MPS / 2 : 0;
    double least = a->is_speed ? t->progress.task - near_mps : m->walk_least_mps;
    double most = a->is_speed ? t->progress.task + near_mps : WALK_MOST_MPS;
    return result->survived >= m->test_least && result->speed_mps >= least &&
           result->speed_mps <= most;
}

/* Makes the mean an anchor, and begins the next task value; *out_done past the last. */
static tr_status go_on(tr_gait_training *t, const axis *a, bool *out_done) {
    tr_gait_progress *p = &t->progress;
    tr_gait_sample optimal = {.task = p->task, .generation = (int32_t)p->generation, .optimal = 1};
    value_of(t, t->search.cma.mean, optimal.value);
    tr_status status =
        tr_gait_anchors_put(a->is_speed ? &t->speeds : &t->anchors, p->task, optimal.value);
    if (!status && !a->is_speed)
        status = tr_gait_samples_add(&t->samples, &optimal);
    memcpy(p->start, optimal.value, sizeof p->start);
    double left = a->direction * (end_of(t, a) - p->task);
    *out_done = left < 1e-6;
    p->step = fmin(p->step, left); /* half of which go_back takes back */
    move_task(t, a, p->task + a->direction * p->step);
    p->tries = 0;
    /* A distribution that has shrunk would not find the gait at the next value. */
    t->search.cma.sigma = fmax(t->search.cma.sigma, SIGMA_LEAST);
    return status;
}

/* Halves the step when no gait was found; *out_done when it is too small. */
static void go_back(tr_gait_training *t, const axis *a, bool *out_done) {
    tr_gait_progress *p = &t->progress;
    double least = a->is_speed ? SPEED_STEP_MPS / 4 : FORCE_STEP_LEAST_N;
    move_task(t, a, p->task - a->direction * p->step / 2);
    p->step /= 2;
    p->tries = 0;
    *out_done = p->step < least;
}

static tr_status advance(const tr_gait_phase *phase, tr_gait_training *t, char *line,
                         size_t capacity, bool *out_done, tr_error *error) {
    const axis *a = phase->detail;
    tr_gait_progress *p = &t->progress;
    tr_gait_exam exam = exam_of(t, a, false);
    tr_gait_problem problem = problem_of(t, a);
    tr_gait_result result = {0};
    tr_status status = tr_gait_training_generation(t, &problem, &exam, error);
    if (!status)
        status = keep_samples(t, a, &exam);
    if (status)
        return status;
    p->tries++;
    /* The mean is tested once enough candidates survive. */
    int alive = 0;
    for (int i = 0; i < t->search.samples; i++)
        alive += t->search.candidate[i].result.survived == exam.count;
    if (alive >= LEAST_SURVIVORS && p->tries >= LEAST_TRIES)
        status = test(t, a, &result);
    if (status)
        return tr_fail_if(error, status, "%s %g %s", a->name, p->task, a->unit);
    double task = p->task;
    int tries = p->tries;
    if (is_optimal(t, a, &result)) {
        snprintf(line, capacity, "%s %g %s: optimal after %d generations, %.2f m/s, step size %.3f",
                 a->name, task, a->unit, tries, result.speed_mps, t->search.cma.sigma);
        return go_on(t, a, out_done);
    }
    if (tries >= t->amounts.force_generations) {
        go_back(t, a, out_done);
        snprintf(line, capacity, "%s %g %s: not found in %d generations; step %g %s", a->name, task,
                 a->unit, tries, p->step, a->unit);
    }
    return TR_OK;
}

static const axis front = {"front", "N", false, -1, offsetof(tr_gait_settings, front_n)};
const tr_gait_phase tr_gait_front_phase = {"front", &front, is_wanted, begin, advance};
static const axis back = {"back", "N", false, 1, offsetof(tr_gait_settings, back_n)};
const tr_gait_phase tr_gait_back_phase = {"back", &back, is_wanted, begin, advance};
static const axis slower = {"slower", "m/s", true, -1, offsetof(tr_gait_settings, slowest_mps)};
const tr_gait_phase tr_gait_slower_phase = {"slower", &slower, is_wanted, begin, advance};
static const axis faster = {"faster", "m/s", true, 1, offsetof(tr_gait_settings, fastest_mps)};
const tr_gait_phase tr_gait_faster_phase = {"faster", &faster, is_wanted, begin, advance};
