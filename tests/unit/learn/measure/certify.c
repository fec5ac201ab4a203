#include "cmocka_test.h"

#include "control/chain/chain.h"
#include "learn/measure/certify.h"
#include "unit/learn/near.h"
#include "unit/learn/sway_suite.h"

#include <math.h>
#include <string.h>

static tr_certify_def tiny(void) {
    tr_certify_def def = tr_certify_def_default();
    def.hold_trials = 5;
    def.hold_s = 1;
    def.resist_trials = 3;
    def.resist_growth_nps[0] = 40;
    def.resist_growth_nps[1] = 20;
    def.push.directions = 4;
    def.push.phases = 3;
    def.push.starts = 2;
    def.push.settle_s = 0.2;
    def.push.after_s = 0.5;
    def.force_grid_n = 200;
    def.force_limit_n = 600;
    def.tracking.trials = 2;
    def.tracking.settle_s = 0.4;
    def.tracking_s = 0.8;
    def.ground_trials = 2;
    def.ground_s = 0.5;
    def.lasting_trials = 3;
    def.lasting_s = 2.5;
    return def;
}

static tr_certificate *certificate_of(int threads, const tr_certify_def *def) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, threads);
    tr_certifier *certifier = NULL;
    tr_certificate *certificate = test_malloc(sizeof *certificate);
    tr_error error = {0};
    char line[160];
    assert_int_equal(tr_certifier_create(ensemble, stander, def, &certifier, &error), TR_OK);
    while (!tr_certifier_is_done(certifier)) {
        assert_int_equal(tr_certifier_advance(certifier, line, sizeof line, &error), TR_OK);
        assert_true(line[0] != '\0');
    }
    assert_int_equal(tr_certifier_advance(certifier, line, sizeof line, &error), TR_OUT_OF_RANGE);
    *certificate = *tr_certifier_result(certifier);
    tr_certifier_destroy(certifier);
    return certificate;
}

TEST(it_is_the_same_for_any_number_of_threads) {
    tr_certify_def def = tiny();
    tr_certificate *one = certificate_of(1, &def), *three = certificate_of(3, &def);
    assert_memory_equal(one, three, sizeof *one);
    assert_int_equal(one->held, 5);
    assert_int_equal(one->tracking.held, 2);
    assert_int_equal(one->force[0].trials, 6);
    assert_int_equal(one->ground_count[TR_TRIAL_GROUND_PLATFORM], 0);
    assert_int_equal(one->ground_held[TR_TRIAL_GROUND_UP][0], 2);
    assert_int_equal(one->ground_held[TR_TRIAL_GROUND_UNEVEN][0], 2);
    def.seed = 2;
    tr_certificate *other = certificate_of(2, &def);
    assert_true(memcmp(one->resisting_s, other->resisting_s, sizeof one->resisting_s) != 0);
    test_free(one);
    test_free(three);
    test_free(other);
}

TEST(a_stander_tracks_itself) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    tr_tracking_test test = {.trials = 3, .settle_s = 0.5, .cycles = 2, .seed = 4};
    tr_tracking t;
    assert_int_equal(tr_tracking_watch(ensemble, stander, &test, &t), TR_OK);
    assert_int_equal(t.held, 3);
    assert_int_equal(t.ends, 3 * 2 * tr_controller_bank(stander)->fragment_count);
    assert_true(fabs(t.root_m) < 0.02 && t.root_rad < 0.05);
    assert_true(t.speed_mps < 0.05 && t.reference_speed_mps == 0);
    assert_true(t.slip_mps < 0.05);
    assert_true(t.depth_m > 0 && t.depth_m <= t.depth_max_m && t.depth_max_m < 0.02);
    assert_true(t.joint_rad[0] == 0 && t.joint_rad[model->foot[0]] > 0);
    assert_near(t.joint_rad[model->foot[0]], t.joint_rad[model->foot[1]], 0.02);
    assert_true(t.root_low_m <= t.root_mean_m && t.root_mean_m <= t.root_high_m);
    assert_true(isnan(t.nsr)); /* the reference does not move */
    test.cycles = 0;
    assert_int_equal(tr_tracking_watch(ensemble, stander, &test, &t), TR_INVALID_ARGUMENT);
}

TEST(a_trial_that_loses_the_motion_at_the_start_is_not_tracked) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    OWN(tr_controller) *faller = NULL;
    assert_int_equal(tr_controller_copy(stander, model, &faller), TR_OK);
    faller->spawn.root_vel.x = 4;
    tr_tracking_test test = {.trials = 2, .settle_s = 3, .cycles = 1, .seed = 4};
    tr_tracking t;
    assert_int_equal(tr_tracking_watch(ensemble, faller, &test, &t), TR_ABORTED);
}

