#include "cmocka_test.h"

#include "learn/reconstruct/reconstruct.h"
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

TEST(a_stable_fragment_slides_out) {
    tr_window_def def = tr_reconstruct_amounts_default().window;
    tr_window_stage stages[COUNT];
    fill(stages, 5, 0); /* updated five times, four without decrease */
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), 0);
    fill(stages, 6, 0);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), COUNT);
}

TEST(five_updates_are_needed_whatever_the_patience) {
    tr_window_def def = tr_reconstruct_amounts_default().window;
    tr_window_stage stages[COUNT];
    def.patience = 2;
    fill(stages, 4, 0);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), 0);
    fill(stages, 5, 0);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), COUNT);
}

TEST(a_fragment_that_improves_stays_for_twenty_updates) {
    tr_window_def def = tr_reconstruct_amounts_default().window;
    tr_window_stage stages[COUNT];
    def.good = 0;
    fill(stages, 19, 0.02);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), 0);
    fill(stages, 20, 0.02);
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), COUNT);
}

TEST(a_decrease_below_one_per_cent_does_not_count) {
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

TEST(a_good_fragment_leaves_the_window_first) {
    tr_window_def def = tr_reconstruct_amounts_default().window;
    tr_window_stage stages[COUNT];
    fill(stages, 1, 0);
    stages[0].least = stages[1].least = def.good;
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), 2);
}

TEST(the_window_stays_behind_a_failure) {
    tr_window_def def = tr_reconstruct_amounts_default().window;
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

TEST(a_fragment_without_updates_stays_in_the_window) {
    tr_window_def def = tr_reconstruct_amounts_default().window;
    tr_window_stage stages[COUNT];
    fill(stages, 20, 0);
    stages[4] = (tr_window_stage){0};
    assert_int_equal(tr_window_slide(&def, stages, COUNT, 0, COUNT), 4);
}

/* At rest the cost itself; at 1 m/s (0.5 J/kg) half of it, at 3 m/s a quarter. */
TEST(fast_motion_is_judged_less_closely) {
    assert_near(tr_window_normalise(0.8, 0), 0.8, 1e-15);
    assert_near(tr_window_normalise(0.8, 0.5), 0.4, 1e-15);
    assert_near(tr_window_normalise(0.8, 4.5), 0.2, 1e-15);
}

/* The window slides from rest into a run: the same cost is good enough there, but no lower. */
TEST(a_faster_window_is_not_a_decrease) {
    tr_window_def def = tr_reconstruct_amounts_default().window;
    tr_window_stage stage = {0};
    def.good = 0.3;
    tr_window_note(&stage, 1, 0);
    assert_int_equal(tr_window_slide(&def, &stage, 1, 0, 1), 0);
    tr_window_note(&stage, 1, 4.5);
    assert_int_equal(stage.stale, 1);
    assert_int_equal(tr_window_slide(&def, &stage, 1, 0, 1), 1);
}
