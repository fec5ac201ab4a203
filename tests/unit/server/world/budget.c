/* A budget of processor time, by a clock that the test controls. */
#include "cmocka_test.h"

#include "server/world/budget.h"

static const int64_t MS = 1000000;

/* Turns of `spent_ms` every `every_ms` for 10 s; in how many of the last half is the budget kept? */
static int kept(double share, int spent_ms, int every_ms) {
    tr_budget budget = tr_budget_start(share, 0);
    int count = 0;
    for (int64_t now_ms = every_ms; now_ms <= 10000; now_ms += every_ms) {
        bool within = tr_budget_spend(&budget, spent_ms * MS, now_ms * MS);
        count += within && now_ms > 5000;
    }
    return count;
}

TEST(test_less_than_its_share_is_within_the_budget) {
    assert_int_equal(kept(0.5, 4, 10), 500);
    assert_int_equal(kept(0.5, 5, 10), 500);
    assert_int_equal(kept(0.1, 1, 100), 50);
}

TEST(test_more_than_its_share_is_beyond_the_budget) {
    assert_int_equal(kept(0.5, 6, 10), 0);
    assert_int_equal(kept(0.5, 100, 110), 0);
}

TEST(test_a_share_of_zero_is_no_limit) {
    assert_int_equal(kept(0, 10, 10), 500);
}

/* One long step is paid for, at most for a second. */
TEST(test_a_debt_ends) {
    tr_budget budget = tr_budget_start(0.5, 0);
    assert_false(tr_budget_spend(&budget, 60000 * MS, 60000 * MS));
    assert_false(tr_budget_spend(&budget, 0, 60900 * MS));
    assert_true(tr_budget_spend(&budget, 0, 61000 * MS));
}

/* What was not used is not saved for long: a world that slept may not take a processor for itself. */
TEST(test_little_is_saved) {
    tr_budget budget = tr_budget_start(0.5, 0);
    assert_true(tr_budget_spend(&budget, 0, 60000 * MS));
    assert_false(tr_budget_spend(&budget, 60 * MS, 60000 * MS));
}
