/* A budget of processor time as a bucket: it saves 0.1 s of its share, and owes 1 s of it. */
#include "cmocka_test.h"

#include "server/net/bucket.h"

static bool spend(tr_bucket *budget, double share, int spent_ms, int now_ms) {
    return tr_bucket_spend(budget, 0.1 * share, share, share, spent_ms * 1e-3, (uint64_t)now_ms);
}

/* Turns of `spent_ms` every `every_ms` for 10 s; in how many of the last half is the budget kept? */
static int kept(double share, int spent_ms, int every_ms) {
    tr_bucket budget = {0};
    int count = 0;
    for (int now_ms = every_ms; now_ms <= 10000; now_ms += every_ms)
        count += spend(&budget, share, spent_ms, now_ms) && now_ms > 5000;
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
    tr_bucket budget = {0};
    assert_false(spend(&budget, 0.5, 60000, 60000));
    assert_false(spend(&budget, 0.5, 0, 60900));
    assert_true(spend(&budget, 0.5, 0, 61000));
}

/* What was not used is not saved for long: a world that slept may not take a processor for itself. */
TEST(test_little_is_saved) {
    tr_bucket budget = {0};
    assert_true(spend(&budget, 0.5, 0, 60000));
    assert_false(spend(&budget, 0.5, 60, 60000));
}
