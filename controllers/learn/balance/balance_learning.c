#include "learn/balance/balance_learning.h"

#include "control/balance/balance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the trainings of the shipped controllers used: controllers/log/2026-11-28-balance.md. */
static const double EXCITATION_RAD = 0.05; /* standard deviation of the excitation */
static const double RIDGE = 1e-5;          /* ridge of the regression */
static const double ACTION_COST = 1;       /* the regulator's cost of actions */
static const double RATE_COST = 0.1;       /* its cost of rates; angles and places cost 10 */
static const double BASE_COST = 1;         /* its cost of the base's velocity */
static const double TURN_RAD =
    0.05; /* the unit of a gain: what it adds to an action at a usual feature */
static const double DRIFT_COST = 0.3; /* its cost of the base's drift */
static const double SIGMA = 0.15;     /* first step size of the search, in units of a gain */

/* An episode ends where the root tilts more, or the centre of mass is farther from the object. */
static const double NEAR_RAD = 0.06, NEAR_M = 0.03;
static const double PUSH_S = 0.1; /* pushes of tests and of the search */

/* Excited episodes of a round. */
enum { FIRST_EPISODES = 400, LATER_EPISODES = 120, SAMPLE_ROWS = 400000, LOOKS_MAX = 800 };
enum { SEEN_EPISODES = 10, SEEN_MAX = 40000, SEEN_SIZE = TR_BALANCE_FEATURES };
enum { SEARCH_STAGE = 1 << 20, TEST_STAGE = 1 << 21 };

static const double FIRST_S = 0.6, LATER_S = 3;       /* their duration */
static const double FIRST_CAP_S = 8, LAST_CAP_S = 40; /* trials of the search end after this */
static const double TEST_S = 60, HORIZON_S = 8, REDRAW_S = 0.1;
static const double PLACE_COST = 10, SPREAD_LEAST = 1e-3;
static const double TURN_MAX_RAD = 0.6; /* of samples */
static const double GROWS_AT = 0.6, GROWTH = 1.25, CLOSENESS_WORTH = 0.5;

/* --- making and ending --- */

/* Without a deck its features are zero. */
static bool is_seen(const tr_balance_learning *l, int feature) {
    const bool of_deck = feature == TR_BALANCE_DECK_ROLL || feature == TR_BALANCE_DECK_ROLL_RATE ||
                         feature == TR_BALANCE_DECK_YAW || feature == TR_BALANCE_BASE_YAW;
    return !of_deck || tr_balance_of(l->work)->place.deck >= 0;
}

static void sort_planes(tr_balance_learning *l) {
    for (int f = 0; f < TR_BALANCE_FEATURES; f++) {
        int plane = tr_balance_feature_row_of[f].lateral;
        if (tr_balance_feature_row_of[f].state && is_seen(l, f))
            l->state[plane][l->states[plane]++] = f;
    }
    for (int a = 0; a < TR_BALANCE_ACTIONS; a++) {
        int plane = tr_balance_action_is_lateral((tr_balance_action)a);
        l->action[plane][l->actions[plane]++] = a;
    }
}

static tr_status make_controllers(tr_balance_learning *l, tr_error *error) {
    tr_status status =
        tr_apparatus_create(l->model, &l->settings, TR_APPARATUS_KNEE_RAD, &l->work, error);
    if (status)
        return status;
    status = tr_controller_copy(l->work, l->model, &l->best);
    l->policy = calloc((size_t)l->settings.samples, sizeof(tr_controller *));
    l->seen = calloc((size_t)SEEN_MAX * SEEN_SIZE, sizeof *l->seen);
    if (!l->policy || !l->seen)
        status = TR_RESOURCE_EXHAUSTED;
    for (int i = 0; !status && i < l->settings.samples; i++)
        status = tr_controller_copy(l->work, l->model, &l->policy[i]);
    return tr_fail_if(error, status, "balance");
}

