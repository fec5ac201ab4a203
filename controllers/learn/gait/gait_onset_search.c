/* The searches for the onset (control/gait/gait_onset.h): how a trained gait answers forces from
 * the front while they begin. They do not change the curve.
 *
 * Sudden forces begin at moments spread evenly over a cycle, because a walker survives much larger ones
 * in some phases of its step than in others (the log of gaits, "When a force begins"); short pushes come from
 * all sides. The search moves few parameters, with a diagonal covariance, because a search over all of
 * them learned nothing. All tests have the same trials; the onset that does best in them is kept.
 *
 * The second search begins with the result of the first, and changes the answer to forces that begin
 * around the strike of a foot; the forces of all its trials begin there. A force whose difference passes
 * TR_GAIT_ONSET_N in mid-step is answered as before, to the bit. */
#include "learn/gait/gait_training_state.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* What the trainings of the shipped controllers used: controllers/log/2026-11-25-gaits.md. */
static const double ONSET_SIGMA = 1.5; /* first step size, in scales */

enum { TEST_EVERY = 3, TEST_TIMES = 2, DIRECTIONS = 8 };
static const uint64_t TEST_NUMBER = 1000003;
static const double STEP_LEAST = 0.67, PUSH_LEAST = 0.8; /* of the largest */
static const double FROM_S = 2.5, CYCLE_S = 0.72, STEP_TRIAL_S = 7, PUSH_S = 0.2, RECOVERY_S = 4;
static const double PLACE_COST = 0.01; /* of a shift by one scale */

static const double LATE_FROM = 1.1, LATE_TO = 1.6; /* phases of the step; most end before 1.6 */
static const double LATE_FROM_S = 1.5, LATE_TRIAL_S = 5.5;
static const double LATE_SIGMA_SHARE = 0.67;

/* One of the two searches. */
typedef struct side {
    const char *name;
    bool is_late;
    size_t generations; /* offset of the setting */
} side;

static int generations_of(const side *which, const tr_gait_settings *settings) {
    return *(const int *)((const char *)settings + which->generations);
}

static bool is_wanted(const tr_gait_phase *phase, const tr_gait_settings *settings) {
    return generations_of(phase->detail, settings) > 0;
}

static tr_gait_space space_of(const side *which) {
    return which->is_late ? tr_gait_space_of_late_onset() : tr_gait_space_of_onset();
}

static tr_status begin(const tr_gait_phase *phase, tr_gait_training *t, tr_error *error) {
    const tr_gait_settings *s = &t->settings;
    const side *which = phase->detail;
    double sigma = ONSET_SIGMA * (which->is_late ? LATE_SIGMA_SHARE : 1);
    if (t->anchors.count == 0)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: there is no curve", phase->name);
    t->progress.best_score = (double)INFINITY;
    /* The second search begins at what the first one found. */
    if (which->is_late)
        memcpy(t->progress.origin, t->onset.shift[TR_GAIT_ONSET_STRIKE], sizeof t->progress.origin);
    return tr_gait_training_search(t, space_of(which).size, s->samples, s->best, sigma, error);
}

/* --- candidates --- */

typedef struct onset_search {
    const tr_gait_training *t;
    const side *which;
} onset_search;

static tr_gait_onset onset_of(const onset_search *s, const double *x) {
    tr_gait_space space = space_of(s->which);
    tr_gait_onset onset = {0};
    if (s->which->is_late) {
        onset = s->t->onset;
        double *shift = onset.shift[TR_GAIT_ONSET_STRIKE];
        memcpy(shift, s->t->progress.origin, sizeof s->t->progress.origin);
        tr_gait_space_add(&space, x, 1, shift);
        return onset;
    }
    /* The first search answers in mid-step and at a strike alike. */
    for (int k = 0; k < TR_GAIT_ONSET_ROWS; k++)
        tr_gait_space_add(&space, x, 1, onset.shift[k]);
    return onset;
}

static tr_status build(const void *context, const double *x, tr_gait **out) {
    const onset_search *s = context;
    const tr_gait_onset onset = onset_of(s, x);
    return tr_gait_training_curve_gait(s->t, &s->t->anchors, &onset, out);
}

static double place_cost(const void *context, const double *x) {
    const onset_search *s = context;
    double sum = 0;
    for (int i = 0; i < space_of(s->which).size; i++)
        sum += fabs(x[i]);
    return PLACE_COST * sum;
}

/* --- trials --- */

static double draw(tr_random *random, double low, double high) {
    return low + (high - low) * tr_random_uniform(random);
}

/* Begins the force of trial `number` of `count` in that part of the cycle. */
static void begin_suddenly(const tr_gait_settings *s, int number, int count,
                           tr_gait_trial_def *trial) {
    tr_random random = tr_random_split(trial->seed, 5, 0);
    tr_force_def *force = &trial->force;
    force->kind = TR_FORCE_STEP;
    force->low_n = force->high_n = -draw(&random, STEP_LEAST, 1) * s->onset_n;
    force->from_s = FROM_S + CYCLE_S * (number + tr_random_uniform(&random)) / count;
    trial->duration_s = STEP_TRIAL_S;
}

