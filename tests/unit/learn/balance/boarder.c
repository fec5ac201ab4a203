#include "cmocka_test.h"

#include "learn/balance/boarder.h"
#include "stride.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"
#include "unit/learn/balance/ride.h"

#include <string.h>

static tr_controller *make(const tr_model *model, const tr_boarder_settings *settings) {
    tr_controller *controller = NULL;
    tr_error error = {0};
    if (ride_make(&tr_boarder_method, model, settings, &controller, &error))
        fail_msg("%s", error.message);
    return controller;
}

static double speed_of(const ride *r) {
    return tr_vec3_length(ride_object(r).vel);
}

/* --- content --- */

TEST(a_stance_out_of_reach_is_refused) {
    tr_boarder_settings settings = DEFAULTS(tr_boarder_settings, tr_boarder_settings_table);
    tr_controller *controller = NULL;
    tr_error error = {0};
    settings.numbers.ride_m = 2;
    assert_int_equal(ride_make(&tr_boarder_method, *given, &settings, &controller, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "miss their places"));
}

/* 2.4 kg, four wheels of 0.1 kg and half as much for their turning; drag of 0.001 N m s/rad; axles at
 * 0.7 of its half length. */
TEST(the_board_is_weighed) {
    OWN(tr_controller) *controller = make(*given, NULL);
    const tr_ride_board *board = &ride_content(controller)->board.board;
    assert_near(board->kg, 3, 1e-12);
    assert_near(board->drag_kgps, 4 * 0.001 / (0.028 * 0.028), 1e-9);
    assert_near(board->rear_m, -0.28, 1e-9);
    assert_near(board->front_m, 0.28, 1e-9);
    assert_near(board->nose_nm, 9.81 * (2.4 * 0.28 + 0.2 * 0.56), 1e-6);
}

/* The centroid is where the numbers have it, and above the middle of the board's width. */
TEST(the_stance_is_over_the_board) {
    OWN(tr_controller) *controller = make(*given, NULL);
    const tr_torque *torque = ride_content(controller);
    assert_near(torque->at_rest.centroid.x, torque->board.numbers.ride_m, 2e-3);
    assert_near(torque->at_rest.centroid.y, 0, 2e-3);
}

/* --- riding --- */

static double heading_of(const ride *r) {
    return tr_quat_heading(ride_object(r).rot);
}

/* To both sides, or under a sanitizer to one; the nose is lifted on the way. */
TEST(kicks_turn_the_board_to_its_heading) {
    const tr_model *model = *given;
    for (int side = -1; side <= 1; side += 2 * suite_stride(2)) {
        const tr_steering_target target = {.aim = TR_AIM_HEADING, .heading_rad = 0.8 * side};
        OWN(tr_controller) *controller = make(model, NULL);
        OWN_BY(ride_end) ride r = ride_begin(model, controller);
        int kicked = 0;
        assert_int_equal(tr_stage_set_target(r.stage, r.id, &target), TR_OK);
        for (int i = 0; i < 80; i++) {
            ride_run(&r, 0.1);
            kicked += strcmp(puppet_doing(r.stage, r.id).text, "turns the board") == 0;
        }
        assert_true(kicked > 3);
        assert_false(puppet_doing(r.stage, r.id).down);
        assert_near(heading_of(&r), target.heading_rad, 0.15);
        assert_true(tr_driver_follows(controller->driver, &target));
    }
}

TEST(without_a_target_it_rolls_straight) {
    const tr_model *model = *given;
    const tr_steering_target fast = {.speed_mps = 1};
    OWN(tr_controller) *controller = make(model, NULL);
    OWN_BY(ride_end) ride r = ride_begin(model, controller);
    ride_run(&r, 2);
    assert_string_equal(puppet_doing(r.stage, r.id).text, "rolls");
    assert_near(heading_of(&r), 0, 0.05);
    assert_true(speed_of(&r) > 0.8);
    assert_false(tr_driver_follows(controller->driver, &fast));
}

/* The left foot is in front, so the nose turns right, to the side of the toes. What is asked for does
 * not count; riding does not kick. */
TEST(maneuvers_kick_to_either_side_or_not_at_all) {
    const tr_model *model = *given;
    const tr_steering_target target = {.aim = TR_AIM_HEADING, .heading_rad = TR_PI / 2};
    const double least[] = {-0.1, -1, 0.2}, most[] = {0.1, -0.2, 1};
    tr_boarder_settings settings = DEFAULTS(tr_boarder_settings, tr_boarder_settings_table);
    tr_controller *plain = make(model, &settings);
    settings.numbers.maneuvers = 1;
    tr_controller *controller = make(model, &settings), *copy = NULL;
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    assert_int_not_equal(tr_controller_hash(plain, model), tr_controller_hash(controller, model));
    for (int entry = 0; entry < 3; entry++) {
        const ride r = ride_begin(model, copy);
        assert_int_equal(tr_stage_set_target(r.stage, r.id, &target), TR_OK);
        assert_int_equal(tr_stage_set_entry(r.stage, r.id, entry, false), TR_OK);
        ride_run(&r, 3);
        assert_false(puppet_doing(r.stage, r.id).down);
        assert_int_equal(puppet_doing(r.stage, r.id).entry, entry);
        assert_true(heading_of(&r) > least[entry] && heading_of(&r) < most[entry]);
        ride_end(&r);
    }
    tr_controller_destroy(plain);
    tr_controller_destroy(copy);
    tr_controller_destroy(controller);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
