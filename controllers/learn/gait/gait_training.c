#include "learn/gait/gait_training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the trainings of the shipped controllers used: controllers/log/2026-11-25-gaits.md. */
static const double WEIGHT_VARIANCE = 20; /* eq. 6: variance of that share */
static const double WEIGHT_SPEED = 10;    /* eq. 7: speed off the wanted one, m/s */
static const double WEIGHT_SLOW = 30;     /* speed below the least, m/s */
static const double WEIGHT_DRIFT = 10;    /* eq. 7: sideways speed, m/s */
static const double WEIGHT_HEADING = 3;   /* eq. 7: heading off, rad */
static const double WEIGHT_EFFORT = 1e-4; /* mean sum of squared torques, (N m)^2 */
static const double WEIGHT_STYLE = 100;   /* eq. 7: angle to the clip, rad */
static const double ARM_OUT = 0.1;        /* shoulders outwards, rad */

static const double CURVE_SPACING_N = 5, SPEED_SPACING_MPS = 0.05;
static const uint64_t TEST_SEEDS = 1000000007;
static const double SHARE_STEP = 0.03, SHARE_LEAST = 0.1;
static const double SHARE_GROWS_AT = 0.75, SHARE_SHRINKS_AT = 0.6;
enum { SEEDS_PER_GENERATION = 1000 };

static const tr_gait_phase *const phases[TR_GAIT_PHASES] = {
    &tr_gait_base_phase,   &tr_gait_front_phase,  &tr_gait_back_phase,
    &tr_gait_slower_phase, &tr_gait_faster_phase, &tr_gait_harden_phase,
};
enum { PHASE_COUNT = TR_GAIT_PHASES };

/* --- shared by the phases --- */

tr_status tr_gait_training_search(tr_gait_training *t, int size, int samples, int best,
                                  double sigma, tr_error *error) {
    tr_gait_search_deinit(&t->search);
    return tr_fail_if(error, tr_gait_search_init(&t->search, size, samples, best, sigma), "search");
}

tr_gait_weights tr_gait_training_weights(const tr_gait_training *t, double wanted_mps) {
    return (tr_gait_weights){.survival = TR_GAIT_WEIGHT_SURVIVAL,
                             .fall = TR_GAIT_WEIGHT_FALL,
                             .variance = WEIGHT_VARIANCE,
                             .speed = WEIGHT_SPEED,
                             .slow = WEIGHT_SLOW,
                             .drift = WEIGHT_DRIFT,
                             .heading = WEIGHT_HEADING,
                             .effort = WEIGHT_EFFORT,
                             .style = WEIGHT_STYLE,
                             .wanted_mps = wanted_mps,
                             .least_mps = t->amounts.walk_least_mps + 0.1};
}

tr_gait_trial_def tr_gait_training_trial(const tr_gait_training *t, double duration_s,
                                         uint64_t seed) {
    return (tr_gait_trial_def){.force = {.slope_nps = TR_GAIT_SLOPE_NPS, .from_s = 1, .seed = seed},
                               .noise = t->amounts.noise,
                               .duration_s = duration_s,
                               .steady_s = 3,
                               .seed = seed};
}

uint64_t tr_gait_training_seed(const tr_gait_training *t, bool test, int trial) {
    /* Every trial has a seed of its own, and tests share none with the search. */
    uint64_t number = (uint64_t)t->progress.generation * SEEDS_PER_GENERATION + (uint64_t)trial;
    return tr_random_split(t->settings.seed, number, test ? TEST_SEEDS : 0).state;
}

tr_status tr_gait_training_generation(tr_gait_training *t, const tr_gait_problem *problem,
                                      const tr_gait_exam *exam, tr_error *error) {
    tr_status status = tr_gait_search_advance(&t->search, problem, exam, t->ensemble,
                                              t->settings.seed, (int)t->progress.generation);
    return tr_fail_if(error, status, "generation %lld of phase %s",
                      (long long)t->progress.generation, phases[t->progress.phase]->name);
}

void tr_gait_training_set_arms(const tr_gait_settings *s, double *value) {
    value[TR_GAIT_ARM] = s->arm;
    value[TR_GAIT_ARM_OUT] = ARM_OUT;
    value[TR_GAIT_ARM_SWING] = s->arm_swing;
    value[TR_GAIT_ELBOW] = s->elbow;
    value[TR_GAIT_LOG_KP_ARM] = tr_log(s->kp_arm);
}

void tr_gait_training_adapt_share(tr_gait_training *t, int trials) {
    double survived = 0;
    for (int i = 0; i < t->search.samples; i++)
        survived += (double)t->search.candidate[i].result.survived / trials / t->search.samples;
    /* Between the two limits the share stays. */
    double by = survived >= SHARE_GROWS_AT    ? SHARE_STEP
                : survived < SHARE_SHRINKS_AT ? -SHARE_STEP
                                              : 0;
    t->progress.share = fmin(fmax(t->progress.share + by, SHARE_LEAST), 1);
}

