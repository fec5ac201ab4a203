#include "cmocka_test.h"

#include "control/balance/circling.h"

#include <math.h>

enum { CIRCLE = 100 }; /* looks */

static const tr_circling circling = {0.2, 2 * 3.14159265358979323846 / CIRCLE, 2};

static double area(double turn_rad, int first) {
    double sum = 0;
    for (int i = first; i < first + CIRCLE; i++) {
        const tr_circling_lean a = tr_circling_lean_of(&circling, i, turn_rad);
        const tr_circling_lean b = tr_circling_lean_of(&circling, i + 1, turn_rad);
        sum += (a.pitch_rad * b.roll_rad - b.pitch_rad * a.roll_rad) / 2;
    }
    return sum;
}

static void far_from_the_aim_circles_have_their_full_size(void **state) {
    (void)state;
    const double full = 3.14159265358979323846 * 0.2 * 0.2;
    assert_true(fabs(fabs(area(0.5, CIRCLE)) / full - 1) < 0.01);
    assert_true(fabs(area(3, CIRCLE) - area(0.5, CIRCLE)) < 1e-12);
}

static void near_the_aim_the_area_falls_with_the_way(void **state) {
    (void)state;
    assert_true(fabs(area(0.1, CIRCLE) / area(0.5, CIRCLE) - 0.2) < 1e-9);
    const tr_circling_lean lean = tr_circling_lean_of(&circling, CIRCLE + 3, 0);
    assert_true(lean.pitch_rad == 0 && lean.roll_rad == 0);
}

static void to_the_other_side_the_circle_is_the_mirror_image(void **state) {
    (void)state;
    for (int i = 0; i < 3 * CIRCLE; i += 7) {
        const tr_circling_lean left = tr_circling_lean_of(&circling, i, 0.3);
        const tr_circling_lean right = tr_circling_lean_of(&circling, i, -0.3);
        assert_true(left.pitch_rad == right.pitch_rad && left.roll_rad == -right.roll_rad);
    }
}

static void the_first_circle_grows_from_zero(void **state) {
    (void)state;
    const tr_circling_lean first = tr_circling_lean_of(&circling, 0, 1);
    assert_true(first.pitch_rad == 0 && first.roll_rad == 0);
    assert_true(fabs(area(1, 0)) < 0.6 * fabs(area(1, CIRCLE)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_from_the_aim_circles_have_their_full_size),
        cmocka_unit_test(near_the_aim_the_area_falls_with_the_way),
        cmocka_unit_test(to_the_other_side_the_circle_is_the_mirror_image),
        cmocka_unit_test(the_first_circle_grows_from_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
