#include "cmocka_test.h"

#include "control/balance/balance.h"
#include "learn/balance/apparatus.h"
#include "learn/method/work_file.h"
#include "learn/methods.h"
#include "learn/schedule/environment.h"
#include "learn/schedule/schedule_training.h"
#include "physics/world/world.h"
#include "unit/defaults.h"
#include "unit/learn/sway_suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char PATH[] = "schedule_training_test.checkpoint";

/* A training of a second: two tests. */
static tr_schedule_settings short_task(void) {
    tr_schedule_settings s = DEFAULTS(tr_schedule_settings, tr_schedule_settings_table);
    s.transitions = 200;
    s.test_every = 100;
    s.test_trials = 2;
    s.test_after_s = 1;
    s.hidden_units = 16;
    s.copy_every = 40;
    s.batch = 10;
    return s;
}

static const tr_schedule_amounts few = {.environments = 3,
                                        .episode = 30,
                                        .back = 5,
                                        .push_every_low_s = 1.5,
                                        .push_every_high_s = 3,
                                        .scaling_decisions = 50,
                                        .warm = 30,
                                        .replay = 150};

static tr_schedule_training *create(const tr_schedule_settings *settings, int threads) {
    tr_schedule_training *training = NULL;
    tr_error error = {0};
    const tr_schedule_training_def def = {model, stander, *settings, threads, &few};
    if (tr_schedule_training_create(&def, &training, &error))
        fail_msg("%s", error.message);
    return training;
}

static void advance(tr_schedule_training *training) {
    tr_error error = {0};
    if (tr_schedule_training_advance(training, &error))
        fail_msg("%s", error.message);
}

static uint64_t best_hash(tr_schedule_training *training) {
    return tr_controller_hash(tr_schedule_training_best(training), model);
}

static uint64_t trained(const tr_schedule_settings *settings, int threads) {
    OWN(tr_schedule_training) *training = create(settings, threads);
    while (!tr_schedule_training_is_done(training))
        advance(training);
    const tr_schedule_row *row = training->progress.row;
    assert_int_equal(training->progress.row_count, 2);
    assert_true(row[0].best && row[1].transitions >= 200 && row[1].episodes >= row[0].episodes);
    uint64_t hash = best_hash(training);
    return hash;
}

static const tr_work_bond bond = {.method = "schedule"};

static tr_work_file file_of(tr_schedule_training *training) {
    return (tr_work_file){&tr_schedule_method, training, &bond, NULL, NULL};
}

/* On any number of threads, but not with another seed. */
TEST(a_resumed_training_ends_as_an_uninterrupted_one) {
    tr_schedule_settings settings = short_task();
    uint64_t expected = trained(&settings, 3);
    tr_schedule_training *first = create(&settings, 1), *second = create(&settings, 1);
    advance(first);
    (void)best_hash(first); /* looking at the best changes nothing */
    const tr_work_file saved = file_of(first), loaded = file_of(second);
    assert_int_equal(tr_work_file_save(&saved, PATH, NULL), TR_OK);
    assert_int_equal(tr_work_file_load(&loaded, PATH, NULL), TR_OK);
    advance(second);
    assert_int_equal(best_hash(second), expected);
    advance(first);
    assert_int_equal(best_hash(first), expected);
    settings.seed = 2;
    assert_int_not_equal(trained(&settings, 1), expected);
    tr_schedule_training_destroy(first);
    tr_schedule_training_destroy(second);
    remove(PATH);
}

/* How far the copy is from the network after some updates; the largest difference of a weight. */
static double lag_of_copy(double share) {
    tr_schedule_settings settings = short_task();
    double most = 0;
    settings.copy_share = share;
    settings.copy_every = 1; /* which a share takes the place of */
    OWN(tr_schedule_training) *training = create(&settings, 1);
    advance(training);
    const tr_network *network = &training->latest;
    for (size_t i = 0; i < tr_network_weight_count(network); i++)
        most = fmax(most, fabs((double)network->weight[i] - (double)training->copy.weight[i]));
    return most;
}

TEST(a_copy_may_near_the_network_by_a_share) {
    const double whole = lag_of_copy(1), slow = lag_of_copy(0.01), slower = lag_of_copy(0.001);
    assert_true(whole < 1e-6);
    assert_true(slow > 1e-4 && slower > slow);
}

TEST(headings_are_trained_on_any_number_of_threads) {
    tr_schedule_settings settings = short_task();
    uint64_t pushed = trained(&settings, 1);
    settings.turns = 1;
    settings.pace_least_mps = 1;
    uint64_t alone = trained(&settings, 1);
    assert_int_equal(trained(&settings, 3), alone);
    assert_int_not_equal(alone, pushed);
    settings.aim_penalty = 2;
    assert_int_not_equal(trained(&settings, 1), alone);
}

