#include "cmocka_test.h"

#include "control/torque/ball/ball_steps.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

#include <math.h>

static const double STEP_S = 0.005, SOLE_M = 0.1, SOLE_WIDTH_M = 0.045;

/* A scene in which everything is where the sway has it, but for what a test changes. */
typedef struct stepping {
    tr_rolling_numbers numbers;
    tr_ball_load load;
    tr_ball_regulator regulator;
    tr_ball_scene scene;
    tr_ball_steps steps;
    tr_ball_step_plan plan;
} stepping;

static stepping begin(void) {
    stepping s = {
        .numbers = DEFAULTS(tr_rolling_numbers, tr_rolling_number_table),
        .load = {.radius_m = 0.35, .ball_kg = 18, .kg = 62, .height_m = 0.8, .gravity = 9.81},
        .scene = {.radius_m = 0.35},
        .steps = {.lifted = TR_BALL_NONE}};
    s.regulator = tr_ball_regulator_of(&s.load, &s.numbers);
    s.numbers.start_s = 0;
    return s;
}

static void put_foot(tr_ball_foot *foot, tr_vec3 middle, double pressure_y) {
    foot->middle = middle;
    for (int k = 0; k < 4; k++)
        foot->corner[k] = tr_vec3_add(
            middle, (tr_vec3){k & 1 ? SOLE_M : -SOLE_M, k & 2 ? SOLE_WIDTH_M : -SOLE_WIDTH_M, 0});
    foot->touch = (tr_vec3){middle.x, pressure_y, middle.z};
}

/* One step; feet are where they should be, `off_m` to the side, and a lifted one moves as planned. */
static void advance(stepping *s, double off_m) {
    const double rate = TR_PI / s->numbers.step_s, angle = rate * s->steps.step * STEP_S;
    const tr_ball_sway sway = tr_ball_sway_of(&s->load, rate);
    const double half = s->numbers.width_m / 2;
    const double most = s->numbers.sway_share * half / (1 - sway.place), p = most * sin(angle);
    s->scene.centroid.y = sway.lean * p;
    s->scene.centroid_vel.y = sway.lean * most * rate * cos(angle);
    s->scene.roll.y = sway.place * most * rate * cos(angle);
    s->steps.aside_m = p + off_m;
    for (int side = 0; side < 2; side++) {
        tr_ball_foot *foot = &s->scene.foot[side];
        const tr_vec3 place = {0, (side ? -half : half) + sway.place * p, 0.35};
        if (side != s->steps.lifted) {
            put_foot(foot, place, p);
            foot->gap_m = 0;
            foot->middle_vel = s->scene.roll;
            continue;
        }
        foot->middle_vel = tr_vec3_add_scaled(foot->middle_vel, STEP_S, s->plan.accel);
        put_foot(foot, tr_vec3_add_scaled(foot->middle, STEP_S, foot->middle_vel), p);
        foot->gap_m = fmax(0, tr_vec3_length(foot->middle) - 0.35);
    }
    const tr_ball_walk walk = {.numbers = &s->numbers,
                               .load = &s->load,
                               .regulator = &s->regulator,
                               .scene = &s->scene,
                               .step_s = STEP_S};
    s->plan = tr_ball_steps_plan(&s->steps, &walk);
}

TEST(feet_are_lifted_in_turn_and_set_down) {
    stepping s = begin();
    int lifts[2] = {0}, last = TR_BALL_NONE, before = TR_BALL_NONE;
    double highest_m = 0;
    for (int i = 0; i < 10 / STEP_S; i++) {
        advance(&s, 0);
        if (s.plan.lifted != TR_BALL_NONE) {
            highest_m = fmax(highest_m, s.scene.foot[s.plan.lifted].gap_m);
            if (before == TR_BALL_NONE) {
                assert_int_not_equal(s.plan.lifted, last);
                assert_int_equal(s.plan.lifted, 1 - s.plan.bearing);
                lifts[s.plan.lifted]++;
                last = s.plan.lifted;
            }
        }
        before = s.plan.lifted;
    }
    assert_true(lifts[0] > 8 && lifts[1] > 8);
    assert_true(highest_m > 0.6 * s.numbers.lift_m && highest_m < 1.4 * s.numbers.lift_m);
}

TEST(a_foot_that_cannot_bear_keeps_the_other_one_down) {
    stepping s = begin();
    for (int i = 0; i < 5 / STEP_S; i++) {
        advance(&s,
                i % (int)(2 * s.numbers.step_s / STEP_S) < s.numbers.step_s / STEP_S ? -0.2 : 0.2);
        assert_int_equal(s.plan.lifted, TR_BALL_NONE);
    }
}

TEST(without_a_time_of_steps_both_feet_stand) {
    stepping s = begin();
    s.numbers.step_s = 0;
    s.scene.foot[0].gap_m = s.scene.foot[1].gap_m = 0;
    const tr_ball_walk walk = {.numbers = &s.numbers,
                               .load = &s.load,
                               .regulator = &s.regulator,
                               .scene = &s.scene,
                               .step_s = STEP_S};
    put_foot(&s.scene.foot[0], (tr_vec3){0, s.numbers.width_m / 2, 0.35}, 0);
    put_foot(&s.scene.foot[1], (tr_vec3){0, -s.numbers.width_m / 2, 0.35}, 0);
    for (int i = 0; i < 1000; i++) {
        s.plan = tr_ball_steps_plan(&s.steps, &walk);
        assert_int_equal(s.plan.lifted, TR_BALL_NONE);
        assert_int_equal(s.plan.bearing, TR_BALL_NONE);
        assert_near(s.plan.pressure_vel.x, 0, 1e-12);
        assert_near(s.plan.pressure_vel.y, 0, 1e-12);
    }
}
