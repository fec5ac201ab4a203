#include "cmocka_test.h"

#include "control/parts/state_distance.h"
#include "learn/measure/evaluate.h"
#include "learn/rehearsal/tread.h"
#include "learn/rehearsal/trial.h"
#include "learn/rehearsal/trial_ground.h"
#include "learn/rehearsal/trial_world.h"
#include "unit/learn/near.h"
#include "unit/learn/sway_suite.h"

#include <math.h>
#include <string.h>

/* Reference values: Newcombe 1998, Statistics in Medicine 17, table I, method 3 (81 of 263; 15 of
 * 148; 0 of 20; 1 of 29). */
TEST(wilson_agrees_with_published_values) {
    static const struct {
        int successes, trials;
        double low, high;
    } known[] = {{81, 263, 0.2553, 0.3662},
                 {15, 148, 0.0624, 0.1605},
                 {0, 20, 0.0000, 0.1611},
                 {1, 29, 0.0061, 0.1718}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double low, high;
        tr_evaluate_wilson(known[i].successes, known[i].trials, &low, &high);
        assert_near(low, known[i].low, 6e-5);
        assert_near(high, known[i].high, 6e-5);
    }
}

TEST(a_stander_holds_and_moves_nowhere) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    tr_hold_test test = {.trials = 4, .cap_s = 2, .seed = 3};
    tr_hold_result result;
    assert_int_equal(tr_evaluate_hold(ensemble, stander, &test, &result), TR_OK);
    assert_int_equal(result.trials, 4);
    assert_int_equal(result.held, 4);
    assert_near(result.mean_s, 2, 1e-12);
    tr_gait_report gait;
    assert_int_equal(tr_evaluate_gait(ensemble, stander, 0.5, 2, &gait), TR_OK);
    assert_true(gait.held);
    assert_true(gait.speed_mps < 0.05);
    assert_true(fabs(gait.turn_rate) < 0.05);
    assert_true(gait.pose_error_rad < 0.1);
    assert_true(gait.cycle_m >= 0 && gait.cycle_m < 0.05);
    /* Of joints that hold a standing body. */
    double most = 0;
    for (int i = 6; i < 6 * model->body_count; i++)
        most = fmax(most, gait.peak_nm[i / 6][i % 6 / 2][i % 2]);
    assert_true(most > 0.05 && most < 50);
}

TEST(a_motion_is_not_lost_on_a_high_platform) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_rehearsal *rehearsal = &ensemble->rehearsal[0];
    tr_scenery_def platform = {
        .size = {3, 3, 1}, .pos = {0, 0, 49}, .rot = {1, 0, 0, 0}, .friction = 1};
    assert_int_equal(tr_world_add_scenery(rehearsal->world, &platform, NULL), TR_OK);
    tr_state start = stander->spawn;
    start.pose.root_pos.z += 50;
    tr_trial trial;
    assert_int_equal(tr_trial_begin(&trial, stander, rehearsal, &start), TR_OK);
    tr_trial_run(&trial, rehearsal, 400);
    assert_false(trial.lost);
}

/* A standing character loads the ground with its weight, one that drops onto it with more. */
TEST(a_stander_loads_the_ground_with_its_weight) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_hold_test test = {.trials = 2, .cap_s = 1, .seed = 3};
    tr_rehearsal *rehearsal = &ensemble->rehearsal[0];
    tr_tread_result result = {0};
    assert_int_equal(tr_evaluate_tread(ensemble, stander, &test, &result), TR_OK);
    assert_true(result.peak_bw > 0.95 && result.peak_bw < 1.5);
    assert_true(result.slip_mps < 0.005);
    test.trials = 0;
    assert_int_equal(tr_evaluate_tread(ensemble, stander, &test, &result), TR_INVALID_ARGUMENT);
    tr_state high = stander->spawn;
    high.pose.root_pos.z += 0.2;
    double least = 9, most = 0;
    tr_trial trial;
    assert_int_equal(tr_trial_begin(&trial, stander, rehearsal, &high), TR_OK);
    for (int i = 1; i <= 60; i++) {
        tr_trial_run(&trial, rehearsal, i);
        tr_tread tread = {0};
        tr_tread_add(&tread, rehearsal);
        least = fmin(least, tread.load_bw);
        most = fmax(most, tread.load_bw);
    }
    assert_true(least == 0 && most > 3);
}

