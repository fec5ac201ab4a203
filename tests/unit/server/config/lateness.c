#include "cmocka_test.h"

#include "server/config/lateness.h"

TEST(test_ticks_fall_into_buckets) {
    tr_lateness lateness = {0};
    tr_lateness_add(&lateness, -5);
    tr_lateness_add(&lateness, 10000);
    tr_lateness_add(&lateness, 10001);
    tr_lateness_add(&lateness, 2000000000);
    assert_int_equal(lateness.tick_count, 4);
    assert_int_equal(lateness.count[0], 2);
    assert_int_equal(lateness.count[1], 1);
    assert_int_equal(lateness.count[TR_LATENESS_BOUND_COUNT], 1);
    assert_float_equal(lateness.max_s, 2, 0);
    assert_float_equal(lateness.sum_s, 2.000020001, 1e-12);
}

TEST(test_bounds_rise) {
    for (int i = 1; i < TR_LATENESS_BOUND_COUNT; i++)
        assert_true(tr_lateness_bound_s[i] > tr_lateness_bound_s[i - 1]);
    assert_float_equal(tr_lateness_bound_s[TR_LATENESS_BOUND_COUNT - 1], 1, 0);
}

TEST(test_quantiles) {
    tr_lateness lateness = {0};
    assert_float_equal(tr_lateness_quantile_s(&lateness, 0.99), 0, 0);
    for (int i = 0; i < 98; i++)
        tr_lateness_add(&lateness, 40000);
    tr_lateness_add(&lateness, 1400000);
    assert_float_equal(tr_lateness_quantile_s(&lateness, 0.5), 50e-6, 0);
    assert_float_equal(tr_lateness_quantile_s(&lateness, 0.98), 50e-6, 0);
    assert_float_equal(tr_lateness_quantile_s(&lateness, 0.995), 1400e-6, 1e-12);
    tr_lateness_add(&lateness, INT64_C(3000000000));
    assert_float_equal(tr_lateness_quantile_s(&lateness, 0.99), 1.5e-3, 0);
    assert_float_equal(tr_lateness_quantile_s(&lateness, 1), 3, 0);
}
