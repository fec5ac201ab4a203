#include "cmocka_test.h"

#include "learn/reconstruct/window.h"
#include "unit/learn/near.h"

enum { COUNT = 30 };

/* All stages updated `trials` times; the cost is 1, falling by `decrease` in every trial. */
static void fill(tr_window_stage *stages, int trials, double decrease) {
    for (int k = 0; k < COUNT; k++) {
        stages[k] = (tr_window_stage){0};
        double cost = 1;
        for (int i = 0; i < trials; i++) {
            tr_window_note(&stages[k], cost, 0);
            cost *= 1 - decrease;
        }
    }
}

static void a_stable_fragment_slides_out(void **state) {
    (void)state;
    tr_window_def def = tr_window_def_default();
    tr_window_stage stages[COUNT];
    fill(stages, 5, 0); /* updated five times, four without decrease */
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), 0);
    fill(stages, 6, 0);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), COUNT);
}

static void five_updates_are_needed_whatever_the_patience(void **state) {
    (void)state;
    tr_window_def def = tr_window_def_default();
    tr_window_stage stages[COUNT];
    def.patience = 2;
    fill(stages, 4, 0);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), 0);
    fill(stages, 5, 0);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), COUNT);
}

static void a_fragment_that_improves_stays_for_twenty_updates(void **state) {
    (void)state;
    tr_window_def def = tr_window_def_default();
    tr_window_stage stages[COUNT];
    def.good = 0;
    fill(stages, 19, 0.02);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), 0);
    fill(stages, 20, 0.02);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), COUNT);
}

static void a_decrease_below_one_per_cent_does_not_count(void **state) {
    (void)state;
    tr_window_stage stage = {0};
    tr_window_note(&stage, 1, 0);
    tr_window_note(&stage, 0.995, 0);
    assert_int_equal(stage.stale, 1);
    assert_near(stage.least, 1, 0);
    tr_window_note(&stage, 0.98, 0);
    assert_int_equal(stage.stale, 0);
    assert_near(stage.least, 0.98, 0);
    assert_int_equal(stage.updates, 3);
}

static void a_good_fragment_leaves_the_window_first(void **state) {
    (void)state;
    tr_window_def def = tr_window_def_default();
    tr_window_stage stages[COUNT];
    fill(stages, 1, 0);
    stages[0].least = stages[1].least = def.good;
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), 2);
}

static void the_window_stays_behind_a_failure(void **state) {
    (void)state;
    tr_window_def def = tr_window_def_default();
    tr_window_stage stages[COUNT];
    def.margin = 5;
    fill(stages, 20, 0);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 3, 12), 7);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 3, 8), 3);
    def.size = 4; /* shorter than the margin, but it moves */
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 3, 7), 4);
    def.size = 50;
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 3, 3), 3);
}

static void a_fragment_without_updates_stays_in_the_window(void **state) {
    (void)state;
    tr_window_def def = tr_window_def_default();
    tr_window_stage stages[COUNT];
    fill(stages, 20, 0);
    stages[4] = (tr_window_stage){0};
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), 4);
}

/* At rest the cost itself; at 1 m/s (0.5 J/kg) half of it, at 3 m/s a quarter. */
static void fast_motion_is_judged_less_closely(void **state) {
    (void)state;
    assert_near(tr_window_normalise(0.8, 0), 0.8, 1e-15);
    assert_near(tr_window_normalise(0.8, 0.5), 0.4, 1e-15);
    assert_near(tr_window_normalise(0.8, 4.5), 0.2, 1e-15);
}

/* The window slides from rest into a run: the same cost is good enough there, but no lower. */
static void a_faster_window_is_not_a_decrease(void **state) {
    (void)state;
    tr_window_def def = tr_window_def_default();
    tr_window_stage stage = {0};
    def.good = 0.3;
    tr_window_note(&stage, 1, 0);
    assert_int_equal(tr_window_slide(&def, &stage, 1, 0, 1), 0);
    tr_window_note(&stage, 1, 4.5);
    assert_int_equal(stage.stale, 1);
    assert_int_equal(tr_window_slide(&def, &stage, 1, 0, 1), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stable_fragment_slides_out),
        cmocka_unit_test(five_updates_are_needed_whatever_the_patience),
        cmocka_unit_test(a_fragment_that_improves_stays_for_twenty_updates),
        cmocka_unit_test(a_decrease_below_one_per_cent_does_not_count),
        cmocka_unit_test(a_good_fragment_leaves_the_window_first),
        cmocka_unit_test(the_window_stays_behind_a_failure),
        cmocka_unit_test(a_fragment_without_updates_stays_in_the_window),
        cmocka_unit_test(fast_motion_is_judged_less_closely),
        cmocka_unit_test(a_faster_window_is_not_a_decrease),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
