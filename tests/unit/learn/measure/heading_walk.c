/* controllers/learn/measure/heading_walk.h: how controllers follow headings that change. */
#include "cmocka_test.h"

#include "control/chain/chain.h"
#include "learn/measure/heading_walk.h"
#include "unit/control/latent/loops_puppet.h"
#include "unit/learn/sway.h"

#include <math.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_controller, puppet);

BEFORE_ALL() {
    const loops_puppet_definition def = loops_puppet_def();
    tr_physics_init();
    model = loops_model();
    puppet = loops_puppet(model, &def);
}

static tr_heading_walk usual(void) {
    return (tr_heading_walk){.trials = 4, .seconds = 6, .goal_s = 3, .seed = 1};
}

static tr_heading_walk_result measure(const tr_heading_walk *walk, int threads) {
    OWN(tr_ensemble) *ensemble = NULL;
    tr_heading_walk_result result;
    tr_error error = {0};
    if (tr_ensemble_create_for(model, puppet, threads, &ensemble, &error) ||
        tr_heading_walk_run(ensemble, puppet, walk, &result, &error))
        fail_msg("%s", error.message);
    return result;
}

TEST(a_puppet_follows_headings_on_any_number_of_threads) {
    const tr_heading_walk walk = usual();
    tr_heading_walk_result one = measure(&walk, 1), two = measure(&walk, 2);
    assert_memory_equal(&one, &two, sizeof one);
    assert_int_equal(one.held, walk.trials);
    assert_true(fabs(one.mean_s - walk.seconds) < 0.1 && one.shortest_s == walk.seconds);
    assert_true(one.heading.reward.median > 300);
    assert_true(one.heading.missed < 0.5);
    assert_true(fabs(one.speed_mps.median - LOOP_FORWARD * 30) < 0.5);
}

/* A heading at a right angle is not reached to a degree after two looks, but after 3 s. */
TEST(a_heading_can_have_a_fixed_distance) {
    tr_heading_walk walk = usual();
    walk.turn_rad = 1.5;
    walk.near_rad = 0.35;
    const tr_heading_walk_result slow = measure(&walk, 1);
    walk.goal_s = 0.1;
    walk.near_rad = 0.02;
    const tr_heading_walk_result soon = measure(&walk, 1);
    assert_int_equal(slow.heading.goals, walk.trials * 2);
    assert_true(slow.heading.reached > slow.heading.goals / 2);
    assert_int_equal(soon.heading.reached, 0);
    walk.turn_rad = 4;
    tr_heading_walk_result result;
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    assert_int_equal(tr_heading_walk_run(ensemble, puppet, &walk, &result, NULL),
                     TR_INVALID_ARGUMENT);
}

TEST(a_parameter_is_set_for_the_driver) {
    tr_heading_walk walk = usual();
    walk.setting[walk.setting_count++] = (tr_heading_setting){"map_hold", 1};
    tr_heading_walk_result held = measure(&walk, 1);
    assert_true(held.speed_mps.median < 0.5);
    assert_true(held.heading.missed > 0.5);
}

/* A standing character is thrown over in each trial, and stays down. */
TEST(a_trial_continues_after_a_fall_if_characters_may_get_up) {
    OWN(tr_controller) *stander = sway_stander(model, false);
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_heading_walk_result result[2];
    tr_heading_walk walk = usual();
    tr_chain_of(stander)->steering.turn_rad_s = 0.5;
    walk.push_n = 2000;
    for (int rises = 0; rises < 2; rises++) {
        walk.rises = rises;
        assert_int_equal(tr_heading_walk_run(ensemble, stander, &walk, &result[rises], NULL),
                         TR_OK);
        assert_int_equal(result[rises].held, 0);
    }
    assert_true(result[0].mean_s < walk.seconds && result[0].falls == 0);
    assert_true(result[1].shortest_s == walk.seconds);
    assert_true(result[1].falls >= walk.trials && result[1].falls - result[1].risen == walk.trials);
}

TEST(what_cannot_be_measured_is_refused) {
    OWN(tr_controller) *stander = sway_stander(model, false);
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_heading_walk walk = usual();
    tr_heading_walk_result result;
    tr_error error = {0};
    assert_int_equal(tr_heading_walk_run(ensemble, stander, &walk, &result, &error),
                     TR_FAILED_PRECONDITION);
    walk.setting[walk.setting_count++] = (tr_heading_setting){"reach_far", 1};
    assert_int_equal(tr_heading_walk_run(ensemble, puppet, &walk, &result, &error), TR_NOT_FOUND);
    walk = usual();
    walk.goal_s = 7;
    assert_int_equal(tr_heading_walk_run(ensemble, puppet, &walk, &result, &error),
                     TR_INVALID_ARGUMENT);
}
