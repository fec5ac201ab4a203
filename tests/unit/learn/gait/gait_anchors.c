#include "cmocka_test.h"

#include "learn/gait/gait_anchors.h"

#include <math.h>
#include <stdlib.h>

static void put(tr_gait_anchors *anchors, double task, double first) {
    double value[TR_GAIT_SIZE];
    tr_gait_parameters_published(value);
    value[0] = first;
    assert_int_equal(tr_gait_anchors_put(anchors, task, value), TR_OK);
}

static tr_gait_anchors *three(void) {
    tr_gait_anchors *anchors = calloc(1, sizeof *anchors);
    assert_non_null(anchors);
    put(anchors, 20, 0.2);
    put(anchors, -10, 0.6);
    put(anchors, 0, 0.4);
    return anchors;
}

TEST(anchors_are_kept_in_order) {
    OWN_MEMORY tr_gait_anchors *anchors = three();
    assert_int_equal(anchors->count, 3);
    assert_true(anchors->anchor[0].task == -10 && anchors->anchor[2].task == 20);
    assert_null(tr_gait_anchors_find(anchors, 5));
    put(anchors, 0, 0.5);
    assert_int_equal(anchors->count, 3);
    assert_true(tr_gait_anchors_find(anchors, 0)->value[0] == 0.5);
}

TEST(between_anchors_values_are_linear_and_beyond_they_stay) {
    OWN_MEMORY tr_gait_anchors *anchors = three();
    double value[TR_GAIT_SIZE];
    tr_gait_anchors_at(anchors, -5, value);
    assert_true(fabs(value[0] - 0.5) < 1e-12);
    tr_gait_anchors_at(anchors, 15, value);
    assert_true(fabs(value[0] - 0.25) < 1e-12);
    tr_gait_anchors_at(anchors, 500, value);
    assert_true(value[0] == 0.2);
    tr_gait_anchors_at(anchors, -500, value);
    assert_true(value[0] == 0.6);
}

TEST(a_cut_curve_ends_where_it_was_cut) {
    OWN_MEMORY tr_gait_anchors *anchors = three();
    assert_int_equal(tr_gait_anchors_cut(anchors, -50, 5), TR_OK);
    assert_int_equal(anchors->count, 3);
    assert_true(anchors->anchor[0].task == -10 && anchors->anchor[2].task == 5);
    assert_true(fabs(anchors->anchor[2].value[0] - 0.35) < 1e-12);
    assert_int_equal(tr_gait_anchors_cut(anchors, 6, 9), TR_OK);
    assert_int_equal(anchors->count, 0);
}

TEST(the_baked_curve_goes_through_the_anchors) {
    OWN_MEMORY tr_gait_anchors *anchors = three();
    tr_gait_curve curve;
    double value[TR_GAIT_SIZE];
    assert_int_equal(tr_gait_anchors_bake(anchors, 5, &curve), TR_OK);
    assert_int_equal(curve.count, 7);
    for (int i = 0; i < anchors->count; i++) {
        tr_gait_curve_at(&curve, anchors->anchor[i].task, value);
        assert_true(fabs(value[0] - anchors->anchor[i].value[0]) < 1e-12);
    }
    tr_gait_curve_at(&curve, 7, value);
    assert_true(fabs(value[0] - 0.33) < 1e-12);
    tr_gait_curve_deinit(&curve);
}

TEST(one_anchor_makes_a_curve_of_one_row) {
    OWN_MEMORY tr_gait_anchors *anchors = calloc(1, sizeof *anchors);
    tr_gait_curve curve;
    double value[TR_GAIT_SIZE];
    assert_non_null(anchors);
    assert_int_equal(tr_gait_anchors_bake(anchors, 5, &curve), TR_FAILED_PRECONDITION);
    put(anchors, 0, 0.4);
    assert_int_equal(tr_gait_anchors_bake(anchors, 5, &curve), TR_OK);
    assert_int_equal(curve.count, 1);
    tr_gait_curve_at(&curve, 100, value);
    assert_true(value[0] == 0.4);
    tr_gait_curve_deinit(&curve);
}