static void destroy(void *given) {
    tr_balance_learning *l = given;
    if (!l)
        return;
    tr_cma_deinit(&l->cma);
    free(l->seen);
    for (int p = 0; p < 2; p++)
        tr_linear_samples_deinit(&l->plane[p]);
    tr_ensemble_destroy(l->ensemble);
    for (int i = 0; l->policy && i < l->settings.samples; i++)
        tr_controller_destroy(l->policy[i]);
    free(l->policy);
    tr_controller_destroy(l->finished);
    tr_controller_destroy(l->best);
    tr_controller_destroy(l->work);
    free(l);
}

static tr_status begin(const tr_method_def *def, void *given, tr_error *error) {
    tr_balance_learning *l = given;
    l->model = def->model;
    l->settings = *(const tr_balance_settings *)def->settings;
    /* Trials begin easy: short. */
    l->at.cap_s = FIRST_CAP_S;
    l->at.best_score = -1;
    l->at.random = tr_random_split(l->settings.seed, 0, 0);
    tr_status status = make_controllers(l, error);
    if (!status)
        status = tr_controller_check(l->work, l->model, error);
    if (!status)
        status = tr_ensemble_create_for(l->model, l->work, def->threads, &l->ensemble, error);
    if (!status)
        sort_planes(l);
    for (int p = 0; !status && p < 2; p++)
        status = tr_linear_samples_init(&l->plane[p], l->states[p], l->actions[p], SAMPLE_ROWS);
    return status;
}

/* --- tests --- */

static double score_of(const tr_balance_count *count) {
    return count->mean_s / TEST_S + (double)count->held / count->trials;
}

/* Tests the policy at work, and keeps it if it is the best so far. trained_s: of the search's trials */
static tr_status report(tr_balance_learning *l, const char *phase, int iteration, double trained_s,
                        tr_error *error) {
    tr_balance_row *row = &l->row;
    const tr_balance_test test = {.trials = l->settings.test_trials,
                                  .first = TEST_STAGE,
                                  .cap_s = TEST_S,
                                  .push_n = l->settings.push_n,
                                  .push_s = PUSH_S,
                                  .seed = l->settings.seed};
    *row = (tr_balance_row){
        .phase = phase, .iteration = iteration, .cap_s = l->at.cap_s, .trained_s = trained_s};
    tr_status status = tr_balance_test_run(l->ensemble, l->work, &test, &row->test);
    if (status)
        return tr_fail_if(error, status, "balance");
    /* The best policy is kept by its score in the test. */
    double score = score_of(&row->test);
    row->best = score > l->at.best_score;
    if (row->best) {
        l->at.best_score = score;
        *tr_balance_of(l->best) = *tr_balance_of(l->work);
    }
    l->at.rows++;
    return TR_OK;
}

/* --- identification --- */

/* Returns whether a moment is near enough to the stance for a linear model. */
static bool is_near(const double *z) {
    return fabs(z[TR_BALANCE_ROOT_ROLL]) < NEAR_RAD && fabs(z[TR_BALANCE_ROOT_PITCH]) < NEAR_RAD &&
           fabs(z[TR_BALANCE_HEADING]) < TURN_MAX_RAD && fabs(z[TR_BALANCE_COM_X]) < NEAR_M &&
           fabs(z[TR_BALANCE_COM_Y]) < NEAR_M;
}

static void add_sample(tr_balance_learning *l, const double *before, const double *action,
                       const double *after) {
    const double *rest = tr_balance_of(l->work)->rest;
    for (int p = 0; p < 2; p++) {
        int n = l->states[p], m = l->actions[p];
        double *row = tr_linear_samples_add(&l->plane[p]);
        for (int i = 0; row && i < n; i++) {
            int f = l->state[p][i];
            row[i] = before[f] - rest[f];
            row[n + m + i] = after[f] - rest[f];
        }
        for (int i = 0; row && i < m; i++)
            row[n + i] = action[l->action[p][i]];
    }
}

