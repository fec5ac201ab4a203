#include "cmocka_test.h"

#include "control/torque/skate/stroke.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

#include <math.h>

static const double STEP_S = 0.005, BOARD_MPS = 1.5;

/* The pushing foot of a character whose standing foot rolls along at a steady speed, moved as the
 * strokes have it. */
typedef struct foot {
    tr_skating_numbers numbers;
    tr_board_scene scene;
    tr_stroke stroke;
    tr_stroke_plan plan;
} foot;

static foot begin(double board_mps) {
    foot f = {.numbers = DEFAULTS(tr_skating_numbers, tr_skating_number_table)};
    f.scene.board_mps = f.scene.standing_vel.x = board_mps;
    f.scene.gap_m = f.numbers.lift_m;
    f.scene.pushing = (tr_vec3){0, f.numbers.beside_m, 0};
    return f;
}

/* A sole on the ground or above it. */
static void advance(foot *f, double wanted_mps) {
    tr_stroke_advance(&f->stroke, &f->numbers, &f->scene, wanted_mps, STEP_S);
    f->plan = tr_stroke_plan_of(&f->stroke, &f->numbers, &f->scene, STEP_S);
    f->scene.pushing_vel = tr_vec3_add_scaled(f->scene.pushing_vel, STEP_S, f->plan.accel);
    f->scene.pushing = tr_vec3_add_scaled(f->scene.pushing, STEP_S, f->scene.pushing_vel);
    f->scene.gap_m = fmax(0, f->scene.gap_m + STEP_S * f->scene.pushing_vel.z);
    if (f->scene.gap_m == 0)
        f->scene.pushing_vel.z = fmax(0, f->scene.pushing_vel.z);
}

static void advance_to(foot *f, tr_stroke_stage stage) {
    for (int i = 0; (tr_stroke_stage)f->stroke.stage != stage; i++) {
        assert_true(i < 1000);
        advance(f, 3);
    }
}

/* A foot that has a speed over the ground brakes. */
TEST(a_foot_lands_near_the_speed_of_the_ground) {
    for (double mps = 0.5; mps < 2.6; mps += 0.5) {
        foot f = begin(mps);
        advance_to(&f, TR_STROKE_PUSH);
        assert_true(fabs(f.scene.pushing_vel.x + mps) < 0.4 * mps);
        assert_true(fabs(f.scene.pushing.x - f.numbers.land_m) < 0.1);
        assert_true(fabs(f.scene.pushing.y - f.numbers.beside_m) < 0.01);
    }
}

TEST(a_push_grows_and_fades) {
    foot f = begin(BOARD_MPS);
    double last_n = 0, most_n = 0;
    advance_to(&f, TR_STROKE_PUSH);
    assert_near(f.plan.force_n, 0, 1e-9);
    for (; f.stroke.stage == TR_STROKE_PUSH; advance(&f, 3)) {
        assert_false(f.plan.lifted);
        assert_true(fabs(f.plan.force_n - last_n) < 0.2 * f.numbers.push_n);
        assert_near(f.plan.load_n * f.numbers.grip, f.plan.force_n, 1e-9);
        last_n = f.plan.force_n;
        most_n = fmax(most_n, last_n);
    }
    assert_near(most_n, f.numbers.push_n, 1e-9);
    assert_true(last_n < 0.3 * f.numbers.push_n);
    assert_near(f.plan.force_n, 0, 1e-9);
}

TEST(it_returns_beside_the_board) {
    foot f = begin(BOARD_MPS);
    advance_to(&f, TR_STROKE_PUSH);
    advance_to(&f, TR_STROKE_RETURN);
    advance_to(&f, TR_STROKE_ROLL);
    assert_near(f.scene.pushing.x, 0, 0.03);
    assert_near(f.scene.pushing.y, f.numbers.beside_m, 0.01);
    assert_near(f.scene.gap_m, f.numbers.lift_m, 0.02);
}

/* The right foot too. */
TEST(a_foot_on_the_right_stays_there) {
    foot f = begin(BOARD_MPS);
    f.scene.pushing.y = -f.numbers.beside_m;
    advance_to(&f, TR_STROKE_PUSH);
    assert_near(f.scene.pushing.y, -f.numbers.beside_m, 0.01);
}

TEST(a_fast_board_is_not_pushed) {
    foot f = begin(BOARD_MPS);
    for (int i = 0; i < 1000; i++) {
        advance(&f, BOARD_MPS);
        assert_int_equal(f.stroke.stage, TR_STROKE_ROLL);
    }
    advance(&f, BOARD_MPS + 0.01);
    assert_int_equal(f.stroke.stage, TR_STROKE_REACH);
}

/* Over a hole. */
TEST(a_foot_that_finds_no_ground_returns) {
    foot f = begin(BOARD_MPS);
    for (int i = 0; f.stroke.stage != TR_STROKE_RETURN; i++) {
        assert_true(i < 1000);
        advance(&f, 3);
        f.scene.gap_m = 0.2;
        assert_int_not_equal(f.stroke.stage, TR_STROKE_PUSH);
    }
}