static void push(const tr_gait_settings *s, int number, tr_gait_trial_def *trial) {
    tr_random random = tr_random_split(trial->seed, 4, 0);
    tr_force_def *force = &trial->force;
    double from_rad = 2 * TR_PI * (number % DIRECTIONS) / DIRECTIONS;
    double size_n = draw(&random, PUSH_LEAST, 1) * s->onset_push_n;
    force->kind = TR_FORCE_PUSH;
    force->low_n = force->high_n = size_n * tr_cos(from_rad);
    force->side_low_n = force->side_high_n = size_n * tr_sin(from_rad);
    force->from_s = FROM_S + CYCLE_S * tr_random_uniform(&random);
    force->push_s = PUSH_S;
    trial->duration_s = force->from_s + RECOVERY_S;
}

/* Begins the force around the strike of either foot, alternately before and after it. The walk may
 * not be steady yet. */
static void begin_late(int number, int count, tr_gait_trial_def *trial) {
    tr_random random = tr_random_split(trial->seed, 7, 0);
    double share = (number + tr_random_uniform(&random)) / count;
    bool is_before = number % 2 == 0;
    trial->from_phase =
        is_before ? LATE_FROM + (LATE_TO - LATE_FROM) * share : TR_GAIT_STRUCK_SHARE * share;
    trial->force.from_s = draw(&random, LATE_FROM_S, FROM_S + CYCLE_S / 2);
    trial->duration_s = fmin(trial->duration_s, LATE_TRIAL_S);
}

/* The cost counts only falls. */
static tr_gait_exam exam_of(const onset_search *search, bool test) {
    const tr_gait_training *t = search->t;
    const tr_gait_settings *s = &t->settings;
    int times = test ? TEST_TIMES : 1;
    int steps = times * s->onset_stepped, pushes = times * s->onset_pushed;
    tr_gait_exam exam = {
        .weights = {.survival = TR_GAIT_WEIGHT_SURVIVAL, .fall = TR_GAIT_WEIGHT_FALL},
        .count = steps + pushes};
    for (int i = 0; i < exam.count; i++) {
        /* Tests have the same seeds in every generation. */
        uint64_t seed = test ? tr_random_split(s->seed, TEST_NUMBER, (uint64_t)i).state
                             : tr_gait_training_seed(t, false, i);
        exam.trial[i] = tr_gait_training_trial(t, 0, seed);
        if (i < steps)
            begin_suddenly(s, i, steps, &exam.trial[i]);
        else
            push(s, i - steps, &exam.trial[i]);
        if (search->which->is_late)
            begin_late(i < steps ? i : i - steps, i < steps ? steps : pushes, &exam.trial[i]);
    }
    return exam;
}

/* --- generations --- */

/* Keeps the onset of x if it does better than the best before. */
static tr_status test(tr_gait_training *t, const side *which, const double *x,
                      tr_gait_result *out) {
    const onset_search search = {t, which};
    const tr_gait_exam exam = exam_of(&search, true);
    tr_gait *gait = NULL;
    tr_status status = build(&search, x, &gait);
    if (!status)
        status = tr_gait_examine_all(gait, &exam, t->ensemble, out);
    tr_gait_destroy(gait);
    if (status || out->cost >= t->progress.best_score)
        return status;
    t->progress.best_score = out->cost;
    t->onset = onset_of(&search, x);
    return TR_OK;
}

static tr_status advance(const tr_gait_phase *phase, tr_gait_training *t, char *line,
                         size_t capacity, bool *out_done, tr_error *error) {
    tr_gait_progress *p = &t->progress;
    const side *which = phase->detail;
    const onset_search search = {t, which};
    const tr_gait_exam exam = exam_of(&search, false);
    const tr_gait_problem problem = {build, place_cost, &search};
    tr_gait_result result = {0};
    t->search.cma.separable = true;
    tr_status status = TR_OK;
    if (p->tries == 0) /* the mean is zero: the gait as it was, to be beaten */
        status = test(t, which, t->search.cma.mean, &result);
    if (!status)
        status = tr_gait_training_generation(t, &problem, &exam, error);
    if (status)
        return status;
    p->tries++;
    *out_done = p->tries >= generations_of(which, &t->settings);
    const bool due = p->tries % TEST_EVERY == 0 || *out_done;
    if (!due && p->tries > 1)
        return TR_OK;
    if (due)
        status = test(t, which, t->search.cma.mean, &result);
    if (status)
        return tr_fail(error, status, "%s: %s", phase->name, tr_status_text(status));
    snprintf(line, capacity, "%s %3d: cost %6.2f, %d of %d survive, step size %.3f%s", which->name,
             p->tries, result.cost, result.survived, result.made, t->search.cma.sigma,
             result.cost == p->best_score ? " *" : "");
    return TR_OK;
}

static const side any = {"onset", false, offsetof(tr_gait_settings, onset_generations)};
const tr_gait_phase tr_gait_onset_phase = {"onset", &any, is_wanted, begin, advance};
static const side late = {"late", true, offsetof(tr_gait_settings, late_generations)};
const tr_gait_phase tr_gait_late_phase = {"late", &late, is_wanted, begin, advance};