/* --- what the figures say --- */

static tr_certificate *survivors(int trials, const int (*survived)[2], int forces) {
    tr_certificate *c = test_calloc(1, sizeof *c);
    c->def.push.directions = 2;
    c->force_count = forces;
    for (int i = 0; i < forces; i++) {
        c->force[i].force_n = 20 * (i + 1);
        c->force[i].trials = trials;
        memcpy(c->force[i].survived, survived[i], 2 * sizeof(int));
    }
    return c;
}

TEST(the_largest_push_is_below_the_first_that_fails) {
    static const int survived[4][2] = {{200, 200}, {195, 190}, {180, 188}, {200, 90}};
    tr_certificate *c = survivors(200, survived, 4);
    assert_near(tr_certificate_largest(c, 0, 0.95, false), 40,
                0); /* 200 of 200 later do not count */
    assert_near(tr_certificate_largest(c, 1, 0.95, false), 40, 0);
    assert_near(tr_certificate_largest(c, 1, 0.5, false), 60, 0);
    assert_near(tr_certificate_largest(c, -1, 0.95, false), 40, 0); /* 385 of 400 */
    assert_near(tr_certificate_largest(c, 0, 0.95, true), 20, 0);   /* interval from 0.943 */
    assert_near(tr_certificate_largest(c, -1, 0.93, true), 40, 0);
    test_free(c);
}

TEST(the_largest_ground_is_below_the_first_that_fails) {
    static const int held[4] = {96, 92, 91, 96}; /* 95 % of 96 are 91.2 */
    tr_certificate *c = test_calloc(1, sizeof *c);
    c->def.ground_trials = 96;
    c->ground_count[TR_TRIAL_GROUND_DOWN] = 4;
    memcpy(c->ground_held[TR_TRIAL_GROUND_DOWN], held, sizeof held);
    assert_near(tr_certificate_largest_ground(c, TR_TRIAL_GROUND_DOWN), 2, 0);
    assert_near(tr_certificate_largest_ground(c, TR_TRIAL_GROUND_UP), 0, 0);
    test_free(c);
}

TEST(the_mean_time_resisted_has_its_interval) {
    tr_certificate *c = test_calloc(1, sizeof *c);
    static const double times[] = {10, 20, 30, 40};
    c->def.resist_trials = 4;
    memcpy(c->resisting_s[1], times, sizeof times);
    double half;
    assert_near(tr_certificate_resisting(c, 1, &half), 25, 1e-12);
    assert_near(half, 1.96 * 12.909944487358056 / 2, 1e-9);
    test_free(c);
}

/* The result of heading_walk.h for the same seed, after the other tests. */
TEST(headings_are_measured_on_request) {
    tr_certify_def def = tiny();
    def.heading_trials = 2;
    def.heading_s = 1;
    def.heading_goal_s = 0.5;
    assert_true(tr_certify_has_forces(stander));
    tr_chain_of(stander)->steering.turn_rad_s = 0.5;
    tr_certificate *c = certificate_of(1, &def);
    tr_chain_of(stander)->steering.turn_rad_s = 0;
    assert_int_equal(c->heading.trials, 2);
    assert_int_equal(c->heading.held, 2);
    assert_int_equal(c->heading.heading.goals, 4);
    assert_int_equal(c->def.hold_trials, 5);
    assert_true(c->force_count > 0);
    test_free(c);
}

TEST(absurd_definitions_are_refused) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_certifier *certifier = NULL;
    tr_error error = {0};
    for (int i = 0; i < 9; i++) {
        tr_certify_def def = tiny();
        tr_controller chain = *stander;
        if (i == 0)
            def.hold_trials = 0;
        else if (i == 1)
            def.hold_s = (double)NAN;
        else if (i == 2)
            def.resist_trials = TR_CERTIFY_TRIAL_MAX + 1;
        else if (i == 3)
            def.resist_growth_nps[1] = 0;
        else if (i == 4)
            def.force_grid_n = 1;
        else if (i == 5)
            def.ground_s = 0;
        else if (i == 6)
            def.heading_trials = 1; /* it cannot be steered */
        else if (i == 7)
            def.heading_s = def.heading_goal_s / 2;
        else
            tr_controller_bank(&chain)->cyclic = false;
        assert_int_equal(tr_certifier_create(ensemble, &chain, &def, &certifier, &error),
                         TR_INVALID_ARGUMENT);
        assert_true(error.message[0] != '\0');
    }
    assert_null(certifier);
}

SUITE_FIXTURE(load, unload);
