#include "cmocka_test.h"

#include "learn/measure/force_course.h"

#include <math.h>
#include <stdbool.h>

static const double H = 0.005;

TEST(a_constant_force_rises_at_its_slope_and_stays) {
    const tr_force_def def = {.low_n = -50, .high_n = -50, .slope_nps = 100, .from_s = 1};
    tr_force_course course = tr_force_course_begin(&def);
    double at_1 = 0, at_1_25 = 0, at_3 = 0;
    for (int i = 0; i < 800; i++) {
        double force_n = tr_force_course_next(&course, i * H, H).x;
        at_1 = i == 199 ? force_n : at_1;
        at_1_25 = i == 249 ? force_n : at_1_25;
        at_3 = i == 600 ? force_n : at_3;
    }
    assert_true(at_1 == 0);
    assert_true(fabs(at_1_25 + 25) < 1e-9);
    assert_true(at_3 == -50);
}

TEST(a_step_has_its_force_from_the_first_tick) {
    const tr_force_def def = {
        .kind = TR_FORCE_STEP, .low_n = 80, .high_n = 80, .slope_nps = 100, .from_s = 1};
    tr_force_course course = tr_force_course_begin(&def);
    assert_true(tr_force_course_next(&course, 0.995, H).x == 0);
    assert_true(tr_force_course_next(&course, 1.0, H).x == 80);
}

TEST(a_push_lasts_its_time) {
    const tr_force_def def = {
        .kind = TR_FORCE_PUSH, .side_low_n = 60, .side_high_n = 60, .from_s = 1, .push_s = 0.2};
    tr_force_course course = tr_force_course_begin(&def);
    int steps = 0;
    for (int i = 0; i < 400; i++)
        steps += tr_force_course_next(&course, i * H, H).y == 60;
    assert_int_equal(steps, 40);
}

/* Within its bounds, never faster than its slope, and over all of its range. */
TEST(varying_forces_keep_to_bounds_and_slope) {
    const tr_force_def def = {.kind = TR_FORCE_VARYING,
                              .low_n = -200,
                              .high_n = 100,
                              .slope_nps = 100,
                              .from_s = 1,
                              .seed = 5};
    tr_force_course course = tr_force_course_begin(&def);
    double last = 0, least = 0, most = 0;
    for (int i = 0; i < 40000; i++) {
        double now = tr_force_course_next(&course, i * H, H).x;
        assert_true(fabs(now - last) <= 100 * H + 1e-9);
        last = now;
        least = fmin(least, now);
        most = fmax(most, now);
    }
    assert_true(least >= -200 && least < -170);
    assert_true(most <= 100 && most > 70);
}

/* Short, from all sides, at most of their size. */
TEST(kicks_come_each_one_to_two_seconds) {
    const tr_force_def def = {.slope_nps = 100, .from_s = 1, .kick_n = 50, .seed = 3};
    tr_force_course course = tr_force_course_begin(&def);
    int kicks = 0, acting = 0;
    bool acted = false, quadrant[4] = {false};
    for (int i = 0; i < 20000; i++) {
        tr_vec3 force = tr_force_course_next(&course, i * H, H);
        bool acts = force.x != 0;
        assert_true(tr_vec3_length(force) <= 50);
        kicks += acts && !acted;
        acting += acts;
        acted = acts;
        if (acts)
            quadrant[(force.x > 0) + 2 * (force.y > 0)] = true;
    }
    assert_in_range(kicks, 45, 85); /* 100 s, each 1.2 to 2.2 s */
    assert_in_range(acting / kicks, 39, 41);
    assert_true(quadrant[0] && quadrant[1] && quadrant[2] && quadrant[3]);
}

TEST(a_course_depends_only_on_its_seed) {
    tr_force_def def = {
        .kind = TR_FORCE_VARYING, .low_n = -200, .high_n = 200, .slope_nps = 100, .seed = 7};
    tr_force_course one = tr_force_course_begin(&def), two = tr_force_course_begin(&def);
    def.seed = 8;
    tr_force_course other = tr_force_course_begin(&def);
    bool differs = false;
    for (int i = 0; i < 2000; i++) {
        double a = tr_force_course_next(&one, i * H, H).x;
        assert_true(a == tr_force_course_next(&two, i * H, H).x);
        differs = differs || a != tr_force_course_next(&other, i * H, H).x;
    }
    assert_true(differs);
}
