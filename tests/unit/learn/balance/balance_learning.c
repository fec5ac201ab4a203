#include "cmocka_test.h"

#include "learn/balance/balance_learning.h"
#include "learn/balance/skateboard.h"
#include "learn/method/work_file.h"
#include "learn/methods.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char PATH[] = "balance_learning_test.checkpoint";

/* --- the apparatus --- */

/* Height of the soles over the top of the board, or of the ball under them. */
static double gap(const tr_model *model, const tr_controller *controller, const char *object,
                  double radius_m, double thickness_m) {
    tr_body_state bodies[TR_BODY_MAX];
    double worst = 0;
    tr_state_forward(model, &controller->spawn, bodies);
    for (int side = 0; side < 2; side++) {
        int foot = model->foot[side];
        const tr_balance *balance = tr_balance_of(controller);
        tr_vec3 base = controller->rig->object[balance->place.base].state.pos;
        tr_vec3 ankle = tr_body_origin(model, foot, &bodies[foot]);
        ankle.x = base.x;
        double far = strcmp(object, "ball") == 0
                         ? tr_vec3_distance(ankle, base) - radius_m - 0.08
                         : tr_body_lowest_point(model, foot, bodies) - 2 * radius_m - thickness_m;
        worst = fmax(worst, fabs(far));
    }
    return worst;
}

TEST(the_feet_stand_on_the_object_and_the_mass_above_it) {
    const tr_model *model = *given;
    static const char *const object[] = {"board", "ball"};
    for (int i = 0; i < 2; i++) {
        tr_balance_settings settings = DEFAULTS(tr_balance_settings, tr_balance_settings_table);
        OWN(tr_controller) *controller = NULL;
        tr_error error = {0};
        tr_body_state bodies[TR_BODY_MAX];
        strcpy(settings.object, object[i]);
        if (i == 1) {
            settings.radius_m = 0.35;
            settings.feet_m = 0.13;
        }
        if (tr_apparatus_create(model, &settings, TR_APPARATUS_KNEE_RAD, &controller, &error))
            fail_msg("%s", error.message);
        assert_true(gap(model, controller, object[i], settings.radius_m, TR_DECK_THICKNESS_M) <
                    1e-3);
        tr_state_forward(model, &controller->spawn, bodies);
        tr_vec3 com = tr_body_momentum(model, bodies).com_pos;
        assert_true(fabs(com.x - controller->rig->object[0].state.pos.x) < 1e-6);
        assert_true(fabs(com.y) < 1e-6);
    }
}

TEST(what_cannot_be_stood_on_is_named) {
    tr_balance_settings settings = DEFAULTS(tr_balance_settings, tr_balance_settings_table);
    tr_controller *controller = NULL;
    tr_error error = {0};
    strcpy(settings.object, "cloud");
    assert_int_equal(
        tr_apparatus_create(*given, &settings, TR_APPARATUS_KNEE_RAD, &controller, &error),
        TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "cloud"));
    strcpy(settings.object, "board");
    settings.feet_m = 0.95;
    assert_int_equal(
        tr_apparatus_create(*given, &settings, TR_APPARATUS_KNEE_RAD, &controller, &error),
        TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "feet_m"));
}

/* --- learning --- */

static tr_balance_settings few(void) {
    tr_balance_settings settings = DEFAULTS(tr_balance_settings, tr_balance_settings_table);
    settings.rounds = 1;
    settings.samples = 4;
    settings.trials = 2;
    settings.generations = 1;
    settings.test_trials = 2;
    settings.push_n = 10;
    return settings;
}

/* cap_s: of the first trials; so short that they end soon, or hold and grow */
static tr_balance_learning *create(const tr_model *model, const tr_balance_settings *settings,
                                   int threads, double cap_s) {
    const tr_method_def def = {model, settings, NULL, "", threads, NULL};
    void *work = NULL;
    tr_error error = {0};
    if (tr_method_create(&tr_balance_method, &def, &work, &error))
        fail_msg("%s", error.message);
    ((tr_balance_learning *)work)->at.cap_s = cap_s;
    return work;
}

static tr_balance_row advance(tr_balance_learning *learning) {
    tr_method_row row;
    tr_error error = {0};
    if (tr_balance_method.advance(learning, &row, &error))
        fail_msg("%s", error.message);
    return learning->row;
}

/* The rows of one training, and the hash of its result. */
static int learn(const tr_model *model, int threads, tr_balance_row *out, uint64_t *out_hash) {
    int count = 0;
    const tr_balance_settings settings = few();
    tr_balance_learning *learning = create(model, &settings, threads, 2);
    while (!tr_balance_method.is_done(learning))
        out[count++] = advance(learning);
    *out_hash = tr_controller_hash(learning->best, model);
    tr_balance_method.destroy(learning);
    return count;
}

