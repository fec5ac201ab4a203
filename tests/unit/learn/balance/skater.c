#include "cmocka_test.h"

#include "learn/balance/skater.h"
#include "stride.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"
#include "unit/learn/balance/ride.h"

#include <math.h>
#include <string.h>

static tr_controller *make(const tr_model *model, const tr_skater_settings *settings) {
    tr_controller *controller = NULL;
    tr_error error = {0};
    if (ride_make(&tr_skater_method, model, settings, &controller, &error))
        fail_msg("%s", error.message);
    return controller;
}

static double speed_of(const ride *r) {
    return ride_object(r).vel.x;
}

/* --- content --- */

TEST(a_stance_out_of_reach_is_refused) {
    tr_skater_settings settings = DEFAULTS(tr_skater_settings, tr_skater_settings_table);
    tr_controller *controller = NULL;
    tr_error error = {0};
    settings.numbers.beside_m = 0.5;
    settings.numbers.lift_m = 0.02;
    assert_int_equal(ride_make(&tr_skater_method, *given, &settings, &controller, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "miss their places"));
}

/* 2.4 kg, four wheels of 0.1 kg and half as much for their turning; drag of 0.001 N m s/rad. */
TEST(the_board_is_weighed) {
    OWN(tr_controller) *controller = make(*given, NULL);
    assert_near(ride_content(controller)->skate.load.kg, 3, 1e-12);
    assert_near(ride_content(controller)->skate.load.drag_kgps, 4 * 0.001 / (0.028 * 0.028), 1e-9);
}

static tr_skater_settings on_trucks(void) {
    tr_skater_settings settings = DEFAULTS(tr_skater_settings, tr_skater_settings_table);
    settings.board.truck_spring = 70;
    return settings;
}

/* Springs of the rig and the numbers of the course too. */
TEST(trucks_are_kept) {
    const tr_model *model = *given;
    const tr_skater_settings settings = on_trucks();
    OWN(tr_controller) *controller = make(model, &settings), *copy = NULL;
    ride_content(controller)->skate.numbers.course_m = 0.02;
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    assert_true(copy->rig->pin[0].def.spring == 70);
    ride_content(copy)->skate.numbers.course_m = 0.021;
    assert_int_not_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
}

/* Hinges tilted by about 45 degrees, 0.56 m apart: 2 / 0.56 m, and 2 x 70 x 2 N m/rad. */
TEST(trucks_are_measured) {
    const tr_skater_settings settings = on_trucks();
    OWN(tr_controller) *controller = make(*given, &settings);
    const tr_torque *torque = ride_content(controller);
    assert_near(torque->skate.trucks.turn_pm, 2 / 0.56, 0.01);
    assert_near(torque->skate.trucks.stiffness_nmprad, 280, 1);
    assert_near(torque->skate.load.drag_kgps, 4 * 0.001 / (0.028 * 0.028), 1e-9);
}

/* --- riding --- */

static double heading_of(const ride *r) {
    return tr_quat_heading(ride_object(r).rot);
}

/* To both sides, or under a sanitizer to one; towards the end it rolls that way. */
TEST(trucks_turn_to_a_heading) {
    const tr_model *model = *given;
    const tr_skater_settings settings = on_trucks();
    OWN(tr_controller) *controller = make(model, &settings);
    for (int side = -1; side <= 1; side += 2 * suite_stride(2)) {
        const tr_steering_target target = {.aim = TR_AIM_HEADING, .heading_rad = side * TR_PI / 2};
        OWN_BY(ride_end) ride r = ride_begin(model, controller);
        assert_true(tr_driver_follows(controller->driver, &target));
        assert_int_equal(tr_stage_set_target(r.stage, r.id, &target), TR_OK);
        ride_run(&r, 10);
        assert_false(puppet_doing(r.stage, r.id).down);
        assert_near(heading_of(&r), target.heading_rad, 0.35);
        assert_true(side * ride_state(&r).root_vel.y > 1);
    }
}

