#include "learn/schedule/schedule_training.h"

#include "control/recovery/recovery.h"
#include "learn/balance/balance_trial.h"
#include "learn/measure/heading_walk.h"
#include "learn/rehearsal/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the trainings of the shipped controllers used: controllers/log/2026-11-28-scheduling.md. */
enum { HIDDEN_LAYERS = 2 };           /* hidden layers of the network */
static const double FIRST_VALUE = 60; /* value with which the network begins */
static const double LATE_RATE = 0.3;  /* factor of the rate in the last 30 % */
static const float CLIP = 10;         /* largest error that is followed */

/* Spreads of features are at least this share of a typical one. */
static const double SPREAD_LEAST = 0.5;

static const double LATE = 0.7; /* share of the training after which the rate is late_rate */
static const double AVERAGE_PACE = 0.01; /* beta of MA[V] */
static const double TEST_SETTLE_S = 3, TEST_HOLD_S = 60;
enum { TEST_TURNS = 5 }; /* in a trial */

/* Tests use other random numbers than the training and the final figures. */
static const double DISCOUNT = 0.95; /* gamma, Liu 2017, section 4.3 */
enum { STREAM_WEIGHTS = 1, STREAM_BATCHES, STREAM_SPREADS, STREAM_ENVIRONMENTS, TEST_SEED = 90001 };

/* --- making --- */

static tr_status check_settings(const tr_schedule_training_def *def, tr_error *error) {
    const tr_schedule_settings *s = &def->settings;
    if (s->push_low_n > s->push_high_n)
        return tr_fail(error, TR_INVALID_ARGUMENT, "push_low_n: above push_high_n");
    if (s->asks + s->turns + (s->jostle_n > 0) > 1)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "asks, turns, jostle_n: expected at most one of them, because each has its own test");
    if (s->jostle_n + s->rock_rad > 0 && !tr_balance_of(def->controller))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "jostle_n: %g, rock_rad: %g, expected 0 for a controller that does not "
                       "balance",
                       s->jostle_n, s->rock_rad);
    if (s->transitions / s->test_every >= TR_SCHEDULE_ROW_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "test_every: %d; expected at most %d tests",
                       s->test_every, TR_SCHEDULE_ROW_MAX);
    return TR_OK;
}

static bool is_any(const char *names) {
    return strcmp(names, "any") == 0;
}

/* Do the settings name only skills of the controller? */
static tr_status check_names(const tr_schedule_training *t, const tr_driver_sheet *sheet,
                             tr_error *error) {
    const tr_schedule_settings *s = &t->settings;
    const char *names = s->skills;
    char name[TR_NAME_MAX];
    while (!is_any(s->skills) && tr_names_next(&names, name))
        if (tr_driver_sheet_find_skill(sheet, name) < 0)
            return tr_fail(error, TR_INVALID_ARGUMENT, "skills: '%s' has no skill '%s'",
                           t->controller->name, name);
    return is_any(s->favoured) || tr_driver_sheet_find_skill(sheet, s->favoured) >= 0
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT, "favoured: '%s' has no skill '%s'",
                         t->controller->name, s->favoured);
}

static bool is_named(const tr_schedule_settings *s, const tr_driver_skill *skill) {
    return is_any(s->skills) || tr_names_have(s->skills, skill->name);
}

/* Do all edges of a skill that is not cyclic lead from and to skills that are named? */
static bool joins_named(const tr_schedule_settings *s, const tr_driver_sheet *sheet, int way) {
    bool joins = true;
    for (int e = 0; e < sheet->edge_count; e++) {
        int from = sheet->entry[sheet->edge[e].from].skill;
        int to = sheet->entry[sheet->edge[e].to].skill;
        if (from == way)
            joins &= is_named(s, &sheet->skill[to]);
        if (to == way)
            joins &= is_named(s, &sheet->skill[from]);
    }
    return joins;
}

static bool is_scheduled(const tr_schedule_settings *s, const tr_driver_sheet *sheet, int skill) {
    const tr_driver_skill *row = &sheet->skill[skill];
    if (row->rises || (!row->cyclic && !s->ways))
        return false;
    return row->cyclic ? is_named(s, row) : joins_named(s, sheet, skill);
}

