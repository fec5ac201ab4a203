#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "learn/gait/gait_blow.h"

#include <math.h>

enum { SEEDS = 100, COUNT = 12 };

static void even_ones_go_to_every_part_of_the_circle(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        int found[COUNT] = {0};
        double first = tr_gait_blow_even(seed, 0, COUNT).along;
        for (int i = 0; i < COUNT; i++) {
            double along = tr_gait_blow_even(seed, i, COUNT).along;
            found[(int)(COUNT * (along - first) + 0.5)]++;
        }
        for (int i = 0; i < COUNT; i++)
            assert_int_equal(found[i], 1);
    }
}

/* Three-gap theorem: of twelve by the golden ratio, no two neighbours are farther apart than 0.15. */
static void even_ones_leave_no_part_of_the_second_out(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (int part = 0; part < 100; part++) {
            double nearest = 1;
            for (int i = 0; i < COUNT; i++) {
                double when = tr_gait_blow_even(seed, i, COUNT).when;
                assert_true(when >= 0 && when < 1);
                nearest = fmin(nearest, fabs(remainder(when - part / 100.0, 1)));
            }
            assert_true(nearest <= 0.075);
        }
}

/* An even first one is the drawn one; another seed begins elsewhere. */
static void both_are_functions_of_the_seed(void **state) {
    (void)state;
    tr_gait_blow one = tr_gait_blow_draw(5), even = tr_gait_blow_even(5, 0, 7);
    assert_true(one.along == even.along && one.when == even.when);
    assert_true(tr_gait_blow_draw(6).along != one.along && tr_gait_blow_draw(6).when != one.when);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_ones_go_to_every_part_of_the_circle),
        cmocka_unit_test(even_ones_leave_no_part_of_the_second_out),
        cmocka_unit_test(both_are_functions_of_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
