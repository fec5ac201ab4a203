#include "learn/train/learner.h"

#include "learn/measure/evaluate.h"
#include "learn/samcon/guided.h"
#include "learn/samcon/refine.h"
#include "learn/samcon/skill.h"
#include "learn/train/harden.h"
#include "learn/train/target_blend.h"
#include "learn/train/timetable.h"
#include "learn/train/verdict.h"
#include "learn/train/warm_start.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RADIANS = TR_PI / 180;
static const double UNTESTED = -2; /* less than any score */
enum { FAILED_WALKS_MAX = 3 };

/* Walks. The ridge is that of liu2015-guided, section 5.4, and 100 of its 1,000 samples are elites; the
 * other numbers are those of the first trainings that held, and no later one gained by others. */
static const double ELITE_SHARE = 0.1, RIDGE = 1e-6;
static const double COST_MAX = 8;       /* of a stage's best sample */
static const double REFINE_DECAY = 0.7; /* of exploration, from round to round */
static const double PUSH_PROBABILITY = 0.22;
static const double HARDEN_RATE = 0.5; /* of a step, in shifts */
enum { FAILURES_MAX = 100, PUSH_FROM = 2 /* the iteration of the first pushes */ };

static tr_cost_weights weights_of(const tr_learn_parameters *p) {
    tr_cost_weights weights = tr_cost_weights_default();
    weights.velocity = p->weight_velocity;
    return weights;
}

uint64_t tr_learner_row_seed(const tr_learner *learner, int row, int purpose) {
    uint64_t seed = learner->def.parameters.seed;
    return tr_random_split(seed, (uint64_t)row, (uint64_t)purpose).state;
}

/* Defines the part of a walk that both phases share. */
static tr_samcon_def walk_def(tr_learner *learner, int visits, int samples) {
    const tr_learn_parameters *p = &learner->def.parameters;
    int elites = (int)lround(samples * ELITE_SHARE), least = samples < 10 ? samples : 10;
    return (tr_samcon_def){
        .stages = visits * tr_controller_bank(learner->controller)->fragment_count,
        .samples = samples,
        .elites = elites > least ? elites : least,
        .cost_max = COST_MAX,
        .rollback = p->rollback,
        .failures_max = FAILURES_MAX,
        .weights = weights_of(p),
        .seed =
            tr_learner_row_seed(learner, learner->progress.record.row_count, TR_LEARNER_FOR_WALK),
        .starts = learner->def.starts,
        .lost_fragment = &learner->lost_fragment};
}

static tr_training_row new_row(tr_training_phase phase, int iteration) {
    return (tr_training_row){.phase = phase,
                             .iteration = iteration,
                             .cost = NAN,
                             .r2 = NAN,
                             .sigma_deg = NAN,
                             .push_train_n = 0,
                             .undisturbed_s = NAN,
                             .push95_n = NAN,
                             .resist_s = NAN};
}

/* Makes a controller of the learner a copy of another. */
static tr_status replace(const tr_learner *learner, const tr_controller *by, tr_controller **out) {
    tr_controller *copy = NULL;
    tr_status status = tr_controller_copy(by, learner->def.model, &copy);
    if (status)
        return status;
    tr_controller_destroy(*out);
    *out = copy;
    return TR_OK;
}

static tr_status keep_as_best(tr_learner *learner) {
    return replace(learner, learner->controller, &learner->best);
}

/* The mean may be easier to begin from than any state of the walk: a turn that 12 of 16 trials hold
 * from a typical one is held by all from the mean. */
static void choose_spawn(tr_learner *learner) {
    if (learner->def.parameters.spawn_mean)
        learner->controller->spawn = tr_controller_bank(learner->controller)->fragment[0].start;
}

/* --- refinement --- */

static tr_status refine(tr_learner *learner, tr_training_row *row) {
    const tr_learn_parameters *p = &learner->def.parameters;
    int round = row->iteration;
    /* Exploration shrinks from round to round, as sampling windows do in liu2015-samcon, section
     * 5.1. */
    double sigma_deg = p->refine_sigma_deg * pow(REFINE_DECAY, round - 1);
    int skipped = p->refine_skipped < p->refine_visits ? p->refine_skipped : p->refine_visits - 1;
    tr_refine_def def = {.walk = walk_def(learner, p->refine_visits, p->refine_samples),
                         .sigma_rad = sigma_deg * RADIANS,
                         .skipped_visits = skipped,
                         .replace_reference = round == p->refine_rounds};
    tr_status status =
        tr_refine_round(learner->ensemble, &def, learner->controller, &row->cost, &row->rollbacks);
    row->sigma_deg = sigma_deg;
    choose_spawn(learner);
    tr_refine_reset_policies(tr_controller_bank(learner->controller), p->first_sigma_deg * RADIANS);
    return !status ? keep_as_best(learner) : status;
}