/* The entries to choose from and the skills to request: the favoured skill first. */
typedef struct listing {
    int entry[TR_SCHEDULER_ENTRY_MAX], request[TR_SCHEDULER_REQUEST_MAX];
    int entry_count, request_count;
} listing;

static tr_status list_entries(const tr_schedule_training *t, const tr_driver_sheet *sheet,
                              listing *out, tr_error *error) {
    for (int i = 0; i < sheet->outline.entry_count; i++) {
        const tr_driver_entry *e = &sheet->entry[i];
        if (e->rises || !e->start || !is_scheduled(&t->settings, sheet, e->skill))
            continue;
        if (out->entry_count == TR_SCHEDULER_ENTRY_MAX)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "'%s': more than %d entries; choose some by 'skills', or 'ways = 0'",
                           t->controller->name, TR_SCHEDULER_ENTRY_MAX);
        out->entry[out->entry_count++] = i;
    }
    return TR_OK;
}

static tr_status list_requests(const tr_schedule_training *t, const tr_driver_sheet *sheet,
                               listing *out, tr_error *error) {
    int home = tr_driver_sheet_find_skill(sheet, t->settings.favoured);
    if (!t->settings.asks)
        return TR_OK;
    /* The favoured skill comes first. */
    if (home >= 0 && sheet->skill[home].cyclic && is_scheduled(&t->settings, sheet, home))
        out->request[out->request_count++] = home;
    for (int i = 0; i < sheet->skill_count; i++)
        if (i != home && sheet->skill[i].cyclic && is_scheduled(&t->settings, sheet, i))
            out->request[out->request_count++] = i;
    return out->request_count > 1
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "asks: '%s' has fewer than two cyclic skills to ask for",
                         t->controller->name);
}

static tr_status list_all(const tr_schedule_training *t, listing *out, tr_error *error) {
    tr_driver_sheet sheet = {0};
    tr_status status = tr_driver_describe(t->controller->driver, t->controller->step_s, &sheet);
    if (status)
        return tr_fail_if(error, status, "'%s'", t->controller->name);
    status = check_names(t, &sheet, error);
    if (!status)
        status = list_entries(t, &sheet, out, error);
    if (!status)
        status = list_requests(t, &sheet, out, error);
    tr_driver_sheet_deinit(&sheet);
    return status;
}

/* Puts the scheduler in place of a recovery, which loading adds again around the scheduler. */
static tr_status add_scheduler(tr_schedule_training *t, tr_error *error) {
    int hidden[TR_NETWORK_LAYER_MAX];
    listing list = {0};
    tr_recovery_remove(t->controller);
    tr_status status = list_all(t, &list, error);
    if (status)
        return status;
    for (int l = 0; l < HIDDEN_LAYERS; l++)
        hidden[l] = t->settings.hidden_units;
    const tr_scheduler_def def = {.entry_count = list.entry_count,
                                  .hidden_count = HIDDEN_LAYERS,
                                  .entry = list.entry,
                                  .hidden = hidden,
                                  .step_s = t->controller->step_s,
                                  .request_count = list.request_count,
                                  .request = list.request,
                                  .sees_object = t->settings.objects,
                                  .steers = t->settings.turns};
    status = tr_scheduler_add(t->controller, &def, &t->scheduler, error);
    return status ? status : tr_controller_check(t->controller, t->model, error);
}

static tr_status make_worlds(tr_schedule_training *t, int threads, tr_error *error) {
    const tr_environment_def def = {t->model, t->controller, &t->settings, &t->amounts};
    size_t count = (size_t)t->amounts.environments;
    t->environment = calloc(count, sizeof(void *));
    t->transition = calloc(count, sizeof *t->transition);
    t->kept = calloc(count, sizeof *t->kept);
    t->outcome = calloc(count, sizeof *t->outcome);
    t->tally = calloc(count, sizeof *t->tally);
    if (!t->environment || !t->transition || !t->kept || !t->outcome || !t->tally)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "environments: no memory");
    tr_status status = tr_pool_create(threads, &t->pool);
    if (status)
        return tr_fail_if(error, status, "threads");
    for (size_t i = 0; !status && i < count; i++)
        status = tr_environment_create(&def, &t->environment[i], error);
    return status ? status
                  : tr_ensemble_create_for(t->model, t->controller, threads, &t->tests, error);
}

