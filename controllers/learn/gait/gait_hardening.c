/* Hardening moves the whole curve, so that it copes with forces that vary, begin suddenly or push from
 * the side, and with short pushes; gaits trained at constant forces fall when such forces act.
 *
 * The search is over three shifts of all parameters: a everywhere, b for each 100 N from the front, c
 * for each 100 N from behind. The forces begin as a share of the wanted ones and grow as the gait
 * survives them. The mean of the distribution that does best in a test with other seeds is kept. */
#include "learn/gait/gait_tilt.h"
#include "learn/gait/gait_training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the trainings of the shipped controllers used: controllers/log/2026-11-25-gaits.md. */
static const double HARDEN_KEEP_BACK_N = 2000; /* discard the curve at greater forces from behind */
static const double HARDEN_STYLE = 150;        /* weight of the style in an unpushed trial */
static const double HARDEN_FRONT_N = 200;      /* largest force from the front */
static const double HARDEN_BACK_N = 200;       /* largest force from behind */
static const double HARDEN_STEP_N = 130;       /* largest sudden force, from front or behind */
static const double HARDEN_SIDE_N = 60;        /* largest force from either side */
static const double HARDEN_PUSH_N = 120;       /* largest push, from any direction */
static const double HARDEN_FIRST = 0.3;        /* share of the forces at the beginning */
static const double HARDEN_SPACING_N = 100;    /* distance of the anchors kept */
static const double HAUL_MPS = 0.6;            /* speed wanted of the box */

enum { TEST_EVERY = 5 };
static const double PUSH_S = 0.2;
static const double RECOVERY_S = 5; /* watched after a push */
static const double WALK_S = 10;

static bool is_wanted(const tr_gait_phase *phase, const tr_gait_settings *settings) {
    (void)phase;
    return settings->harden_generations > 0;
}

/* Three shifts of all parameters. */
static int search_size(void) {
    return 3 * tr_gait_space_of(true).size;
}

/* Where the curve ends before the wanted forces it continues, tilted, to be bent from there. */
static tr_status put_end(const tr_gait_training *t, const tr_gait_anchor *end, double task_n,
                         tr_gait_anchors *anchors) {
    double value[TR_GAIT_SIZE];
    memcpy(value, end->value, sizeof value);
    tr_gait_tilt(t->model, t->settings.lean, task_n - end->task, value);
    return tr_gait_anchors_put(anchors, task_n, value);
}

static tr_status extend(const tr_gait_training *t, tr_gait_anchors *anchors) {
    double low_n = -HARDEN_FRONT_N, high_n = HARDEN_BACK_N;
    const tr_gait_anchor first = anchors->anchor[0], last = anchors->anchor[anchors->count - 1];
    tr_status status = TR_OK;
    if (low_n < first.task)
        status = put_end(t, &first, low_n, anchors);
    if (!status && high_n > last.task)
        status = put_end(t, &last, high_n, anchors);
    return status;
}

/* Keeps the ends and the anchors at multiples of the spacing: a curve that passes through fewer gaits
 * bends less, and a gait on it survives varying forces more often. */
static void thin_out(tr_gait_anchors *anchors) {
    int kept = 0;
    for (int i = 0; i < anchors->count; i++) {
        double task = anchors->anchor[i].task;
        bool is_end = i == 0 || i == anchors->count - 1;
        if (is_end || fabs(remainder(task, HARDEN_SPACING_N)) < 1e-6)
            anchors->anchor[kept++] = anchors->anchor[i];
    }
    anchors->count = kept;
}

static tr_status prepare(tr_gait_training *t) {
    const tr_gait_settings *s = &t->settings;
    for (int i = 0; i < t->anchors.count; i++)
        tr_gait_training_set_arms(s, t->anchors.anchor[i].value);
    /* Cut the curve, thin it out, and lead it on to the wanted forces. */
    tr_status status =
        tr_gait_anchors_cut(&t->anchors, -s->harden_keep_front_n, HARDEN_KEEP_BACK_N);
    if (status || t->anchors.count == 0)
        return status ? status : TR_FAILED_PRECONDITION;
    thin_out(&t->anchors);
    return extend(t, &t->anchors);
}

static tr_status begin(const tr_gait_phase *phase, tr_gait_training *t, tr_error *error) {
    const tr_gait_settings *s = &t->settings;
    (void)phase;
    if (t->anchors.count == 0)
        return tr_fail(error, TR_FAILED_PRECONDITION, "harden: there is no curve");
    tr_status status = prepare(t);
    if (status)
        return tr_fail(error, status,
                       "harden: the curve has no anchor that is kept, or no room for its ends");
    t->progress.best_score = (double)INFINITY;
    t->progress.share = HARDEN_FIRST;
    return tr_gait_training_search(t, search_size(), s->harden_samples, s->harden_best,
                                   s->harden_sigma, error);
}