/* Excitation acts through the offsets, which are put back. */
static void excite(tr_balance_learning *l, const double *offset, double size) {
    tr_balance *balance = tr_balance_of(l->work);
    for (int a = 0; a < TR_BALANCE_ACTIONS; a++)
        balance->offset[a] = offset[a] + size * tr_random_normal(&l->at.random);
}

typedef struct episode {
    int number;
    double duration_s, excitation_rad;
} episode;

typedef void (*use_sample)(tr_balance_learning *l, const double *before, const double *action,
                           const double *after);

/* Runs one episode of the policy at work with excitation; each look of it gives a sample. */
static tr_status run_episode(tr_balance_learning *l, const episode *e, use_sample use) {
    tr_balance *balance = tr_balance_of(l->work);
    tr_rehearsal *rehearsal = &l->ensemble->rehearsal[0];
    tr_trial trial;
    double offset[TR_BALANCE_ACTIONS], before[TR_BALANCE_FEATURES], after[TR_BALANCE_FEATURES];
    double look_s = balance->hold * l->work->step_s;
    int looks = (int)(e->duration_s / look_s), left = 0;
    tr_state start = tr_trial_disturbed_start(l->work, l->settings.seed, e->number);
    memcpy(offset, balance->offset, sizeof offset);
    tr_status status = tr_trial_begin(&trial, l->work, rehearsal, &start);
    if (!status)
        status = tr_balance_trial_look(&trial, rehearsal, before);
    for (int i = 0; !status && i < looks; i++) {
        /* Turns are drawn anew after at most REDRAW_S. */
        if (left-- <= 0) {
            left = (int)(tr_random_uniform(&l->at.random) * fmax(1, REDRAW_S / look_s));
            excite(l, offset, e->excitation_rad);
        }
        tr_trial_run(&trial, rehearsal, trial.steps + balance->hold);
        status = tr_balance_trial_look(&trial, rehearsal, after);
        /* Far from the stance the motion is not linear. */
        if (status || trial.lost || !is_near(after))
            break;
        use(l, before, tr_balance_state_of(&trial.runner)->action, after);
        memcpy(before, after, sizeof before);
    }
    /* The policy gets its own offsets back. */
    memcpy(balance->offset, offset, sizeof offset);
    return status;
}

static double cost_of(int feature) {
    const char *name = tr_balance_feature_row_of[feature].name;
    switch (feature) {
    case TR_BALANCE_BASE_VEL_X:
    case TR_BALANCE_BASE_VEL_Y:
        return BASE_COST;
    case TR_BALANCE_DRIFT_X:
    case TR_BALANCE_DRIFT_Y:
        return DRIFT_COST;
    default:
        return strstr(name, "_vel_") || strstr(name, "_rate") ? RATE_COST : PLACE_COST;
    }
}

static void clear_policy(tr_balance *balance) {
    memset(balance->gain, 0, sizeof balance->gain);
    memset(balance->offset, 0, sizeof balance->offset);
}

/* Puts the regulator of one plane into the policy at work. The lateral plane has no constant:
 * both sides act alike. */
static tr_status regulate(tr_balance_learning *l, int plane, tr_error *error) {
    tr_balance *balance = tr_balance_of(l->work);
    tr_linear_model *model = calloc(1, sizeof *model);
    double cost[TR_BALANCE_FEATURES], offset[TR_BALANCE_ACTIONS];
    double gain[TR_BALANCE_ACTIONS * TR_BALANCE_FEATURES];
    const bool constant = plane == 0;
    int n = l->states[plane], looks = (int)(HORIZON_S / (balance->hold * l->work->step_s));
    /* Identify the plane, and compute its regulator. */
    for (int i = 0; i < n; i++)
        cost[i] = cost_of(l->state[plane][i]);
    tr_status status = model ? tr_linear_model_fit(&l->plane[plane], RIDGE, constant, model)
                             : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = tr_linear_regulator(model, cost, ACTION_COST,
                                     looks < LOOKS_MAX ? looks : LOOKS_MAX, gain, offset);
    /* u = -K x - k. */
    for (int i = 0; !status && i < l->actions[plane]; i++) {
        int a = l->action[plane][i];
        balance->offset[a] = constant ? -offset[i] : 0;
        for (int j = 0; j < n; j++)
            balance->gain[a][l->state[plane][j]] = -gain[i * n + j];
    }
    free(model);
    return tr_fail_if(error, status, "identification, %d samples", l->plane[plane].count);
}