static tr_status make_learner(tr_schedule_training *t, tr_error *error) {
    tr_network *network = &t->scheduler->network;
    const tr_schedule_settings *s = &t->settings;
    size_t rows = (size_t)s->batch, in = (size_t)network->width[0],
           out = (size_t)network->width[network->layers];
    t->before = calloc(rows * in, sizeof *t->before);
    t->after = calloc(rows * in, sizeof *t->after);
    t->error = calloc(rows * out, sizeof *t->error);
    t->picked = calloc(rows * out, sizeof *t->picked);
    t->valued = calloc(rows * out, sizeof *t->valued);
    tr_status status =
        t->before && t->after && t->error && t->picked && t->valued ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = tr_network_init(&t->copy, network);
    if (!status)
        status = tr_network_init(&t->best, network);
    if (!status)
        status = tr_network_init(&t->latest, network);
    if (!status)
        status = tr_network_fit_init(&t->fit, network, s->batch);
    if (!status)
        status = tr_replay_memory_init(&t->replay, t->amounts.replay);
    return tr_fail_if(error, status, "learner");
}

/* --- scaling features: how they spread while entries follow in sequence --- */

static void add_features(const tr_schedule_training *t, const float *input, double *sum,
                         double *squares) {
    for (int k = 0; k < tr_scheduler_scaled_count(t->scheduler); k++) {
        /* Inputs are scaled already: this is the feature itself. */
        double value = (double)input[k] * t->scheduler->spread[k] + t->scheduler->mean[k];
        sum[k] += value;
        squares[k] += value * value;
    }
}

static tr_status measure_spreads(tr_schedule_training *t) {
    static const tr_exploration in_sequence = {.order_share = 1};
    tr_environment *e = t->environment[0];
    double sum[TR_SCHEDULER_SCALED_MAX] = {0}, squares[TR_SCHEDULER_SCALED_MAX] = {0};
    const int count = t->amounts.scaling_decisions;
    /* The paper scales by the reference clips (Liu 2017, section 4.1); decisions in sequence stand
     * for them. */
    tr_status status =
        tr_environment_begin(e, tr_random_split(t->settings.seed, STREAM_SPREADS, 0));
    for (int d = 0; !status && d < count; d++) {
        tr_transition transition;
        bool kept;
        status = tr_environment_step(e, &in_sequence, &transition, &kept);
        add_features(t, e->input, sum, squares);
    }
    if (status)
        return status;
    for (int k = 0; k < tr_scheduler_scaled_count(t->scheduler); k++) {
        double mean = sum[k] / count, variance = squares[k] / count - mean * mean;
        double typical = k < TR_FEATURE_COUNT ? tr_feature_spread[k]
                                              : tr_scheduler_object_spread[k - TR_FEATURE_COUNT];
        t->scheduler->mean[k] = mean;
        t->scheduler->spread[k] = fmax(sqrt(fmax(variance, 0)), SPREAD_LEAST * typical);
    }
    return TR_OK;
}

/* New episodes begin at the start and after each test. */
static tr_status begin_episodes(tr_schedule_training *t) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < t->amounts.environments; i++) {
        /* There are at most 256 environments, so that no two rounds share a stream. */
        uint64_t stream = (uint64_t)t->progress.row_count * 1024 + (uint64_t)i;
        tr_environment *e = t->environment[i];
        e->episodes = e->falls = 0;
        status =
            tr_environment_begin(e, tr_random_split(t->settings.seed, STREAM_ENVIRONMENTS, stream));
    }
    return status;
}