/* Without a force the same strokes lose speed. */
TEST(pushes_gain_speed) {
    const tr_model *model = *given;
    tr_skater_settings settings = DEFAULTS(tr_skater_settings, tr_skater_settings_table);
    OWN(tr_controller) *controller = make(model, NULL);
    settings.numbers.push_n = 0;
    OWN(tr_controller) *without = make(model, &settings);
    ride r = ride_begin(model, controller), control = ride_begin(model, without);
    ride_run(&r, 6);
    ride_run(&control, 6);
    assert_true(speed_of(&r) > 1.4);
    assert_true(speed_of(&control) < 0.8);
    assert_false(puppet_doing(r.stage, r.id).down);
    assert_false(puppet_doing(control.stage, control.id).down);
    assert_near(ride_state(&r).pose.root_pos.y, 0, 0.1);
    ride_end(&r);
    ride_end(&control);
}

/* --- maneuvers --- */

static tr_skater_settings with_maneuvers(void) {
    tr_skater_settings settings = on_trucks();
    settings.numbers.maneuvers = 1;
    settings.numbers.course_m = 0.05;
    return settings;
}

TEST(maneuvers_are_skills_of_one_entry_each) {
    const tr_skater_settings settings = with_maneuvers(), plain = on_trucks();
    OWN(tr_controller) *controller = make(*given, &settings), *copy = NULL,
                       *other = make(*given, &plain);
    tr_driver_sheet sheet = {0};
    assert_int_equal(tr_driver_describe(controller->driver, controller->step_s, &sheet), TR_OK);
    assert_int_equal(sheet.skill_count, 4);
    assert_string_equal(sheet.skill[1].name, "push");
    assert_int_equal(sheet.entry[3].skill, 3);
    tr_driver_sheet_deinit(&sheet);
    /* They are kept, and count. */
    assert_int_equal(tr_controller_copy(controller, *given, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, *given), tr_controller_hash(controller, *given));
    assert_int_not_equal(tr_controller_hash(other, *given), tr_controller_hash(controller, *given));
}

static ride begin_maneuver(const tr_model *model, const tr_controller *controller, int entry) {
    /* A target that no maneuver heeds. */
    const tr_steering_target target = {
        .aim = TR_AIM_HEADING, .heading_rad = -TR_PI / 2, .speed_mps = 1.75};
    const ride r = ride_begin(model, controller);
    assert_int_equal(tr_stage_set_target(r.stage, r.id, &target), TR_OK);
    assert_int_equal(tr_stage_set_entry(r.stage, r.id, entry, false), TR_OK);
    ride_run(&r, 4);
    assert_false(puppet_doing(r.stage, r.id).down);
    assert_int_equal(puppet_doing(r.stage, r.id).entry, entry);
    return r;
}

/* Its pushing foot is the left one, so it turns in to the left; the mirror image to the right. */
TEST(a_maneuver_takes_the_place_of_the_target) {
    const tr_model *model = *given;
    const tr_skater_settings settings = with_maneuvers();
    OWN(tr_controller) *controller = make(model, &settings), *image = NULL;
    assert_int_equal(tr_controller_mirror(controller, model, &image), TR_OK);
    const ride roll = begin_maneuver(model, controller, 0),
               push = begin_maneuver(model, controller, 1),
               in = begin_maneuver(model, controller, 2),
               out = begin_maneuver(model, controller, 3),
               mirrored = begin_maneuver(model, image, 2);
    assert_true(speed_of(&roll) < 0.9);
    assert_true(speed_of(&push) > 1.2);
    assert_near(heading_of(&roll), 0, 0.1);
    assert_true(heading_of(&in) > 0.5);
    assert_true(heading_of(&out) < -0.5);
    assert_near(heading_of(&mirrored), -heading_of(&in), 0.1);
    ride_end(&roll);
    ride_end(&push);
    ride_end(&in);
    ride_end(&out);
    ride_end(&mirrored);
}