static tr_status identify(tr_balance_learning *l, tr_error *error) {
    bool first = l->at.round == 0;
    int episodes = first ? FIRST_EPISODES : LATER_EPISODES;
    tr_status status = TR_OK;
    for (int i = 0; !status && i < episodes; i++) {
        episode e = {l->at.round * 100000 + i, first ? FIRST_S : LATER_S, EXCITATION_RAD};
        status = run_episode(l, &e, add_sample);
    }
    /* New regulators replace the one that was excited. */
    clear_policy(tr_balance_of(l->work));
    for (int p = 0; !status && p < 2; p++)
        status = regulate(l, p, error);
    return status;
}

/* --- what a gain is worth --- */

/* May the search move this gain, or the offset where feature is -1? */
static bool is_free(const tr_balance_learning *l, int action, int feature) {
    bool lateral = tr_balance_action_is_lateral((tr_balance_action)action);
    if (feature < 0)
        return !lateral;
    const tr_balance_feature_row *row = &tr_balance_feature_row_of[feature];
    return is_seen(l, feature) && row->state && row->lateral == lateral;
}

static void add_seen(tr_balance_learning *l, const double *before, const double *action,
                     const double *after) {
    const double *rest = tr_balance_of(l->work)->rest;
    (void)action, (void)after;
    if (l->seen_count == SEEN_MAX)
        return;
    double *row = l->seen + (size_t)l->seen_count++ * SEEN_SIZE;
    for (int f = 0; f < TR_BALANCE_FEATURES; f++)
        row[f] = before[f] - rest[f];
}

/* Measures how far each feature moves under the policy at work. */
static tr_status find_spread(tr_balance_learning *l, tr_error *error) {
    /* Runs episodes that show the spread of the features. */
    tr_status status = TR_OK;
    for (int i = 0; !status && i < SEEN_EPISODES; i++) {
        episode e = {1000000 + i, LATER_S, EXCITATION_RAD / 2};
        status = run_episode(l, &e, add_seen);
    }
    if (!status && l->seen_count < TR_BALANCE_FEATURES)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "projection: the regulator holds for %d looks; try another seed",
                       l->seen_count);
    for (int f = 0; f < TR_BALANCE_FEATURES; f++) {
        double square = 0;
        for (int r = 0; r < l->seen_count; r++) {
            double z = l->seen[(size_t)r * SEEN_SIZE + (size_t)f];
            square += z * z;
        }
        l->at.spread[f] = sqrt(square / fmax(1, l->seen_count)) + SPREAD_LEAST;
    }
    return status;
}

/* --- search --- */

static double *value_of(tr_controller *controller, const tr_balance_parameter *p) {
    tr_balance *balance = tr_balance_of(controller);
    return p->feature < 0 ? &balance->offset[p->action] : &balance->gain[p->action][p->feature];
}

static void add_parameter(tr_balance_learning *l, int action, int feature) {
    l->at.parameter[l->at.parameters++] = (tr_balance_parameter){
        action, feature, TURN_RAD / (feature < 0 ? 1 : l->at.spread[feature])};
}