/* Continues from a network that chooses among the same actions by the same inputs. */
static tr_status begin_at(tr_schedule_training *t, const tr_scheduler *before, tr_error *error) {
    tr_scheduler *scheduler = t->scheduler;
    const tr_network *from = &before->network, *to = &scheduler->network;
    const size_t entries = (size_t)scheduler->entry_count * sizeof *scheduler->entry;
    if (from->layers != to->layers || memcmp(from->width, to->width, sizeof from->width) != 0 ||
        before->entry_count != scheduler->entry_count ||
        memcmp(before->entry, scheduler->entry, entries) != 0)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "'%s' is scheduled: expected the settings of skills, inputs and hidden_units "
            "with which its network was learned",
            t->controller->name);
    memcpy(scheduler->mean, before->mean, sizeof before->mean);
    memcpy(scheduler->spread, before->spread, sizeof before->spread);
    tr_network_take(&scheduler->network, from);
    return TR_OK;
}

static tr_status begin_anew(tr_schedule_training *t, tr_error *error) {
    tr_random random = tr_random_split(t->settings.seed, STREAM_WEIGHTS, 0);
    tr_status status = measure_spreads(t);
    if (status)
        return tr_fail(error, status, "'%s' is lost from all of its starts", t->controller->name);
    tr_network_draw(&t->scheduler->network, &random, (float)FIRST_VALUE);
    return TR_OK;
}

static tr_status prepare(tr_schedule_training *t, const tr_scheduler *before, tr_error *error) {
    t->progress.random = tr_random_split(t->settings.seed, STREAM_BATCHES, 0);
    t->progress.average_q = FIRST_VALUE;
    tr_status status = before ? begin_at(t, before, error) : begin_anew(t, error);
    tr_network_take(&t->copy, &t->scheduler->network);
    tr_network_take(&t->best, &t->scheduler->network);
    return status;
}

tr_status tr_schedule_training_create(const tr_schedule_training_def *def,
                                      tr_schedule_training **out, tr_error *error) {
    tr_status status = check_settings(def, error);
    if (status)
        return status;
    tr_schedule_training *t = calloc(1, sizeof *t);
    if (!t)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "training: no memory");
    t->model = def->model;
    t->settings = def->settings;
    t->amounts = def->amounts ? *def->amounts : tr_schedule_amounts_usual();
    /* A scheduler in place gives way to the new one, which begins at its network. */
    const tr_scheduler *before = tr_scheduler_of(def->controller);
    tr_controller plain = *def->controller;
    if (before)
        plain.driver = before->inner;
    status = tr_controller_copy(&plain, def->model, &t->controller);
    if (status)
        status = tr_fail_if(error, status, "training");
    else
        status = add_scheduler(t, error);
    if (!status)
        status = make_worlds(t, def->threads, error);
    if (!status)
        status = make_learner(t, error);
    if (!status)
        status = prepare(t, before, error);
    return TR_GIVE(status, t, tr_schedule_training_destroy, out);
}

void tr_schedule_training_destroy(void *work) {
    tr_schedule_training *t = work;
    if (!t)
        return;
    for (int i = 0; t->environment && i < t->amounts.environments; i++)
        tr_environment_destroy(t->environment[i]);
    free(t->environment);
    free(t->transition);
    free(t->kept);
    free(t->outcome);
    free(t->tally);
    tr_ensemble_destroy(t->tests);
    tr_pool_destroy(t->pool);
    tr_network_fit_deinit(&t->fit);
    tr_network_deinit(&t->copy);
    tr_network_deinit(&t->best);
    tr_network_deinit(&t->latest);
    tr_replay_memory_deinit(&t->replay);
    free(t->before);
    free(t->after);
    free(t->error);
    free(t->picked);
    free(t->valued);
    tr_controller_destroy(t->controller);
    free(t);
}

/* --- updates --- */

static double progress_share(const tr_schedule_training *t) {
    return (double)t->progress.transitions / t->settings.transitions;
}