TEST(a_regulator_holds_longer_than_the_stance_for_any_threads) {
    tr_balance_row one[8], two[8];
    uint64_t hash[2];
    int rows = learn(*given, 1, one, &hash[0]);
    assert_int_equal(rows, learn(*given, 2, two, &hash[1]));
    assert_int_equal(hash[0], hash[1]);
    for (int i = 0; i < rows; i++)
        assert_true(one[i].test.mean_s == two[i].test.mean_s);
    assert_string_equal(one[0].phase, "stance");
    assert_string_equal(one[1].phase, "regulator");
    assert_true(one[1].test.mean_s > 2 * one[0].test.mean_s);
}

TEST(postures_lie_around_the_best_policy) {
    tr_balance_settings settings = few();
    tr_error error = {0};
    settings.posture_looks = 10;
    settings.rocking = 11;
    settings.rock_rad = settings.lean_rad = 0.05;
    tr_balance_learning *learning = create(*given, &settings, 1, 0.25);
    for (int i = 0; i < 2; i++)
        (void)advance(learning);
    const tr_controller *best = NULL;
    assert_int_equal(tr_balance_method.best(learning, &best, &error), TR_OK);
    const tr_postures *postures = &tr_balance_of(best)->postures;
    const tr_balance *policy = tr_balance_of(best);
    assert_true(tr_postures_exist(postures));
    assert_int_equal(tr_controller_check(best, *given, &error), TR_OK);
    /* The knees answer the roll of 0.05 sin(phase) and its rate, in the middle of the third of
     * eleven phases. */
    const double *gain = policy->gain[TR_BALANCE_TURN_KNEES];
    const double phase = 2 * TR_PI * 2.5 / 11, period_s = 11 * 10 * policy->hold * best->step_s;
    const double turn = -gain[TR_BALANCE_DECK_ROLL] * 0.05 * sin(phase) -
                        gain[TR_BALANCE_DECK_ROLL_RATE] * 0.05 * cos(phase) * 2 * TR_PI / period_s;
    assert_true(gain[TR_BALANCE_DECK_ROLL] != 0);
    assert_float_equal(postures->turn[1 + 2][TR_BALANCE_TURN_KNEES], fmin(fmax(turn, -2), 2),
                       1e-12);
    tr_balance_method.destroy(learning);
}

/* --- checkpoints --- */

static tr_balance_settings searching(void) {
    tr_balance_settings settings = few();
    settings.generations = 3;
    settings.test_every = 1;
    return settings;
}

/* Advances until the phase's row; returns it. */
static tr_balance_row advance_to(tr_balance_learning *learning, const char *phase, int iteration) {
    tr_balance_row row = advance(learning);
    while (strcmp(row.phase, phase) != 0 || row.iteration < iteration)
        row = advance(learning);
    return row;
}

static const tr_work_bond bond = {.method = "balance"};

static void save(tr_balance_learning *learning) {
    tr_error error = {0};
    const tr_work_file file = {&tr_balance_method, learning, &bond, NULL, NULL};
    if (tr_work_file_save(&file, PATH, &error))
        fail_msg("%s", error.message);
}

static tr_status resume(tr_balance_learning *learning, tr_error *error) {
    const tr_work_file file = {&tr_balance_method, learning, &bond, NULL, NULL};
    return tr_work_file_load(&file, PATH, error);
}

TEST(a_training_continues_from_its_checkpoint_to_the_same_bits) {
    const tr_model *model = *given;
    tr_error error = {0};
    const tr_balance_settings settings = searching();
    tr_balance_learning *whole = create(model, &settings, 1, 0.25),
                        *later = create(model, &settings, 1, 0.25);
    (void)remove(PATH);
    assert_int_equal(resume(later, &error), TR_NOT_FOUND);
    (void)advance_to(whole, "regulator", 1);
    tr_balance_row first = advance_to(whole, "search", 1);
    save(whole);
    tr_balance_row last = advance_to(whole, "search", 3);
    assert_true(first.cap_s < last.cap_s); /* trials that hold grow */
    assert_int_equal(resume(later, &error), TR_OK);
    tr_balance_row resumed = advance_to(later, "search", 3);
    assert_true(last.trained_s == resumed.trained_s && last.test.mean_s == resumed.test.mean_s);
    assert_true(tr_balance_method.is_done(later));
    assert_int_equal(tr_controller_hash(whole->best, model),
                     tr_controller_hash(later->best, model));
    tr_balance_method.destroy(whole);
    tr_balance_method.destroy(later);
    (void)remove(PATH);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
