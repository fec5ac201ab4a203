#include "cmocka_test.h"

#include "learn/measure/heading_record.h"

#include <math.h>

TEST(the_median_and_the_quartiles_are_found_in_any_order) {
    double values[] = {5, 1, 4, 2, 3};
    tr_spread s = tr_spread_of(values, 5);
    assert_true(s.median == 3 && s.low == 2 && s.high == 4);
    for (int i = 0; i < 5; i++)
        assert_true(values[i] == i + 1);
}

TEST(of_an_even_count_the_median_is_the_larger_one_in_the_middle) {
    double values[] = {8, 2, 6, 4};
    tr_spread s = tr_spread_of(values, 4);
    assert_true(s.median == 6 && s.low == 4 && s.high == 8);
}

TEST(without_values_all_are_nan) {
    tr_spread s = tr_spread_of(NULL, 0);
    assert_true(isnan(s.median) && isnan(s.low) && isnan(s.high));
}