/* Returns y of a row of the batch (Liu 2017, eq. 11), from the copy's values of x'. */
static float target_of(const tr_schedule_training *t, const tr_transition *drawn, int row) {
    int actions = tr_scheduler_action_count(t->scheduler);
    const float *valued = t->valued + (size_t)row * (size_t)actions;
    const float *picks = t->picked + (size_t)row * (size_t)actions;
    if (drawn->fails)
        return 0;
    int next = tr_network_largest(picks, actions);
    float value = valued[next], most = (float)(TR_SCHEDULE_REWARD / (1 - DISCOUNT));
    if (t->settings.bounded)
        value = fminf(fmaxf(value, 0), most);
    return drawn->reward + (float)DISCOUNT * value;
}

static void value_batch(const tr_network *network, int rows, const float *in, float *scratch[2],
                        float *out) {
    for (int l = 0; l < network->layers; l++) {
        float *next = l + 1 == network->layers ? out : scratch[l % 2];
        tr_network_layer(network, l, rows, in, next);
        in = next;
    }
}

/* Algorithm 1, line 15; or a moving average of the weights (Lillicrap et al. 2016). */
static void follow_with_copy(tr_schedule_training *t) {
    const tr_network *network = &t->scheduler->network;
    const float share = (float)t->settings.copy_share;
    if (share == 0 && t->progress.updates % t->settings.copy_every == 0)
        tr_network_take(&t->copy, network);
    for (size_t i = 0; share > 0 && i < tr_network_weight_count(network); i++)
        t->copy.weight[i] += share * (network->weight[i] - t->copy.weight[i]);
}

static void update(tr_schedule_training *t) {
    const tr_schedule_settings *s = &t->settings;
    tr_network *network = &t->scheduler->network;
    int inputs = network->width[0], actions = network->width[network->layers];
    /* Draw the batch, and value x' with the copy. */
    for (int r = 0; r < s->batch; r++) {
        t->drawn[r] = tr_replay_memory_draw(&t->replay, &t->progress.random);
        tr_glance_unfold(t->scheduler, &t->drawn[r]->before,
                         t->before + (size_t)r * (size_t)inputs);
        tr_glance_unfold(t->scheduler, &t->drawn[r]->after, t->after + (size_t)r * (size_t)inputs);
    }
    value_batch(&t->copy, s->batch, t->after, t->fit.delta, t->valued);
    value_batch(network, s->batch, t->after, t->fit.delta, t->picked);
    /* The error of eq. 10: only the action that was taken has one. */
    const float *value = tr_network_fit_forward(&t->fit, t->before);
    double sum = 0;
    memset(t->error, 0, (size_t)s->batch * (size_t)actions * sizeof *t->error);
    for (int r = 0; r < s->batch; r++) {
        size_t at = (size_t)r * (size_t)actions + (size_t)t->drawn[r]->action;
        const float off = value[at] - target_of(t, t->drawn[r], r);
        t->error[at] = 2 * fminf(fmaxf(off, -CLIP), CLIP) / (float)s->batch;
        sum += (double)value[at];
    }
    /* Follow the gradient, by Adam in place of eqs. 12 and 13. */
    tr_network_fit_backward(&t->fit, t->error);
    double rate = progress_share(t) >= LATE ? s->rate * LATE_RATE : s->rate;
    tr_network_fit_step(&t->fit, rate);
    t->progress.average_q += AVERAGE_PACE * (sum / s->batch - t->progress.average_q);
    t->progress.updates++;
    follow_with_copy(t);
}

/* --- decisions --- */

static void decide(void *context, int item, int worker) {
    tr_schedule_training *t = context;
    (void)worker;
    t->outcome[item] = tr_environment_step(t->environment[item], &t->exploration,
                                           &t->transition[item], &t->kept[item]);
    t->tally[item] =
        (tr_schedule_tally){t->environment[item]->episodes, t->environment[item]->falls};
}

/* Makes one decision in each environment, and as many updates (Liu 2017, algorithm 1, lines 8 to
 * 15). */