/* Below 5 body weights each counts alike, and the load of a flip's landing counts too. */
TEST(a_softer_step_is_worth_more_at_any_load) {
    assert_true(fabs(tr_tread_strike_worth(2) - tr_tread_strike_worth(3) - 100) < 1e-9);
    assert_true(fabs(tr_tread_strike_worth(4.999) - tr_tread_strike_worth(5) - 0.1) < 1e-9);
    assert_true(tr_tread_strike_worth(15) - tr_tread_strike_worth(29) > 50);
    assert_true(tr_tread_strike_worth(100) > 0);
}

/* On ice a character that begins at 2 m/s slides at that speed; elsewhere its feet stop. */
TEST(feet_that_slide_are_seen) {
    tr_state moving = stander->spawn;
    moving.root_vel.y = 2;
    for (int ice = 0; ice <= 1; ice++) {
        tr_trial_world world = tr_trial_world_plain();
        world.friction = ice ? 0.001 : 1;
        tr_trial_place place;
        tr_trial trial;
        tr_tread tread = {0};
        double load = 0;
        assert_int_equal(tr_trial_place_open(&world, model, stander, &place), TR_OK);
        assert_int_equal(tr_trial_begin(&trial, stander, &place.rehearsal, &moving), TR_OK);
        for (int i = 1; i <= 20; i++) {
            tr_trial_run(&trial, &place.rehearsal, i);
            tr_tread_add(&tread, &place.rehearsal);
            load += tread.load_bw / 20;
        }
        assert_true(load > 0.5);
        double slip = tr_tread_slip(&tread) / load;
        assert_true(ice ? fabs(slip - 2) < 0.2 : slip < 0.2);
        tr_trial_place_close(&place);
    }
}

TEST(a_fallen_character_does_not_hold) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    OWN(tr_controller) *faller = NULL;
    assert_int_equal(tr_controller_copy(stander, model, &faller), TR_OK);
    faller->spawn.root_vel.x = 3;
    tr_hold_test test = {.trials = 3, .cap_s = 5, .seed = 3};
    tr_hold_result result;
    assert_int_equal(tr_evaluate_hold(ensemble, faller, &test, &result), TR_OK);
    assert_int_equal(result.held, 0);
    assert_true(result.mean_s < 2 && result.shortest_s <= result.mean_s);
}

/* What a driver decides by the tick, such as the way in which a character gets up, must not depend on
 * the trials before. */
TEST(a_trial_begins_at_tick_0) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_rehearsal *rehearsal = &ensemble->rehearsal[0];
    tr_trial trial;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tr_trial_begin(&trial, stander, rehearsal, &stander->spawn), TR_OK);
        assert_int_equal(tr_world_tick(rehearsal->world), 0);
        tr_trial_run(&trial, rehearsal, 10);
        assert_int_equal(tr_world_tick(rehearsal->world), 10);
    }
}

/* Also where the last trial stood at the same place on other ground. */
TEST(a_trial_finds_its_ground_anew) {
    const tr_trial_ground slope = {.kind = TR_TRIAL_GROUND_UP, .amount = 10, .side_m = 60};
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_rehearsal *rehearsal = &ensemble->rehearsal[0];
    tr_trial trial;
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            assert_int_equal(tr_trial_ground_lay(&slope, rehearsal->world), TR_OK);
        assert_int_equal(tr_trial_begin(&trial, stander, rehearsal, &stander->spawn), TR_OK);
        const tr_ground ground = tr_world_local_ground(rehearsal->world, rehearsal->character);
        assert_true((ground.normal.z < 0.999) == (i == 0));
        tr_trial_ground_lift(rehearsal->world);
    }
}

/* A trial on a slope begins tilted with it; nothing of the slope remains for the next test. */
TEST(chains_are_held_on_slopes) {
    static const double slope_deg[] = {1, 40, 0};
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    int held[3];
    for (int i = 0; i < 3; i++) {
        const tr_hold_test test = {.trials = 4, .cap_s = 2, .slope_deg = slope_deg[i]};
        tr_hold_result result;
        assert_int_equal(tr_evaluate_hold(ensemble, stander, &test, &result), TR_OK);
        held[i] = result.held;
    }
    assert_int_equal(held[0], 4);
    assert_int_equal(held[1], 0);
    assert_int_equal(held[2], 4);
}

