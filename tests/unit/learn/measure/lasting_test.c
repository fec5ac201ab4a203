#include "cmocka_test.h"

#include "learn/measure/lasting_test.h"
#include "unit/learn/sway_suite.h"

static int held_of(int threads, tr_force_kind kind, double most_n, double seconds) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, threads);
    const tr_lasting_test test = {kind, most_n, 6, seconds, 3};
    int held = -1;
    assert_int_equal(tr_evaluate_lasting(ensemble, stander, &test, &held), TR_OK);
    return held;
}

TEST(weak_forces_are_survived_and_strong_ones_are_not) {
    assert_int_equal(held_of(1, TR_FORCE_CONSTANT, 0.5, 3), 6);
    assert_int_equal(held_of(1, TR_FORCE_STEP, 5000, 4), 0);
}

TEST(nothing_acts_in_the_first_two_seconds) {
    assert_int_equal(held_of(1, TR_FORCE_STEP, 5000, 2), 6);
}

TEST(it_is_the_same_for_any_number_of_threads) {
    int one = held_of(1, TR_FORCE_STEP, 60, 4);
    assert_true(one > 0 && one < 6);
    assert_int_equal(held_of(3, TR_FORCE_STEP, 60, 4), one);
}

TEST(no_trials_and_no_time_are_refused) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    int held = -1;
    const tr_lasting_test no_trials = {TR_FORCE_STEP, 10, 0, 1, 3};
    const tr_lasting_test no_time = {TR_FORCE_STEP, 10, 1, 0, 3};
    assert_int_equal(tr_evaluate_lasting(ensemble, stander, &no_trials, &held),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_evaluate_lasting(ensemble, stander, &no_time, &held), TR_INVALID_ARGUMENT);
    assert_int_equal(held, -1);
}

SUITE_FIXTURE(load, unload);
