#include "cmocka_test.h"

#include "server/training/training_curves.h"

#include <string.h>

static const tr_training_curve *curve_of(const tr_training_curves *curves, const char *name) {
    for (int i = 0; i < TR_TRAINING_METRIC_COUNT; i++)
        if (strcmp(tr_training_metric_name(i), name) == 0)
            return &curves->metric[i];
    fail_msg("no metric %s", name);
    return NULL;
}

/* As 'troupe-train learn' prints them. */
TEST(rows_become_curves) {
    static tr_training_curves curves;
    curves = (tr_training_curves){0};
    assert_true(tr_training_curves_add(
        &curves, "refine        1  cost 0.25  rollbacks 2  undisturbed_s 1.5  core_s 4.5  | 10 %"));
    assert_true(tr_training_curves_add(
        &curves,
        "guide         2  cost 0.2  rollbacks 0  sigma_deg 2.5  r2 0.75  push_train_n 20  "
        "undisturbed_s 10  push95_n 120  resist_s 7.5  kept 1  core_s 9  best  | 40 %, 12 min "
        "left"));
    assert_int_equal(curves.rows, 2);
    assert_true(curves.share == 0.4);
    const tr_training_curve *core = curve_of(&curves, "core_s");
    assert_int_equal(core->count, 2);
    assert_int_equal(core->iteration[1], 2);
    assert_true(core->value[0] == 4.5 && core->value[1] == 9);
    const tr_training_curve *push = curve_of(&curves, "push95_n");
    assert_int_equal(push->count, 1);
    assert_int_equal(push->iteration[0], 2);
    assert_true(push->value[0] == 120);
    assert_true(curve_of(&curves, "push_train_n")->value[0] == 20);
    assert_true(curve_of(&curves, "resist_s")->value[0] == 7.5);
    assert_true(curve_of(&curves, "r2")->value[0] == 0.75);
}

TEST(other_lines_change_nothing) {
    static const char *const others[] = {"", "jog: 38 fragments of 20 steps", "guided tour  cost 3",
                                         "  cost 3", "plan      gait"};
    static tr_training_curves curves;
    curves = (tr_training_curves){0};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(tr_training_curves_add(&curves, others[i]));
    assert_int_equal(curves.rows, 0);
}

TEST(damaged_rows_add_no_numbers) {
    static tr_training_curves curves;
    curves = (tr_training_curves){0};
    assert_true(tr_training_curves_add(&curves, "guide 1  cost nan  core_s  | -5 %"));
    assert_true(tr_training_curves_add(&curves, "guide 2  cost inf  rollbacks x  | 400 %"));
    for (int i = 0; i < TR_TRAINING_METRIC_COUNT; i++)
        assert_int_equal(curves.metric[i].count, 0);
    assert_true(curves.share == 0);
}

TEST(rows_beyond_the_last_are_left_out) {
    static tr_training_curves curves;
    curves = (tr_training_curves){0};
    for (int i = 0; i < TR_TRAINING_ROW_MAX + 5; i++)
        assert_true(tr_training_curves_add(&curves, "guide 1  core_s 1  cost 2  | 50 %"));
    assert_int_equal(curves.rows, TR_TRAINING_ROW_MAX);
    assert_int_equal(curve_of(&curves, "cost")->count, TR_TRAINING_ROW_MAX);
}