/* --- guided learning --- */

/* Returns the deviation of the training pushes, which grow linearly over push_ramp iterations from
 * PUSH_FROM on. */
static double training_push(const tr_learner *learner, int iteration) {
    const tr_learn_parameters *p = &learner->def.parameters;
    double part = (double)(iteration - PUSH_FROM + 1) / p->push_ramp;
    return learner->progress.push_scale * p->push_n * fmin(1, fmax(0, part));
}

static tr_guided_def guided_def(tr_learner *learner, int iteration) {
    const tr_learn_parameters *p = &learner->def.parameters;
    /* Without feedback a walk needs more samples (liu2015-guided, section 5.4), and there is no
     * policy yet to blend with. */
    bool first = iteration == 1 && !learner->continues;
    int samples = first ? p->first_samples : p->samples;
    tr_guided_def def = {.walk = walk_def(learner, p->visits, samples),
                         .lambda = RIDGE,
                         .sigma_floor_rad = p->sigma_floor_deg * RADIANS,
                         .blend = first ? 1 : p->blend};
    def.walk.noise_rad = p->noise_deg * RADIANS;
    def.walk.push_n = training_push(learner, iteration);
    def.walk.push_probability = PUSH_PROBABILITY;
    return def;
}

/* Measures the learning curve of liu2015-guided, figure 6; it is not part of the score. */
static tr_status resist(tr_learner *learner, tr_training_row *row) {
    tr_resist_test test = tr_resist_test_default();
    test.trials = learner->def.parameters.test_resist_trials;
    test.seed =
        tr_learner_row_seed(learner, learner->progress.record.row_count, TR_LEARNER_FOR_RESISTING);
    if (test.trials == 0)
        return TR_OK;
    double *lost_s = calloc((size_t)test.trials, sizeof *lost_s), sum = 0;
    if (!lost_s)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status =
        tr_evaluate_resistance(learner->ensemble, learner->controller, &test, lost_s);
    for (int i = 0; i < test.trials; i++)
        sum += lost_s[i];
    if (!status)
        row->resist_s = sum / test.trials;
    free(lost_s);
    return status;
}

/* Returns the score to beat: that of the best so far on the seeds of this row, or its recorded one,
 * which luck with its seeds may have raised. */
static tr_status score_to_beat(tr_learner *learner, double *out) {
    bool tested = learner->continues || learner->progress.best_score > UNTESTED;
    *out = learner->progress.best_score;
    if (!learner->def.parameters.paired || !tested)
        return TR_OK;
    tr_verdict best;
    tr_status status = tr_verdict_reach(learner, learner->best, &best);
    if (!status)
        *out = best.score;
    return status;
}

/* Puts the mean of a round's last updates in the place of the last one where it does as well on the
 * same seeds. mean: [fragment_count]. */
static tr_status prefer_mean(tr_learner *learner, const tr_policy *mean, tr_verdict *now) {
    tr_controller *other = NULL;
    tr_verdict its;
    tr_status status = tr_controller_copy(learner->controller, learner->def.model, &other);
    for (int k = 0; !status && k < tr_controller_bank(other)->fragment_count; k++)
        tr_controller_bank(other)->fragment[k].policy = mean[k];
    if (!status)
        status = tr_verdict_reach(learner, other, &its);
    if (!status && its.score >= now->score) {
        tr_controller *last = learner->controller;
        learner->controller = other;
        other = last;
        *now = its;
    }
    tr_controller_destroy(other);
    return status;
}

/* Tests the controller, fills in the row, and keeps the controller if it is the best. mean: a
 * second candidate, of a round of hardening; NULL: none. */
static tr_status keep_if_best(tr_learner *learner, const tr_policy *mean, tr_training_row *row) {
    tr_verdict now;
    double to_beat = 0;
    tr_status status = tr_verdict_reach(learner, learner->controller, &now);
    if (!status && mean)
        status = prefer_mean(learner, mean, &now);
    if (!status)
        status = score_to_beat(learner, &to_beat);
    if (!status)
        status = resist(learner, row);
    if (status)
        return status;
    row->undisturbed_s = now.undisturbed_s;
    row->push95_n = now.push95_n;
    /* The next search for the largest push begins where this one ended. */
    if (isfinite(now.push95_n))
        learner->progress.push_level_n = now.push95_n;
    /* Robustness does not grow with every row: the best so far stays the result. */
    if (now.score <= to_beat)
        return TR_OK;
    learner->progress.best_score = now.score;
    row->kept = true;
    return keep_as_best(learner);
}