TEST(settings_that_do_not_fit_are_named) {
    for (int what = 0; what < 3; what++) {
        static const char *const named[] = {"favoured: ", "push_low_n", "asks, turns"};
        tr_schedule_settings settings = short_task();
        if (what == 0)
            strcpy(settings.favoured, "fly");
        else if (what == 2)
            settings.turns = settings.asks = 1;
        else
            settings.push_low_n = 1000;
        tr_schedule_training *training = NULL;
        tr_error error = {0};
        const tr_schedule_training_def def = {model, stander, settings, 1, &few};
        assert_int_equal(tr_schedule_training_create(&def, &training, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[what]));
        assert_null(training);
    }
}

/* --- trials --- */

TEST(larger_pushes_are_survived_by_fewer) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    tr_push_trials test = {.trials = 16,
                           .directions = 4,
                           .push_s = 0.2,
                           .settle_s = 1,
                           .after_s = 2,
                           .favoured = "any",
                           .seed = 5};
    tr_push_trial_count unpushed, pushed;
    assert_int_equal(tr_push_trials_run(ensemble, stander, &test, &unpushed), TR_OK);
    test.force_n = 800;
    assert_int_equal(tr_push_trials_run(ensemble, stander, &test, &pushed), TR_OK);
    assert_int_equal(unpushed.trials, 16);
    assert_true(pushed.survived < unpushed.survived);
    assert_true(unpushed.back == unpushed.survived && unpushed.decisions == 0);
    assert_int_equal(unpushed.stood, unpushed.survived);
    assert_true(pushed.stood < unpushed.stood);
    test.trials = 0;
    assert_int_equal(tr_push_trials_run(ensemble, stander, &test, &pushed), TR_INVALID_ARGUMENT);
}

/* Pushes come every 0.1 s. */
TEST(few_decisions_under_pushes_are_learned_from) {
    tr_schedule_settings settings = short_task();
    tr_schedule_amounts amounts = few;
    settings.push_low_n = settings.push_high_n = 20;
    amounts.push_every_low_s = amounts.push_every_high_s = 0.1;
    OWN(tr_schedule_training) *training = create(&settings, 1);
    const tr_environment_def def = {model, tr_schedule_training_best(training), &settings,
                                    &amounts};
    const tr_exploration pushed = {.order_share = 1, .pushes = true};
    tr_environment *environment = NULL;
    assert_int_equal(tr_environment_create(&def, &environment, NULL), TR_OK);
    assert_int_equal(tr_environment_begin(environment, tr_random_seed(4)), TR_OK);
    int count = 0;
    for (int i = 0; i < 20; i++) {
        tr_transition transition;
        bool kept = false;
        assert_int_equal(tr_environment_step(environment, &pushed, &transition, &kept), TR_OK);
        count += kept;
    }
    assert_in_range(count, 0, 10);
    tr_environment_destroy(environment);
}

/* The reward of a first decision on a bongo board, which stands still. */
static double first_reward(const tr_model *body, double rock_rad) {
    tr_schedule_settings settings = short_task();
    const tr_balance_settings board = DEFAULTS(tr_balance_settings, tr_balance_settings_table);
    const tr_postures_def postures = {.looks = 10, .rocking = 2};
    const tr_exploration in_order = {.order_share = 1};
    settings.rock_rad = rock_rad;
    tr_schedule_training_def def = {body, NULL, settings, 1, &few};
    OWN(tr_controller) *controller = NULL;
    OWN(tr_schedule_training) *training = NULL;
    tr_environment *environment = NULL;
    tr_transition transition;
    bool kept;
    assert_int_equal(tr_apparatus_create(body, &board, TR_APPARATUS_KNEE_RAD, &controller, NULL),
                     TR_OK);
    assert_int_equal(tr_postures_add(controller, &postures, NULL), TR_OK);
    def.controller = controller;
    assert_int_equal(tr_schedule_training_create(&def, &training, NULL), TR_OK);
    const tr_environment_def world = {body, tr_schedule_training_best(training), &settings, &few};
    assert_int_equal(tr_environment_create(&world, &environment, NULL), TR_OK);
    assert_int_equal(tr_environment_begin(environment, tr_random_seed(4)), TR_OK);
    assert_int_equal(tr_environment_step(environment, &in_order, &transition, &kept), TR_OK);
    tr_environment_destroy(environment);
    return (double)transition.reward;
}

TEST(a_board_that_should_roll_and_stands_earns_less) {
    OWN(tr_model) *body = NULL;
    assert_int_equal(tr_mjcf_load(TR_MODEL_DIR "/humanoid51.xml", &body, NULL), TR_OK);
    const double any = first_reward(body, 0), much = first_reward(body, 1);
    assert_true(any - much > 3 && any - much < 4);
    assert_true(any - first_reward(body, 0.001) < 0.5);
}

TEST(falls_are_trained_with_on_any_number_of_threads) {
    tr_schedule_settings settings = short_task();
    settings.push_low_n = settings.push_high_n = 600;
    const uint64_t alone = trained(&settings, 1);
    assert_int_equal(trained(&settings, 3), alone);
}

SUITE_FIXTURE(load, unload);