/* They fall at different times, so that groups shrink. */
TEST(times_of_falls_do_not_depend_on_groups) {
    const tr_ensemble_def grouped = {model, "a", 0.005, 1, NULL, TR_QUARTET_MAX};
    OWN(tr_ensemble) *alone = sway_ensemble(model, 1), *four = NULL;
    assert_int_equal(tr_ensemble_create(&grouped, &four), TR_OK);
    OWN(tr_controller) *faller = NULL;
    assert_int_equal(tr_controller_copy(stander, model, &faller), TR_OK);
    faller->spawn.root_vel.x = 1;
    tr_hold_test test = {.trials = 10, .cap_s = 5, .seed = 3};
    tr_hold_result one, other;
    assert_int_equal(tr_evaluate_hold(alone, faller, &test, &one), TR_OK);
    assert_int_equal(tr_evaluate_hold(four, faller, &test, &other), TR_OK);
    assert_memory_equal(&one, &other, sizeof one);
    assert_true(one.shortest_s < one.mean_s);
}

static tr_push_test short_test(double force_n) {
    tr_push_test test = tr_push_test_default();
    test.force_n = force_n;
    test.settle_s = 0.2;
    test.after_s = 0.8;
    test.seed = 9;
    return test;
}

TEST(small_pushes_are_survived_and_large_ones_not) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    tr_push_result result;
    tr_push_test test = short_test(1);
    assert_int_equal(tr_evaluate_pushes(ensemble, stander, &test, &result), TR_OK);
    assert_int_equal(result.trials, 96);
    assert_int_equal(result.survived, 96);
    test = short_test(4000);
    assert_int_equal(tr_evaluate_pushes(ensemble, stander, &test, &result), TR_OK);
    assert_int_equal(result.survived, 0);
}

/* Trials share worlds: a trial must not change the next, and threads must not change results.
 */
TEST(results_repeat_whatever_came_before) {
    tr_push_result first, again;
    OWN(tr_ensemble) *one = sway_ensemble(model, 1), *three = sway_ensemble(model, 3);
    tr_push_test middle = short_test(150), violent = short_test(3000);
    assert_int_equal(tr_evaluate_pushes(one, stander, &middle, &first), TR_OK);
    assert_int_equal(tr_evaluate_pushes(one, stander, &violent, &again), TR_OK);
    assert_int_equal(tr_evaluate_pushes(one, stander, &middle, &again), TR_OK);
    assert_memory_equal(&first, &again, sizeof first);
    assert_int_equal(tr_evaluate_pushes(three, stander, &middle, &again), TR_OK);
    assert_memory_equal(&first, &again, sizeof first);
}

/* The second fragment waves. */
TEST(a_return_to_a_moment_repeats_the_motion) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_rehearsal *rehearsal = &ensemble->rehearsal[0];
    tr_rehearsal_moment moment, first, again;
    OWN(tr_controller) *waver = NULL;
    tr_trial trial, copy;
    assert_int_equal(tr_controller_copy(stander, model, &waver), TR_OK);
    const tr_fragment *wave = &tr_controller_bank(waver)->fragment[1];
    for (int i = 1; i < wave->steps * model->body_count; i++)
        wave->target[i] = tr_quat_exp((tr_vec3){0, 0.1 * i / model->body_count, 0});
    assert_int_equal(tr_trial_begin(&trial, waver, rehearsal, &waver->spawn), TR_OK);
    tr_trial_run(&trial, rehearsal, wave->steps + 2);
    assert_int_equal(tr_rehearsal_look(rehearsal, &moment), TR_OK);
    copy = trial;
    tr_trial_run(&trial, rehearsal, wave->steps + 6);
    assert_int_equal(tr_rehearsal_look(rehearsal, &first), TR_OK);
    assert_int_equal(tr_rehearsal_return(rehearsal, &moment), TR_OK);
    tr_trial_run(&copy, rehearsal, wave->steps + 6);
    assert_int_equal(tr_rehearsal_look(rehearsal, &again), TR_OK);
    assert_true(tr_state_distance(model, &moment.state, &first.state) > 1e-3);
    assert_near(tr_state_distance(model, &first.state, &again.state), 0, 1e-12);
}