static tr_status guide(tr_learner *learner, tr_training_row *row) {
    tr_guided_def def = guided_def(learner, row->iteration);
    tr_guided_result result;
    row->push_train_n = def.walk.push_n;
    bool returns = row->iteration > learner->def.parameters.iterations; /* after hardening */
    tr_status status = returns ? replace(learner, learner->best, &learner->controller) : TR_OK;
    if (!status)
        status = tr_guided_iterate(learner->ensemble, &def, learner->controller, &result);
    /* A walk that cannot be finished may have been pushed too hard: its row stays empty, and pushes
     * shrink. */
    if (status == TR_ABORTED && ++learner->progress.failed_walks < FAILED_WALKS_MAX) {
        learner->progress.push_scale *= 0.7;
        row->rollbacks = def.walk.failures_max + 1;
        return TR_OK;
    }
    if (status)
        return status;
    learner->progress.failed_walks = 0;
    row->cost = result.cost;
    row->rollbacks = result.rollbacks;
    row->r2 = result.r2;
    row->sigma_deg = result.sigma_rad / RADIANS;
    return keep_if_best(learner, NULL, row);
}

/* --- hardening --- */

/* Returns what is left of the extra strength after `rounds` rounds, each of which lowers the limits
 * by the same factor; after a single round nothing is left. */
static double extra_after(const tr_learn_parameters *p, int rounds) {
    int falling = p->harden_rounds > 1 ? p->harden_rounds - 1 : 1;
    return pow(1 + p->harden_extra, fmax(0, 1 - (double)rounds / falling)) - 1;
}

static tr_harden_def harden_def(const tr_learner *learner, int round) {
    const tr_learn_parameters *p = &learner->def.parameters;
    const tr_training_record *record = &learner->progress.record;
    return (tr_harden_def){
        .updates = p->harden_updates,
        .directions = p->harden_directions,
        .best = p->harden_best,
        .trials = tr_timetable_trials(p, record),
        .candidates = p->harden_candidates,
        .spacing = p->harden_spacing,
        .averaged = p->harden_averaged,
        .sigma_rad = p->harden_sigma_deg * RADIANS,
        .rate = HARDEN_RATE,
        .push_n = tr_timetable_push(p, record),
        .after_s = p->harden_after_s,
        .ground = tr_verdict_ground(p),
        .strike = p->harden_strike,
        .short_loss = p->harden_short_loss != 0,
        .vary = p->harden_vary,
        .extra = {extra_after(p, round - 1), extra_after(p, round)},
        .weights = weights_of(p),
        .starts = learner->def.starts,
        .first = p->harden_first,
        .on_steps = learner->def.steps.count > 0,
        .seed = tr_learner_row_seed(learner, record->row_count, TR_LEARNER_FOR_HARDENING)};
}

/* Makes room for the mean as a second result, which a round that adapts has. */
static tr_status open_mean(const tr_learner *learner, tr_harden_def *def) {
    int fragments = tr_controller_bank(learner->controller)->fragment_count;
    if (!learner->def.parameters.adapt || def->averaged < 2)
        return TR_OK;
    def->mean = calloc((size_t)fragments, sizeof *def->mean);
    return def->mean ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

static tr_status harden(tr_learner *learner, tr_training_row *row) {
    const tr_learn_parameters *p = &learner->def.parameters;
    tr_harden_def def = harden_def(learner, row->iteration);
    /* A round that adapts forgets the one before if that was no better. */
    bool from_best = row->iteration == 1 || p->adapt;
    tr_status status = from_best ? replace(learner, learner->best, &learner->controller) : TR_OK;
    double mean_return = 0;
    if (!status)
        status = open_mean(learner, &def);
    /* Targets blend once; later rounds learn with the blended ones. */
    if (!status && row->iteration == 1)
        tr_target_blend(learner->def.model, tr_controller_bank(learner->controller),
                        p->harden_blend);
    if (!status)
        status = tr_harden(learner->ensemble, &def, learner->controller, &mean_return);
    row->push_train_n = def.push_n;
    row->cost = -mean_return;
    if (!status)
        status = keep_if_best(learner, def.mean, row);
    free(def.mean);
    return status;
}

/* --- the whole --- */

/* Checks beyond the bounds of parameters.h, made before anything is learned. */
static tr_status check_parameters(const tr_learn_parameters *p, tr_error *error) {
    if (p->refine_rounds + p->iterations + p->harden_rounds > TR_TRAINING_ROW_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "refine_rounds + iterations + harden_rounds: expected at most %d",
                       TR_TRAINING_ROW_MAX);
    if (p->harden_best > p->harden_directions)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "harden_best: %d, expected at most harden_directions, %d", p->harden_best,
                       p->harden_directions);
    if (p->harden_blend > 0 && p->adapt)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "harden_blend: %d, expected 0 with adapt=1, because targets are blended once, "
            "before the first round",
            p->harden_blend);
    if (p->harden_averaged > p->harden_updates)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "harden_averaged: %d, expected at most harden_updates, %d",
                       p->harden_averaged, p->harden_updates);
    return TR_OK;
}