static tr_status make_round(tr_schedule_training *t) {
    const tr_schedule_settings *s = &t->settings;
    int count = t->amounts.environments;
    /* eps_o falls linearly (section 4.5). */
    double passed = fmin(1, progress_share(t) / s->order_until);
    t->exploration =
        (tr_exploration){.random_share = s->random_share,
                         .order_share = s->order_first + (s->order_last - s->order_first) * passed,
                         .pushes = s->push_high_n > 0};
    const tr_ranks_result results[] = {{t->outcome, sizeof *t->outcome},
                                       {t->transition, sizeof *t->transition},
                                       {t->kept, sizeof *t->kept},
                                       {t->tally, sizeof *t->tally},
                                       {0}};
    tr_pool_share(t->pool, decide, t, count, results);
    /* Transitions enter the memory in the environments' order, whichever thread was first. */
    for (int i = 0; i < count; i++) {
        if (t->outcome[i])
            return t->outcome[i];
        if (t->kept[i])
            tr_replay_memory_add(&t->replay, &t->transition[i]);
        t->progress.transitions++;
        if (t->replay.count >= t->amounts.warm || t->replay.count == t->replay.capacity)
            update(t);
    }
    return TR_OK;
}

/* --- tests --- */

static tr_status try_out(tr_schedule_training *t, double force_n, tr_push_trial_count *out) {
    const tr_schedule_settings *s = &t->settings;
    /* Without a push a trial lasts twice as long. */
    const tr_push_trials test = {.trials = s->test_trials,
                                 .directions = TR_PUSH_TRIAL_DIRECTIONS,
                                 .force_n = force_n,
                                 .push_s = TR_SCHEDULE_PUSH_S,
                                 .settle_s = TEST_SETTLE_S,
                                 .after_s = s->test_after_s * (force_n > 0 ? 1 : 2),
                                 .favoured = s->favoured,
                                 .seed = TEST_SEED};
    return tr_push_trials_run(t->tests, t->controller, &test, out);
}

static tr_status try_requests(tr_schedule_training *t, tr_request_tally *out) {
    const tr_schedule_settings *s = &t->settings;
    const int count = s->test_trials * s->test_requests;
    tr_request_trials test = tr_request_trials_default();
    test.trials = s->test_trials;
    test.requests = s->test_requests;
    test.seed = TEST_SEED;
    for (int i = 0; i < t->scheduler->request_count; i++)
        test.skill[test.skill_count++] = t->scheduler->request[i];
    tr_skill_request *request = calloc((size_t)count, sizeof *request);
    if (!request)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status = tr_request_trials_run(t->tests, t->controller, &test, request);
    if (!status)
        status = tr_request_count(request, count, (tr_request_choice){-1, -1}, out);
    free(request);
    return status;
}

static tr_status try_turns(tr_schedule_training *t, tr_request_tally *out) {
    const tr_heading_walk walk = {.trials = t->settings.test_trials,
                                  .seconds = TEST_TURNS * t->settings.test_turn_s,
                                  .goal_s = t->settings.test_turn_s,
                                  .turn_rad = TR_PI / 2,
                                  .near_rad = TR_PI / 12,
                                  .seed = TEST_SEED};
    tr_heading_walk_result found;
    tr_status status = tr_heading_walk_run(t->tests, t->controller, &walk, &found, NULL);
    if (!status)
        *out = (tr_request_tally){.planned = found.heading.goals,
                                  .performed = found.heading.reached,
                                  .begun_median_s = found.heading.reach_s.median,
                                  .fell = found.trials - found.held};
    return status;
}

static tr_status try_holding(tr_schedule_training *t, tr_schedule_row *row) {
    const tr_balance_test test = {.trials = t->settings.test_trials,
                                  .cap_s = TEST_HOLD_S,
                                  .push_n = t->settings.jostle_n,
                                  .seed = TEST_SEED};
    tr_balance_count found;
    tr_status status = tr_balance_test_run(t->tests, t->controller, &test, &found);
    if (!status) {
        /* A board that should roll and stands holds nothing. */
        const double roll = sqrt(2) * found.rocks_rad, least = t->settings.rock_rad;
        const double rolls = least > roll ? roll / least : 1;
        row->requests = (tr_request_tally){.planned = found.trials,
                                           .performed = (int)lround(found.held * rolls)};
        row->mean_s = found.mean_s * rolls;
    }
    return status;
}