/* --- candidates --- */

static void move_anchors(const double *x, tr_gait_anchors *anchors) {
    tr_gait_space space = tr_gait_space_of(true);
    for (int i = 0; i < anchors->count; i++) {
        tr_gait_anchor *anchor = &anchors->anchor[i];
        /* The shift a everywhere, b by the force from the front, c by that from behind. */
        double hundreds = anchor->task / 100;
        tr_gait_space_add(&space, x, 1, anchor->value);
        if (hundreds < 0)
            tr_gait_space_add(&space, x + space.size, -hundreds, anchor->value);
        if (hundreds > 0)
            tr_gait_space_add(&space, x + 2 * space.size, hundreds, anchor->value);
        tr_gait_parameters_clamp(anchor->value);
    }
}

static tr_status build(const void *context, const double *x, tr_gait **out) {
    const tr_gait_training *t = context;
    tr_gait_anchors *anchors = malloc(sizeof *anchors);
    if (!anchors)
        return TR_RESOURCE_EXHAUSTED;
    *anchors = t->anchors;
    move_anchors(x, anchors);
    tr_status status = tr_gait_training_curve_gait(t, anchors, out);
    free(anchors);
    return status;
}

static double place_cost(const void *context, const double *x) {
    double sum = 0;
    (void)context;
    for (int i = 0; i < search_size(); i++)
        sum += fabs(x[i]);
    return TR_GAIT_WEIGHT_DIFFERENCE / 3 * sum;
}

/* --- trials --- */

/* The kinds with their numbers of trials; forces are shares of the wanted ones. */
typedef struct mix {
    const tr_gait_training *t;
    tr_gait_exam *exam;
    bool test;
    double share;
} mix;

static tr_gait_trial_def *add_trial(mix *m, tr_force_kind kind) {
    int number = m->exam->count++;
    tr_gait_trial_def *trial = &m->exam->trial[number];
    uint64_t seed = tr_gait_training_seed(m->t, m->test, number);
    const tr_gait_amounts *amounts = &m->t->amounts;
    *trial = tr_gait_training_trial(m->t, m->test ? amounts->test_s : amounts->harden_s, seed);
    trial->force.kind = kind;
    return trial;
}

/* Sets a force from the front and from behind in turn, so that both count in every generation. */
static void along(const mix *m, tr_gait_trial_def *trial, int number, double front_n,
                  double back_n) {
    /* Every third varying force changes its sign. */
    bool both = trial->force.kind == TR_FORCE_VARYING && number % 3 == 2;
    int side = (number + (int)(m->t->progress.generation % 2)) % 2;
    trial->force.low_n = both || side == 0 ? -m->share * front_n : 0;
    trial->force.high_n = both || side == 1 ? m->share * back_n : 0;
}

static void add_lasting(mix *m, int times) {
    const tr_gait_settings *s = &m->t->settings;
    for (int i = 0; i < TR_GAIT_HARDEN_CONSTANT * times; i++) {
        tr_gait_trial_def *trial = add_trial(m, TR_FORCE_CONSTANT);
        along(m, trial, i, HARDEN_FRONT_N, HARDEN_BACK_N);
    }
    for (int i = 0; i < s->harden_varying * times; i++) {
        tr_gait_trial_def *trial = add_trial(m, TR_FORCE_VARYING);
        along(m, trial, i, HARDEN_FRONT_N, HARDEN_BACK_N);
    }
}

static void add_sided(mix *m, int times) {
    const tr_gait_settings *s = &m->t->settings;
    for (int i = 0; i < s->harden_sided * times; i++) {
        tr_gait_trial_def *trial = add_trial(m, i % 2 ? TR_FORCE_VARYING : TR_FORCE_CONSTANT);
        trial->force.side_low_n = -m->share * HARDEN_SIDE_N;
        trial->force.side_high_n = m->share * HARDEN_SIDE_N;
    }
}

static void add_stepped(mix *m, int times) {
    const tr_gait_settings *s = &m->t->settings;
    for (int i = 0; i < s->harden_stepped * times; i++) {
        tr_gait_trial_def *trial = add_trial(m, TR_FORCE_STEP);
        along(m, trial, i, HARDEN_STEP_N, HARDEN_STEP_N);
        trial->force.from_s = 3;
    }
}