/* Takes a copy of the controller to continue, instead of the motion's open loop. */
static tr_status copy_from(tr_learner *learner, tr_error *error) {
    const tr_learner_def *def = &learner->def;
    tr_controller_destroy(learner->controller);
    learner->controller = NULL;
    tr_status status = tr_controller_copy(def->from, def->model, &learner->controller);
    if (status)
        return tr_fail(error, status, "'%s' cannot be copied", def->from->name);
    snprintf(learner->controller->name, sizeof learner->controller->name, "%s", def->name);
    snprintf(learner->controller->model_name, sizeof learner->controller->model_name, "%s",
             def->model->name);
    learner->controller->model_hash = def->model->hash;
    choose_spawn(learner);
    return TR_OK;
}

static tr_status go_on(tr_learner *learner, tr_error *error) {
    const tr_learner_def *def = &learner->def;
    bool same_body = def->from->model_hash == def->model->hash;
    bool refines = def->parameters.refine_rounds != 0;
    tr_bank *bank = tr_controller_bank(learner->controller);
    const tr_bank *from = tr_controller_bank(def->from);
    bool fits =
        from && tr_bank_same_shape(bank, from) && learner->controller->step_s == def->from->step_s;
    if (!fits || (same_body && refines))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "'%s' cannot be continued: expected the same fragments, action and gains, "
                       "and no refinement on the same model",
                       def->from->name);
    learner->continues = !refines;
    /* The same limbs: the controller is copied. The same joints: its policies are shifted. */
    if (same_body || (def->from_model && tr_warm_start_same_limbs(def->from_model, def->model)))
        return copy_from(learner, error);
    if (!def->from_model || tr_warm_start(def->from_model, from, def->model, bank))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "'%s' cannot be continued: the model has other joints", def->from->name);
    return TR_OK;
}

/* Makes the controller to begin with: the motion's open loop, or a copy of the one to continue. */
static tr_status begin_controller(tr_learner *learner, tr_error *error) {
    const tr_learner_def *def = &learner->def;
    const tr_learn_parameters *p = &def->parameters;
    tr_skill_def skill = {def->name, p->gain_set, TR_LEARN_STEP_S, p->ankles != 0};
    tr_status status =
        tr_skill_create(def->model, def->motion, &skill, &learner->controller, error);
    if (status)
        return status;
    tr_refine_reset_policies(tr_controller_bank(learner->controller), p->first_sigma_deg * RADIANS);
    return def->from ? go_on(learner, error) : TR_OK;
}

/* Checks the parameters that depend on the controller (harden.h). */
static tr_status check_first(const tr_learner *learner, tr_error *error) {
    const tr_learn_parameters *p = &learner->def.parameters;
    const tr_bank *bank = tr_controller_bank(learner->controller);
    bool cyclic = bank->cyclic;
    int end = cyclic ? 1 : bank->fragment_count;
    if (learner->def.steps.count > 0 && (p->harden_vary > 0 || p->harden_extra > 0))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "harden_vary, harden_extra: %g, %g, expected 0 for a control on steps, "
                       "because worlds that vary have none",
                       p->harden_vary, p->harden_extra);
    if (learner->def.steps.count > 0 && p->spawn_mean)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "spawn_mean: expected 0 for a control on steps, which begins where it stands");
    if (p->harden_rounds == 0 || p->harden_first < end)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "harden_first: %d, expected less than %d for %s",
                   p->harden_first, end, cyclic ? "a cyclic skill" : "this chain");
}