static tr_status begin_search(tr_balance_learning *l, tr_error *error) {
    /* A gain's unit is the turn that it adds at a usual feature. */
    for (int a = 0; a < TR_BALANCE_ACTIONS; a++)
        for (int f = -1; f < TR_BALANCE_FEATURES; f++)
            if (is_free(l, a, f))
                add_parameter(l, a, f);
    tr_status status = tr_cma_init(&l->cma, l->at.parameters, SIGMA, NULL);
    if (status)
        return tr_fail_if(error, status, "search");
    /* The search begins at the policy at work. */
    for (int i = 0; i < l->at.parameters; i++)
        l->cma.mean[i] = *value_of(l->work, &l->at.parameter[i]) / l->at.parameter[i].unit;
    return TR_OK;
}

static void set_policy(const tr_balance_learning *l, const double *x, tr_controller *controller) {
    clear_policy(tr_balance_of(controller));
    for (int i = 0; i < l->at.parameters; i++)
        *value_of(controller, &l->at.parameter[i]) = x[i] * l->at.parameter[i].unit;
}

/* Trials of all policies of a generation. outcome: [samples][trials] */
typedef struct generation {
    const tr_balance_learning *learning;
    tr_balance_test test;
    tr_balance_outcome *outcome;
} generation;

static void try_policy(void *context, int item, tr_rehearsal *rehearsal) {
    const generation *g = context;
    int sample = item / g->test.trials, trial = item % g->test.trials;
    tr_balance_trial(g->learning->policy[sample], &g->test, trial, rehearsal, &g->outcome[item]);
}

static double mean_held(const generation *g, int samples) {
    double sum = 0;
    int count = samples * g->test.trials;
    for (int i = 0; i < count; i++)
        sum += g->outcome[i].held_s;
    return sum / count;
}

