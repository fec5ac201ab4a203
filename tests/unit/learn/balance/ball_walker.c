#include "cmocka_test.h"

#include "learn/balance/ball_walker.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"
#include "unit/learn/balance/ride.h"

#include <string.h>

static tr_controller *make(const tr_model *model, const tr_ball_walker_settings *settings) {
    tr_controller *controller = NULL;
    tr_error error = {0};
    if (ride_make(&tr_ball_walker_method, model, settings, &controller, &error))
        fail_msg("%s", error.message);
    return controller;
}

/* --- content --- */

/* --- walking --- */

TEST(it_steps_in_place) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model, NULL);
    OWN_BY(ride_end) ride w = ride_begin(model, controller);
    int lifted[2] = {0};
    for (int i = 0; i < 100; i++) {
        ride_run(&w, 0.1);
        const char *text = puppet_doing(w.stage, w.id).text;
        lifted[0] += strstr(text, "left") != NULL;
        lifted[1] += strstr(text, "right") != NULL;
    }
    assert_true(lifted[0] > 15 && lifted[1] > 15);
    assert_false(puppet_doing(w.stage, w.id).down);
    assert_near(ride_state(&w).pose.root_pos.x, 0, 0.3);
    assert_near(ride_state(&w).pose.root_pos.y, 0, 0.3);
}

TEST(it_rolls_ahead_and_turns) {
    const tr_model *model = *given;
    const tr_steering_target ahead = {.speed_mps = 0.1},
                             turn = {.aim = TR_AIM_HEADING, .heading_rad = -1},
                             fast = {.speed_mps = 2};
    OWN(tr_controller) *controller = make(model, NULL);
    ride w = ride_begin(model, controller), other = ride_begin(model, controller);
    assert_int_equal(tr_stage_set_target(w.stage, w.id, &ahead), TR_OK);
    assert_int_equal(tr_stage_set_target(other.stage, other.id, &turn), TR_OK);
    ride_run(&w, 10);
    ride_run(&other, 10);
    assert_true(ride_state(&w).pose.root_pos.x > 0.5);
    assert_near(tr_quat_heading(ride_state(&other).pose.root_rot), -1, 0.2);
    assert_false(puppet_doing(w.stage, w.id).down);
    assert_false(puppet_doing(other.stage, other.id).down);
    assert_false(tr_driver_follows(controller->driver, &fast));
    ride_end(&w);
    ride_end(&other);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