static tr_status begin_worlds(tr_learner *learner, tr_error *error) {
    const tr_learner_def *def = &learner->def;
    const tr_learn_parameters *p = &def->parameters;
    tr_ensemble_def ensemble = {def->model,   p->gain_set, TR_LEARN_STEP_S,
                                def->threads, NULL,        TR_QUARTET_MAX};
    tr_status status = tr_ensemble_create(&ensemble, &learner->ensemble);
    if (!status)
        status = tr_ensemble_lay(learner->ensemble, &def->steps);
    if (!status)
        status = keep_as_best(learner);
    return tr_fail_if(error, status, "worlds for learning");
}

/* Its own copy. */
static tr_status keep_starts(tr_learner *learner, tr_error *error) {
    tr_starts *starts = &learner->def.starts;
    const size_t size = (size_t)starts->count * sizeof *starts->state;
    learner->starts = malloc(size + 1);
    if (!learner->starts)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the starts");
    starts->state = size > 0 ? memcpy(learner->starts, starts->state, size) : NULL;
    return TR_OK;
}

tr_status tr_learner_create(const tr_learner_def *def, tr_learner **out, tr_error *error) {
    tr_status status = check_parameters(&def->parameters, error);
    if (status)
        return status;
    tr_learner *learner = calloc(1, sizeof *learner);
    if (!learner)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the learner");
    learner->def = *def;
    learner->progress.best_score = UNTESTED;
    learner->progress.push_scale = 1;
    status = keep_starts(learner, error);
    if (!status)
        status = begin_controller(learner, error);
    if (!status)
        status = check_first(learner, error);
    if (!status)
        status = begin_worlds(learner, error);
    /* These are borrowed while creating only. */
    learner->def.motion = NULL;
    learner->def.name = NULL;
    learner->def.from = NULL;
    learner->def.from_model = NULL;
    return TR_GIVE(status, learner, tr_learner_destroy, out);
}

void tr_learner_destroy(void *work) {
    tr_learner *learner = work;
    if (!learner)
        return;
    tr_ensemble_destroy(learner->ensemble);
    tr_controller_destroy(learner->controller);
    tr_controller_destroy(learner->best);
    free(learner->starts);
    free(learner);
}

int tr_learner_rows(const tr_learner *learner) {
    return tr_timetable_rows(&learner->def.parameters, &learner->progress.record);
}

int tr_learner_done(const tr_learner *learner) {
    return learner->progress.record.row_count;
}

double tr_learner_share(const void *given) {
    const tr_learner *learner = given;
    return tr_timetable_share(&learner->def.parameters, &learner->progress.record,
                              tr_controller_bank(learner->controller)->fragment_count,
                              learner->continues);
}

static const char *const phase_text[] = {[TR_TRAINING_REFINE] = "refinement round",
                                         [TR_TRAINING_GUIDE] = "iteration",
                                         [TR_TRAINING_HARDEN] = "hardening round"};

tr_status tr_learner_advance(tr_learner *learner, tr_error *error) {
    tr_training_record *record = &learner->progress.record;
    tr_training_phase phase;
    int iteration = 0;
    if (!tr_timetable_next(&learner->def.parameters, record, &phase, &iteration))
        return tr_fail(error, TR_OUT_OF_RANGE, "all %d rows are done", record->row_count);
    tr_training_row row = new_row(phase, iteration);
    tr_status status = phase == TR_TRAINING_REFINE  ? refine(learner, &row)
                       : phase == TR_TRAINING_GUIDE ? guide(learner, &row)
                                                    : harden(learner, &row);
    if (status == TR_ABORTED) {
        /* Fails with a message about a walk that was given up: where, and what may help. */
        const tr_bank *bank = tr_controller_bank(learner->controller);
        double fragment_s = bank->fragment[0].steps * learner->controller->step_s;
        return tr_fail(
            error, TR_ABORTED,
            "%s %d: the motion was lost too often, at last %.2f s after its start (of %.2f s, "
            "fragment %d of %d): try more samples (--set refine_samples, first_samples), "
            "other gains, a longer --return, or another --seed",
            phase_text[row.phase], row.iteration, learner->lost_fragment * fragment_s,
            bank->fragment_count * fragment_s, learner->lost_fragment + 1, bank->fragment_count);
    }
    if (status)
        return tr_fail_if(error, status, "%s %d", phase_text[row.phase], row.iteration);
    record->row[record->row_count++] = row;
    return TR_OK;
}

const tr_controller *tr_learner_best(const tr_learner *learner) {
    return learner->best;
}