/* Adds pushes of full size from anywhere, at any phase. */
static void add_pushes(mix *m, int times) {
    const tr_gait_settings *s = &m->t->settings;
    for (int i = 0; i < s->harden_pushed * times; i++) {
        tr_gait_trial_def *trial = add_trial(m, TR_FORCE_PUSH);
        tr_random random = tr_random_split(trial->seed, 4, 0);
        double from_rad = 2 * TR_PI * tr_random_uniform(&random);
        double size_n = m->share * HARDEN_PUSH_N;
        trial->force.low_n = trial->force.high_n = size_n * tr_cos(from_rad);
        trial->force.side_low_n = trial->force.side_high_n = size_n * tr_sin(from_rad);
        trial->force.push_s = PUSH_S;
        trial->force.from_s = 4 + tr_random_uniform(&random);
        trial->duration_s = trial->force.from_s + RECOVERY_S;
    }
}

/* Adds hauls by several copies of the character side by side; the box is judged, so that turning it
 * gains nothing. */
static void add_hauls(mix *m, int times) {
    const tr_gait_settings *s = &m->t->settings;
    for (int i = 0; i < s->harden_hauled * times; i++) {
        tr_gait_trial_def *trial = add_trial(m, TR_FORCE_CONSTANT);
        trial->hauls = true;
        trial->duration_s = (m->test ? 2 : 1) * m->t->amounts.haul_s;
        trial->speed_mps = HAUL_MPS;
    }
}

static void fill_exam(const tr_gait_training *t, bool test, int times, tr_gait_exam *out) {
    mix m = {t, out, test, test ? 1 : t->progress.share};
    double wanted_mps = t->progress.base_mps;
    memset(out, 0, sizeof *out);
    out->weights = tr_gait_training_weights(t, wanted_mps);
    out->weights.style = HARDEN_STYLE;
    out->weights.variance = 0;
    add_lasting(&m, times);
    add_stepped(&m, times);
    add_sided(&m, times);
    add_pushes(&m, times);
    /* Adds an undisturbed trial, which keeps the look of the base walk. */
    tr_gait_trial_def *trial = add_trial(&m, TR_FORCE_CONSTANT);
    trial->style = &m.t->style;
    trial->duration_s = WALK_S;
    add_hauls(&m, times);
}

/* --- generations --- */

static tr_status test(tr_gait_training *t, tr_gait_result *out) {
    tr_gait_exam *exam = malloc(sizeof *exam);
    tr_gait *gait = NULL;
    if (!exam)
        return TR_RESOURCE_EXHAUSTED;
    fill_exam(t, true, t->settings.harden_test_trials, exam);
    tr_status status = build(t, t->search.cma.mean, &gait);
    if (!status)
        status = tr_gait_examine_all(gait, exam, t->ensemble, out);
    tr_gait_destroy(gait);
    free(exam);
    return status;
}

void tr_gait_hardening_best(const tr_gait_training *t, tr_gait_anchors *anchors) {
    if (isfinite(t->progress.best_score))
        move_anchors(t->progress.best_x, anchors);
}

static tr_status advance(const tr_gait_phase *phase, tr_gait_training *t, char *line,
                         size_t capacity, bool *out_done, tr_error *error) {
    tr_gait_progress *p = &t->progress;
    tr_gait_exam *exam = malloc(sizeof *exam);
    if (!exam)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", phase->name);
    fill_exam(t, false, 1, exam);
    const tr_gait_problem problem = {build, place_cost, t};
    tr_status status = tr_gait_training_generation(t, &problem, exam, error);
    int trials = exam->count;
    free(exam);
    if (status)
        return status;
    tr_gait_training_adapt_share(t, trials);
    p->tries++;
    *out_done = p->tries >= t->settings.harden_generations;
    /* A test takes long: not after every generation. */
    if (p->tries % TEST_EVERY != 0 && !*out_done)
        return TR_OK;
    tr_gait_result result;
    status = test(t, &result);
    if (status)
        return tr_fail_if(error, status, "%s", phase->name);
    /* Generations are noisy: the mean that does best in a test is kept, not the last. */
    bool better = result.cost < p->best_score;
    if (better) {
        p->best_score = result.cost;
        memcpy(p->best_x, t->search.cma.mean, (size_t)t->search.cma.size * sizeof(double));
    }
    snprintf(line, capacity,
             "harden %3d: %.0f %% of the forces; in full: cost %6.2f, %d of %d survive, %.2f m/s, "
             "step size %.3f%s",
             p->tries, 100 * p->share, result.cost, result.survived, result.made, result.speed_mps,
             t->search.cma.sigma, better ? " *" : "");
    if (*out_done)
        tr_gait_hardening_best(t, &t->anchors);
    return TR_OK;
}

const tr_gait_phase tr_gait_harden_phase = {"harden", NULL, is_wanted, begin, advance};