tr_status tr_gait_training_gait(const tr_gait_training *t, const double *value, tr_gait **out) {
    /* A curve of one row is the same gait at any force. */
    double row[1][TR_GAIT_SIZE];
    memcpy(row[0], value, sizeof row[0]);
    const tr_gait_curve curve = {0, 0, 1, row};
    const tr_gait_def def = {
        .force = &curve, .own_mps = t->settings.base_mps, .felt_lag_s = t->settings.felt_lag_s};
    return tr_gait_create(t->model, &def, out, NULL);
}

tr_status tr_gait_training_curve_gait(const tr_gait_training *t, const tr_gait_anchors *anchors,
                                      tr_gait **out) {
    tr_gait_curve curve;
    tr_status status = tr_gait_anchors_bake(anchors, CURVE_SPACING_N, &curve);
    if (status)
        return status;
    const tr_gait_def def = {
        .force = &curve, .own_mps = t->settings.base_mps, .felt_lag_s = t->settings.felt_lag_s};
    status = tr_gait_create(t->model, &def, out, NULL);
    tr_gait_curve_deinit(&curve);
    return status;
}

/* --- making --- */

static tr_status prepare(tr_gait_training *t, const tr_method_def *def, tr_error *error) {
    tr_gait_body body;
    const tr_ensemble_def worlds = {
        def->model, def->model->gain_set[0].name, TR_LEARN_STEP_S, def->threads, NULL, 0};
    tr_status status = tr_gait_settings_check(&t->settings, error);
    if (!status)
        status = tr_gait_body_find(def->model, &body, error);
    if (!status)
        status = tr_gait_style_read(def->model, def->given[0].motion, &t->style, error);
    if (status)
        return status;
    status = tr_ensemble_create(&worlds, &t->ensemble);
    return tr_fail_if(error, status, "worlds");
}

tr_status tr_gait_training_create(const tr_method_def *def, tr_gait_training **out,
                                  tr_error *error) {
    tr_gait_training *t = calloc(1, sizeof *t);
    if (!t)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for a training");
    t->model = def->model;
    t->settings = *(const tr_gait_settings *)def->settings;
    t->amounts = tr_gait_amounts_usual();
    tr_gait_parameters_published(t->progress.origin);
    tr_gait_training_set_arms(&t->settings, t->progress.origin);
    t->progress.base_mps = t->settings.base_mps;
    tr_status status = prepare(t, def, error);
    return TR_GIVE(status, t, tr_gait_training_destroy, out);
}

void tr_gait_training_destroy(void *given) {
    tr_gait_training *training = given;
    if (!training)
        return;
    tr_controller_destroy(training->made);
    tr_gait_search_deinit(&training->search);
    tr_gait_samples_deinit(&training->samples);
    tr_ensemble_destroy(training->ensemble);
    free(training);
}

/* --- advancing --- */

static bool is_wanted(const tr_gait_training *t, int phase) {
    return phases[phase]->is_wanted(phases[phase], &t->settings);
}

static void skip_unwanted(tr_gait_training *t) {
    while (t->progress.phase < PHASE_COUNT && !t->progress.begun &&
           !is_wanted(t, t->progress.phase))
        t->progress.phase++;
}

bool tr_gait_training_is_done(const void *given) {
    const tr_gait_training *training = given;
    int phase = training->progress.phase;
    if (training->progress.begun)
        return false;
    while (phase < PHASE_COUNT && !is_wanted(training, phase))
        phase++;
    return phase == PHASE_COUNT;
}

tr_status tr_gait_training_advance(tr_gait_training *training, char *line, size_t capacity,
                                   tr_error *error) {
    tr_gait_progress *p = &training->progress;
    bool done = false;
    line[0] = '\0';
    /* Phases without generations are passed over. */
    skip_unwanted(training);
    if (p->phase == PHASE_COUNT)
        return TR_OK;
    const tr_gait_phase *phase = phases[p->phase];
    tr_status status = TR_OK;
    if (!p->begun) {
        p->tries = 0;
        status = phase->begin(phase, training, error);
        p->begun = !status;
    }
    if (!status)
        status = phase->advance(phase, training, line, capacity, &done, error);
    if (status)
        return status;
    p->generation++;
    /* The next phase begins with the next call. */
    if (done) {
        p->phase++;
        p->begun = 0;
    }
    return TR_OK;
}

/* Is hardening in progress? */
static bool tr_gait_training_hardens(const tr_gait_training *t) {
    return t->progress.begun && phases[t->progress.phase] == &tr_gait_harden_phase;
}

tr_status tr_gait_training_restart_at(tr_gait_training *training, const char *name,
                                      tr_error *error) {
    /* A hardening in progress leaves what it has found in the anchors. */
    for (int i = 0; i < PHASE_COUNT; i++)
        if (strcmp(phases[i]->name, name) == 0) {
            if (tr_gait_training_hardens(training))
                tr_gait_hardening_best(training, &training->anchors);
            training->progress.phase = i;
            training->progress.begun = 0;
            return TR_OK;
        }
    return tr_fail(error, TR_NOT_FOUND,
                   "phase %s: expected base, front, back, slower, faster or harden", name);
}