/* order: [samples] the best first. Equal scores keep their order. */
static void rank(const generation *g, int samples, int *order, double *score) {
    for (int i = 0; i < samples; i++) {
        int at = i;
        double sum = 0;
        for (int t = 0; t < g->test.trials; t++) {
            const tr_balance_outcome *o = &g->outcome[i * g->test.trials + t];
            /* The time held counts; closeness adds a share of it. */
            sum += o->held_s / g->test.cap_s * (1 + CLOSENESS_WORTH * o->closeness);
        }
        score[i] = sum / g->test.trials;
        for (; at > 0 && score[order[at - 1]] < score[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* x: [samples][parameters], order: [samples], score: [samples], better: [samples / 2] */
typedef struct search_memory {
    double *x, *score;
    int *order;
    const double **better;
    tr_balance_outcome *outcome;
} search_memory;

static void clear_memory(search_memory *m) {
    free(m->x);
    free(m->score);
    free(m->order);
    free((void *)m->better);
    free(m->outcome);
}

static tr_status remember(const tr_balance_learning *l, search_memory *out) {
    size_t samples = (size_t)l->settings.samples;
    *out = (search_memory){calloc(samples * (size_t)l->at.parameters, sizeof *out->x),
                           calloc(samples, sizeof *out->score), calloc(samples, sizeof *out->order),
                           calloc(samples, sizeof *out->better),
                           calloc(samples * (size_t)l->settings.trials, sizeof *out->outcome)};
    bool whole = out->x && out->score && out->order && out->better && out->outcome;
    return whole ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

static tr_status make_generation(tr_balance_learning *l, search_memory *m, double *out_held_s) {
    const tr_balance_settings *s = &l->settings;
    /* All policies of a generation meet the same trials; the next generation meets others. */
    const generation g = {l,
                          {.trials = s->trials,
                           .first = SEARCH_STAGE + l->at.generation * s->trials,
                           .cap_s = l->at.cap_s,
                           .push_n = s->push_n,
                           .push_s = PUSH_S,
                           .seed = s->seed},
                          m->outcome};
    for (int i = 0; i < s->samples; i++) {
        double *x = m->x + (size_t)i * (size_t)l->at.parameters;
        tr_cma_sample(&l->cma, &l->at.random, x);
        set_policy(l, x, l->policy[i]);
    }
    tr_ensemble_share(l->ensemble, try_policy, (void *)&g, s->samples * s->trials,
                      (const tr_ranks_result[]){{m->outcome, sizeof *m->outcome}, {0}});
    rank(&g, s->samples, m->order, m->score);
    /* The better half teaches. */
    for (int i = 0; i < s->samples / 2; i++)
        m->better[i] = m->x + (size_t)m->order[i] * (size_t)l->at.parameters;
    *out_held_s = mean_held(&g, s->samples);
    /* Trials grow to their full length. */
    if (*out_held_s > GROWS_AT * l->at.cap_s && l->at.cap_s < LAST_CAP_S)
        l->at.cap_s = fmin(LAST_CAP_S, GROWTH * l->at.cap_s);
    l->at.generation++;
    return tr_cma_update(&l->cma, m->better, s->samples / 2);
}

static tr_status search(tr_balance_learning *l, tr_error *error) {
    search_memory memory;
    tr_status status = remember(l, &memory);
    double held_s = 0;
    int last = l->at.generation + l->settings.test_every;
    last = last < l->settings.generations ? last : l->settings.generations;
    while (!status && l->at.generation < last)
        status = make_generation(l, &memory, &held_s);
    clear_memory(&memory);
    if (status)
        return tr_fail_if(error, status, "search, generation %d", l->at.generation);
    /* The mean of the distribution is tested, not the best sample. */
    set_policy(l, l->cma.mean, l->work);
    if (l->at.generation >= l->settings.generations)
        l->at.phase = TR_BALANCE_DONE;
    return report(l, "search", l->at.generation, held_s, error);
}

/* --- phases --- */

static tr_status advance_projection(tr_balance_learning *l, tr_error *error) {
    tr_status status = find_spread(l, error);
    if (!status)
        status = report(l, "projection", 0, 0, error);
    if (!status)
        status = begin_search(l, error);
    if (!status)
        l->at.phase = TR_BALANCE_SEARCH;
    return status;
}

/* The regulator that holds longest waits in the first policy until the last round. */
static tr_status advance_regulator(tr_balance_learning *l, tr_error *error) {
    tr_balance *kept = tr_balance_of(l->policy[0]);
    tr_status status = identify(l, error);
    if (!status)
        status = report(l, "regulator", ++l->at.round, 0, error);
    if (status)
        return status;
    double score = score_of(&l->row.test);
    if (l->at.round == 1 || score > l->at.regulator_score) {
        l->at.regulator_score = score;
        *kept = *tr_balance_of(l->work);
    }
    /* After the last round the search begins at the best regulator. */
    if (l->at.round >= l->settings.rounds) {
        *tr_balance_of(l->work) = *kept;
        l->at.phase = l->settings.generations > 0 ? TR_BALANCE_PROJECTION : TR_BALANCE_DONE;
    }
    return TR_OK;
}

static tr_status advance_phase(tr_balance_learning *l, tr_error *error) {
    switch (l->at.phase) {
    case TR_BALANCE_STANCE:
        l->at.phase = TR_BALANCE_REGULATOR;
        return report(l, "stance", 0, 0, error);
    case TR_BALANCE_REGULATOR:
        return advance_regulator(l, error);
    case TR_BALANCE_PROJECTION:
        return advance_projection(l, error);
    case TR_BALANCE_SEARCH:
        return search(l, error);
    default:
        return tr_fail(error, TR_FAILED_PRECONDITION, "balance: learning is done");
    }
}

/* --- the method --- */

static tr_status advance(void *given, tr_method_row *out, tr_error *error) {
    tr_balance_learning *l = given;
    const int index = l->at.rows;
    tr_status status = advance_phase(l, error);
    if (status)
        return status;
    const tr_balance_row *row = &l->row;
    const bool searches = row->trained_s > 0;
    *out = (tr_method_row){.iteration = index, .best = row->best, .unsaved = !l->cma.mean};
    snprintf(out->phase, sizeof out->phase, "%s", row->phase);
    tr_method_row_add(out, "generation", searches ? row->iteration : (double)NAN);
    tr_method_row_add(out, "trained_at_n", searches ? l->settings.push_n : (double)NAN);
    tr_method_row_add(out, "trained_cap_s", searches ? row->cap_s : (double)NAN);
    tr_method_row_add(out, "trained_s", searches ? row->trained_s : (double)NAN);
    tr_method_row_add(out, "held_percent", 100.0 * row->test.held / row->test.trials);
    tr_method_row_add(out, "held_mean_s", row->test.mean_s);
    tr_method_row_add(out, "drift_m", row->test.drift_m);
    tr_method_row_add(out, "one_foot", row->test.one_foot);
    return TR_OK;
}

static bool is_done(const void *given) {
    return ((const tr_balance_learning *)given)->at.phase == TR_BALANCE_DONE;
}

static double share(const void *work) {
    const tr_balance_learning *l = work;
    return is_done(l) ? 1 : (double)l->at.generation / fmax(1, l->settings.generations);
}

/* Copies the best so far, with postures as the settings say. */
static tr_status best(void *given, const tr_controller **out, tr_error *error) {
    tr_balance_learning *l = given;
    tr_controller_destroy(l->finished);
    l->finished = NULL;
    tr_status status = tr_controller_copy(l->best, l->model, &l->finished);
    if (status)
        return tr_fail_if(error, status, "balance");
    const tr_balance_settings *s = &l->settings;
    const tr_postures_def def = {s->posture_looks, s->rocking, s->rock_rad, s->lean_rad};
    if (s->posture_looks > 0)
        status = tr_postures_add(l->finished, &def, error);
    if (!status)
        *out = l->finished;
    return status;
}

/* --- checkpoints --- */

static void list_policy(tr_controller *controller, tr_blocks *b) {
    tr_balance *balance = tr_balance_of(controller);
    tr_block(b, "offsets", balance->offset, sizeof balance->offset);
    tr_block(b, "gains", balance->gain, sizeof balance->gain);
}

static bool is_sound(const tr_balance_learning *l) {
    const tr_balance_progress *at = &l->at;
    bool sound = at->parameters >= 1 && at->parameters <= TR_BALANCE_PARAMETER_MAX &&
                 at->rows >= 0 && at->phase >= TR_BALANCE_SEARCH && at->phase <= TR_BALANCE_DONE;
    for (int i = 0; sound && i < at->parameters; i++) {
        const tr_balance_parameter *p = &at->parameter[i];
        sound = p->action >= 0 && p->action < TR_BALANCE_ACTIONS && p->feature >= -1 &&
                p->feature < TR_BALANCE_FEATURES;
    }
    return sound;
}

static void list(void *work, tr_blocks *b) {
    tr_balance_learning *l = work;
    tr_block(b, "progress", &l->at, sizeof l->at);
    if (!tr_block_require(b, "progress", is_sound(l)))
        return;
    list_policy(l->work, b);
    list_policy(l->best, b);
    if (b->loads && tr_cma_init(&l->cma, l->at.parameters, SIGMA, NULL)) {
        (void)tr_block_require(b, "search", false);
        return;
    }
    tr_cma_list(&l->cma, b);
}

const tr_method tr_balance_method = {
    .name = "balance",
    .command = "balance learn",
    .summary = "learn to stay on a board or a ball",
    .help =
        "Makes the object and a stance on it, identifies how turning the joints moves both,\n"
        "computes a linear-quadratic regulator, and searches from there. The command prints a row\n"
        "for every test of 60 s; the best policy is stored.\n",
    .example = "--catalogue mine.troupe --name bongo --task controllers/recipes/balance/bongo.task",
    .settings = &tr_balance_settings_table,
    .size = sizeof(tr_balance_learning),
    .begin = begin,
    .advance = advance,
    .is_done = is_done,
    .share = share,
    .best = best,
    .list = list,
    .destroy = destroy,
};
