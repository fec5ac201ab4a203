/* Which client is cut off when all together hold too much. */
#include "cmocka_test.h"

#include "server/net/ledger.h"

enum { TOTAL_MAX = 100, PARTY_MAX = 60, COUNT = 6 };

typedef struct fixture {
    tr_ledger ledger;
    tr_holder holder[COUNT];
} fixture;

FIXTURE(set_up) {
    static fixture f;
    f = (fixture){.ledger = {.total_max = TOTAL_MAX, .party_max = PARTY_MAX}};
    *given = &f;
}

FIXTURE(tear_down) {
    fixture *f = *given;
    for (int i = 0; i < COUNT; i++)
        tr_ledger_leave(&f->ledger, &f->holder[i]);
    assert_int_equal(f->ledger.total, 0);
}

static tr_holder *hold(fixture *f, int index, uint64_t party, size_t bytes) {
    assert_int_equal(tr_ledger_join(&f->ledger, &f->holder[index], party), TR_OK);
    return tr_ledger_hold(&f->ledger, &f->holder[index], bytes);
}

TEST(test_within_the_limits_no_client_is_cut_off) {
    fixture *f = *given;
    assert_null(hold(f, 0, 1, 60));
    assert_null(hold(f, 1, 2, 40));
    assert_int_equal(f->ledger.total, 100);
    assert_null(hold(f, 0, 1, 10));
    assert_int_equal(f->ledger.total, 50);
}

TEST(test_the_largest_holder_of_a_full_party_gives_way) {
    fixture *f = *given;
    assert_null(hold(f, 0, 1, 40));
    assert_null(hold(f, 1, 2, 30));
    assert_ptr_equal(hold(f, 2, 1, 21), &f->holder[0]);
    tr_ledger_release(&f->ledger, &f->holder[0]);
    assert_int_equal(f->ledger.total, 51);
    assert_null(hold(f, 2, 1, 21));
}

/* A party of many small holders gives way before one large holder that is alone. */
TEST(test_the_largest_party_gives_way_when_the_total_is_exceeded) {
    fixture *f = *given;
    assert_null(hold(f, 0, 1, 40));
    for (int i = 1; i < 4; i++)
        assert_null(hold(f, i, 2, 15));
    assert_ptr_equal(hold(f, 4, 3, 16), &f->holder[3]);
    tr_ledger_release(&f->ledger, &f->holder[3]);
    assert_null(hold(f, 4, 3, 16));
}

TEST(test_a_single_holder_above_the_limit_gives_way_itself) {
    fixture *f = *given;
    assert_ptr_equal(hold(f, 0, 1, 61), &f->holder[0]);
    tr_ledger_release(&f->ledger, &f->holder[0]);
    assert_int_equal(f->ledger.total, 0);
}

TEST(test_a_holder_moves_to_another_party_with_its_bytes) {
    fixture *f = *given;
    assert_null(hold(f, 0, 1, 50));
    assert_int_equal(tr_ledger_join(&f->ledger, &f->holder[0], 2), TR_OK);
    assert_int_equal(f->ledger.total, 50);
    assert_null(hold(f, 1, 1, 50));
    assert_ptr_equal(hold(f, 2, 2, 11), &f->holder[0]);
}

TEST(test_a_left_holder_does_not_count) {
    fixture *f = *given;
    assert_null(hold(f, 0, 1, 60));
    tr_ledger_leave(&f->ledger, &f->holder[0]);
    tr_ledger_leave(&f->ledger, &f->holder[0]);
    assert_int_equal(f->ledger.total, 0);
    assert_null(hold(f, 1, 1, 60));
}

TEST(test_each_wrong_sum_is_noticed) {
    fixture *f = *given;
    assert_null(hold(f, 0, 1, 20));
    assert_null(hold(f, 1, 1, 30));
    for (int which = 0; which <= 3; which++) {
        tr_invariant broken = {0};
        const tr_ledger right = f->ledger;
        f->holder[0].bytes += which == 1;
        f->ledger.total -= which == 2 ? 10 : 0;
        f->ledger.highest -= which == 3 ? 10 : 0;
        tr_ledger_must_hold(&f->ledger, &f->holder[1], &broken);
        assert_int_equal(broken.what != NULL, which > 0);
        f->ledger = right;
        f->holder[0].bytes = 20;
    }
}

TEST(test_a_fall_from_the_highest_is_reported_once) {
    fixture *f = *given;
    assert_null(hold(f, 0, 1, 50));
    assert_false(tr_ledger_fell(&f->ledger, 30));
    assert_null(hold(f, 0, 1, 20));
    assert_true(tr_ledger_fell(&f->ledger, 30));
    assert_false(tr_ledger_fell(&f->ledger, 30));
}

TEST_FIXTURE(set_up, tear_down);