/* --- the result --- */

static tr_status bake_forces(const tr_gait_training *t, double spacing_n, tr_gait_curve *out) {
    tr_gait_anchors *anchors = malloc(sizeof *anchors);
    if (!anchors)
        return TR_RESOURCE_EXHAUSTED;
    *anchors = t->anchors;
    /* What a hardening in progress has found counts already. */
    if (tr_gait_training_hardens(t))
        tr_gait_hardening_best(t, anchors);
    tr_status status = tr_gait_anchors_bake(anchors, spacing_n, out);
    free(anchors);
    return status;
}

/* Rows of speeds hold differences from the anchor at the gait's own speed. */
static tr_status bake_speeds(const tr_gait_training *t, double own_mps, tr_gait_curve *out) {
    double own[TR_GAIT_SIZE];
    if (t->speeds.count < 2)
        return TR_OK;
    tr_status status = tr_gait_anchors_bake(&t->speeds, SPEED_SPACING_MPS, out);
    if (status)
        return status;
    tr_gait_anchors_at(&t->speeds, own_mps, own);
    for (int r = 0; r < out->count; r++)
        for (int i = 0; i < TR_GAIT_SIZE; i++)
            out->row[r][i] -= own[i];
    return TR_OK;
}

tr_status tr_gait_training_result(tr_gait_training *t, double spacing_n, tr_gait **out,
                                  tr_error *error) {
    tr_gait_curve force = {0}, speed = {0};
    tr_gait *standing = NULL;
    tr_state start[TR_GAIT_KEYFRAMES];
    tr_gait_def gait = {.force = &force,
                        .speed = &speed,
                        .own_mps =
                            t->speeds.count > 1 ? t->progress.base_mps : t->settings.base_mps,
                        .felt_lag_s = t->settings.felt_lag_s};
    tr_status status = bake_forces(t, spacing_n, &force);
    if (status)
        tr_fail(error, status, "there are no anchors");
    if (!status)
        status = bake_speeds(t, gait.own_mps, &speed);
    if (!status)
        /* The gait without start states walks, and so finds them. */
        status = tr_gait_create(t->model, &gait, &standing, error);
    if (!status && (status = tr_gait_trial_starts(standing, &t->ensemble->rehearsal[0], start)) ==
                       TR_FAILED_PRECONDITION)
        tr_fail(error, status, "the gait falls when nothing disturbs it");
    gait.start = start;
    if (!status)
        status = tr_gait_create(t->model, &gait, out, error);
    tr_gait_destroy(standing);
    tr_gait_curve_deinit(&force);
    tr_gait_curve_deinit(&speed);
    return status;
}

/* --- checkpoints --- */

/* Lists the samples; loading replaces those that the training has. */
static void list_samples(tr_gait_samples *samples, tr_blocks *b) {
    int count = samples->count;
    count = tr_block_count(b, "samples", &count, 0, TR_GAIT_SAMPLE_MAX);
    if (b->loads)
        tr_gait_samples_deinit(samples);
    for (int i = 0; i < count && !b->failed; i++) {
        tr_gait_sample sample = {0};
        tr_block(b, "sample", b->loads ? &sample : &samples->sample[i], sizeof sample);
        if (b->loads)
            (void)tr_block_require(b, "sample", !tr_gait_samples_add(samples, &sample));
    }
}

static void list_search(tr_gait_training *t, tr_blocks *b) {
    const tr_gait_settings *s = &t->settings;
    const bool hardens = tr_gait_training_hardens(t);
    /* A search that has not begun has size 0. */
    int size = b->loads || !t->progress.begun ? 0 : t->search.cma.size;
    size = tr_block_count(b, "search", &size, 0, TR_GAIT_PROBLEM_MAX);
    if (size == 0)
        return;
    if (b->loads &&
        !tr_block_require(b, "search",
                          !tr_gait_training_search(
                              t, size, hardens ? s->harden_samples : s->samples,
                              hardens ? s->harden_best : TR_GAIT_BEST, t->amounts.sigma, NULL)))
        return;
    tr_cma_list(&t->search.cma, b);
}

void tr_gait_training_list(void *training, tr_blocks *b) {
    tr_gait_training *t = training;
    tr_block(b, "progress", &t->progress, sizeof t->progress);
    if (!tr_block_require(b, "progress",
                          t->progress.phase >= 0 && t->progress.phase <= PHASE_COUNT &&
                              (t->progress.phase < PHASE_COUNT || !t->progress.begun)))
        return;
    tr_block(b, "anchors", &t->anchors, sizeof t->anchors);
    tr_block(b, "speeds", &t->speeds, sizeof t->speeds);
    list_samples(&t->samples, b);
    list_search(t, b);
}