static double share(int part, int whole) {
    return (double)part / whole;
}

static tr_status try_pushes(tr_schedule_training *t, tr_schedule_row *row) {
    tr_status status = try_out(t, 0, &row->undisturbed);
    if (!status)
        status = try_out(t, t->settings.test_low_n, &row->low);
    if (!status)
        status = try_out(t, t->settings.test_high_n, &row->high);
    if (status)
        return status;
    row->score =
        (share(row->undisturbed.survived, row->undisturbed.trials) +
         share(row->low.survived, row->low.trials) + share(row->high.survived, row->high.trials) +
         share(row->low.back, row->low.trials)) /
        4;
    return TR_OK;
}

/* Each task has a test and a score of its own. */
static tr_status try_task(tr_schedule_training *t, tr_schedule_row *row) {
    const tr_schedule_settings *s = &t->settings;
    return s->asks           ? try_requests(t, &row->requests)
           : s->turns        ? try_turns(t, &row->requests)
           : s->jostle_n > 0 ? try_holding(t, row)
                             : try_pushes(t, row);
}

static tr_status test(tr_schedule_training *t) {
    tr_schedule_progress *p = &t->progress;
    tr_schedule_row row = {.transitions = p->transitions, .average_q = p->average_q};
    /* Add up what the environments did since the last test. */
    for (int i = 0; i < t->amounts.environments; i++) {
        p->episodes += t->tally[i].episodes;
        p->falls += t->tally[i].falls;
    }
    row.episodes = p->episodes;
    row.falls = p->falls;
    const tr_schedule_settings *s = &t->settings;
    const tr_network *tested = s->copy_share > 0 ? &t->copy : &t->scheduler->network;
    tr_network_take(&t->latest, &t->scheduler->network);
    if (tested != &t->scheduler->network)
        tr_network_take(&t->scheduler->network, tested);
    tr_status status = try_task(t, &row);
    tr_network_take(&t->scheduler->network, &t->latest);
    if (status)
        return status;
    if (row.requests.planned > 0)
        row.score = share(row.requests.performed, row.requests.planned) + row.mean_s / TEST_HOLD_S;
    /* Learning may get worse again: keep the network of the highest score. */
    row.best = true;
    for (int i = 0; i < p->row_count; i++)
        row.best &= row.score > p->row[i].score;
    if (row.best)
        tr_network_take(&t->best, tested);
    p->row[p->row_count++] = row;
    return TR_OK;
}

/* Undoes tr_schedule_training_best. */
static void resume_latest(tr_schedule_training *t) {
    if (t->shows_best)
        tr_network_take(&t->scheduler->network, &t->latest);
    t->shows_best = false;
}

tr_status tr_schedule_training_advance(tr_schedule_training *t, tr_error *error) {
    const tr_schedule_settings *s = &t->settings;
    resume_latest(t);
    /* Train up to the next test, or to the end. */
    int64_t until = (int64_t)(t->progress.row_count + 1) * s->test_every;
    until = until < s->transitions ? until : s->transitions;
    tr_status status = begin_episodes(t);
    while (!status && t->progress.transitions < until)
        status = make_round(t);
    if (!status && tr_network_find_broken(&t->scheduler->network) >= 0)
        return tr_fail(error, TR_DATA_LOSS,
                       "the network is not finite any more; try a smaller rate");
    if (!status)
        status = test(t);
    return tr_fail_if(error, status, "training");
}

bool tr_schedule_training_is_done(const void *training) {
    const tr_schedule_training *t = training;
    return t->progress.transitions >= t->settings.transitions;
}

const tr_controller *tr_schedule_training_best(tr_schedule_training *t) {
    if (!t->shows_best)
        tr_network_take(&t->latest, &t->scheduler->network);
    t->shows_best = true;
    tr_network_take(&t->scheduler->network, &t->best);
    return t->controller;
}