TEST(the_search_finds_the_edge) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    double found[2], score[2];
    static const double from[] = {100, 400};
    for (int i = 0; i < 2; i++) {
        tr_push_search search = {
            .test = short_test(0), .from_n = from[i], .grid_n = 50, .limit_n = 1000, .share = 0.95};
        assert_int_equal(tr_evaluate_largest_push(ensemble, stander, &search, &found[i], &score[i]),
                         TR_OK);
        assert_true(score[i] >= found[i] && score[i] < found[i] + 50);
    }
    tr_push_result result;
    tr_push_test test = short_test(found[0]);
    assert_true(found[0] > 0);
    assert_int_equal(tr_evaluate_pushes(ensemble, stander, &test, &result), TR_OK);
    assert_true(result.survived >= 92);
    test = short_test(found[0] + 50);
    assert_int_equal(tr_evaluate_pushes(ensemble, stander, &test, &result), TR_OK);
    assert_true(result.survived < 92);
    assert_near(found[1], found[0], 1e-9);
}

/* A test in parts draws the same numbers as the whole test. */
TEST(parts_of_a_test_make_the_whole) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    tr_resist_test test = tr_resist_test_default();
    double whole[5], part[2];
    test.trials = 5;
    test.growth_nps = 60;
    test.every_s = 0.4;
    test.seed = 8;
    assert_int_equal(tr_evaluate_resistance(ensemble, stander, &test, whole), TR_OK);
    test.trials = 2;
    test.first = 3;
    assert_int_equal(tr_evaluate_resistance(ensemble, stander, &test, part), TR_OK);
    assert_memory_equal(part, whole + 3, sizeof part);
    assert_true(whole[0] != whole[1] || whole[1] != whole[2]);
}

TEST(gentler_growth_is_resisted_for_longer) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    tr_resist_test test = tr_resist_test_default();
    double sum[2] = {0}, times[4];
    for (int i = 0; i < 2; i++) {
        test.trials = 4;
        test.every_s = 0.4;
        test.growth_nps = i == 0 ? 40 : 400;
        assert_int_equal(tr_evaluate_resistance(ensemble, stander, &test, times), TR_OK);
        for (int k = 0; k < 4; k++)
            sum[i] += times[k];
    }
    assert_true(sum[0] > sum[1]);
    test.growth_nps = 0;
    test.cap_s = 2;
    assert_int_equal(tr_evaluate_resistance(ensemble, stander, &test, times), TR_OK);
    assert_near(times[3], 2, 1e-9); /* never pushed, to the cap */
}

TEST(directions_phases_and_starts_can_be_chosen) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    tr_push_result result;
    tr_push_test test = short_test(1);
    test.directions = 16;
    test.phases = 3;
    test.starts = 2;
    assert_int_equal(tr_evaluate_pushes(ensemble, stander, &test, &result), TR_OK);
    assert_int_equal(result.trials, 16 * 3 * 2);
    assert_int_equal(result.survived, result.trials);
    assert_int_equal(result.by_direction[15], 6);
    assert_int_equal(result.by_phase[2], 32);
    assert_int_equal(result.aloft[2], 0);
    test.directions = TR_PUSH_DIRECTION_MAX + 1;
    assert_int_equal(tr_evaluate_pushes(ensemble, stander, &test, &result), TR_INVALID_ARGUMENT);
}

TEST(phases_without_contact_are_counted) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    OWN(tr_controller) *dropped = NULL;
    tr_push_result result;
    tr_push_test test = short_test(1);
    assert_int_equal(tr_controller_copy(stander, model, &dropped), TR_OK);
    dropped->spawn.pose.root_pos.z += 0.1;
    test.starts = 2;
    test.settle_s = 0;
    assert_int_equal(tr_evaluate_pushes(ensemble, dropped, &test, &result), TR_OK);
    assert_int_equal(result.aloft[0], 2);
    assert_int_equal(result.aloft[TR_PUSH_PHASES - 1], 0);
}

TEST(absurd_tests_are_refused) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_hold_test hold = {.trials = 0, .cap_s = 1};
    tr_hold_result held;
    assert_int_equal(tr_evaluate_hold(ensemble, stander, &hold, &held), TR_INVALID_ARGUMENT);
    tr_push_test push = short_test(10);
    tr_push_result result;
    push.push_s = (double)NAN;
    assert_int_equal(tr_evaluate_pushes(ensemble, stander, &push, &result), TR_INVALID_ARGUMENT);
}

SUITE_FIXTURE(load, unload);