/* The foot on its way to the ground still pushes when the maneuver ends. */
TEST(a_stroke_outlasts_its_maneuver) {
    const tr_model *model = *given;
    const tr_skater_settings settings = with_maneuvers();
    OWN(tr_controller) *controller = make(model, &settings);
    const ride r = ride_begin(model, controller);
    assert_int_equal(tr_stage_set_entry(r.stage, r.id, 1, false), TR_OK);
    ride_run(&r, 0.4);
    assert_int_equal(tr_stage_set_entry(r.stage, r.id, 0, false), TR_OK);
    ride_run(&r, 0.2);
    assert_int_equal(puppet_doing(r.stage, r.id).entry, 0);
    assert_string_equal(puppet_doing(r.stage, r.id).text, "pushes off");
    ride_end(&r);
}

static tr_skater_settings hopping(void) {
    tr_skater_settings settings = DEFAULTS(tr_skater_settings, tr_skater_settings_table);
    settings.hop.launch_mps2 = 10;
    settings.hop.launch_s = 0.12;
    settings.board.axle_share = 0.45;
    settings.board.speed_mps = settings.numbers.speed_mps = 2;
    settings.numbers.push_n = 100;
    return settings;
}

static void add_beam(const ride *r) {
    const tr_scenery_def beam = {.kind = TR_SCENERY_BOX,
                                 .size = {0.05, 5, 0.02},
                                 .pos = {3.05, 0, 0},
                                 .rot = tr_quat_identity(),
                                 .friction = 1};
    assert_int_equal(tr_world_add_scenery(tr_stage_world(r->stage), &beam, NULL), TR_OK);
}

/* A beam of 2 cm. Without a hop the wheels stop at it. */
TEST(a_hop_gets_over_a_bump) {
    const tr_model *model = *given;
    tr_skater_settings settings = hopping();
    OWN(tr_controller) *controller = make(model, &settings), *copy = NULL;
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    settings.hop.launch_s = 0;
    OWN(tr_controller) *without = make(model, &settings);
    ride r = ride_begin(model, copy), control = ride_begin(model, without);
    add_beam(&r);
    add_beam(&control);
    ride_run(&r, 4);
    ride_run(&control, 4);
    assert_false(puppet_doing(r.stage, r.id).down);
    assert_true(ride_state(&r).pose.root_pos.x > 5);
    assert_true(puppet_doing(control.stage, control.id).down);
    ride_end(&r);
    ride_end(&control);
}

TEST(a_hop_out_of_range_is_named) {
    tr_skater_settings settings = hopping();
    OWN(tr_controller) *controller = make(*given, &settings);
    tr_error error = {0};
    ride_content(controller)->skate.hop.land_mps = -1;
    assert_int_equal(tr_controller_check(controller, *given, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "hop_land_mps"));
}

/* A wheel far away, a board without a mass, and one without wheels. */
TEST(a_rig_that_is_no_board_is_refused) {
    static const char *const named[] = {"within 5 m", "expected a mass", "0 hinges"};
    for (int i = 0; i < 3; i++) {
        OWN(tr_controller) *controller = make(*given, NULL);
        tr_rig rig = *controller->rig;
        tr_error error = {0};
        if (i == 0)
            rig.object[1].state.pos.x += 100;
        else if (i == 1)
            rig.object[0].def.mass = 0, rig.object[0].def.density = 500;
        for (int p = 0; i == 2 && p < rig.pin_count; p++)
            rig.pin[p].def.kind = TR_PIN_POINT;
        assert_int_equal(tr_controller_set_rig(controller, &rig), TR_OK);
        assert_int_equal(tr_controller_check(controller, *given, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[i]));
    }
}

TEST(a_slower_target_is_not_pushed_for) {
    const tr_model *model = *given;
    const tr_steering_target slow = {.speed_mps = 0.5}, turn = {.aim = TR_AIM_HEADING};
    OWN(tr_controller) *controller = make(model, NULL);
    OWN_BY(ride_end) ride r = ride_begin(model, controller);
    assert_int_equal(tr_stage_set_target(r.stage, r.id, &slow), TR_OK);
    ride_run(&r, 2);
    assert_true(speed_of(&r) < 0.95);
    assert_string_equal(puppet_doing(r.stage, r.id).text, "rolls");
    assert_true(tr_driver_follows(controller->driver, &slow));
    assert_false(tr_driver_follows(controller->driver, &turn));
}

SUITE_FIXTURE(puppet_load, puppet_unload);
