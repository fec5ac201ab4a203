#include "cmocka_test.h"

#include "server/world/lockstep.h"

static tr_stamp at(int64_t tick, uint64_t order) {
    return (tr_stamp){.tick = tick, .order = order};
}

static uint32_t join(tr_lockstep *lockstep, uint64_t session, uint32_t order) {
    uint32_t got = 0;
    assert_int_equal(tr_lockstep_join(lockstep, session, order, 0, &got), TR_OK);
    return got;
}

TEST(test_orders) {
    tr_lockstep lockstep = tr_lockstep_start(1);
    uint32_t order = 0;
    assert_int_equal(join(&lockstep, 10, 2), 2);
    assert_int_equal(join(&lockstep, 11, 0), 1);
    assert_int_equal(join(&lockstep, 12, 0), 3);
    assert_int_equal(tr_lockstep_join(&lockstep, 13, 2, 0, &order), TR_ALREADY_EXISTS);
    assert_int_equal(tr_lockstep_join(&lockstep, 10, 9, 0, &order), TR_ALREADY_EXISTS);
    assert_int_equal(tr_lockstep_join(&lockstep, 13, TR_STEPPER_ORDER_MAX + 1, 0, &order),
                     TR_OUT_OF_RANGE);
    for (int i = 1; i < lockstep.count; i++)
        assert_true(lockstep.stepper[i - 1].order < lockstep.stepper[i].order);
    assert_int_equal(tr_lockstep_leave(&lockstep, 11), TR_OK);
    assert_int_equal(tr_lockstep_leave(&lockstep, 11), TR_NOT_FOUND);
    assert_int_equal(join(&lockstep, 14, 0), 1);
}

TEST(test_full) {
    tr_lockstep lockstep = tr_lockstep_start(1);
    uint32_t order = 0;
    for (uint64_t i = 0; i < TR_STEPPERS_MAX; i++)
        join(&lockstep, i + 1, 0);
    assert_int_equal(tr_lockstep_join(&lockstep, 1000, 0, 0, &order), TR_RESOURCE_EXHAUSTED);
}

TEST(test_steps_to_the_lowest_frontier) {
    tr_lockstep lockstep = tr_lockstep_start(1);
    assert_false(tr_lockstep_may_step(&lockstep, 0));
    join(&lockstep, 1, 1);
    join(&lockstep, 2, 2);
    tr_lockstep_find(&lockstep, 1)->frontier = 5;
    assert_false(tr_lockstep_may_step(&lockstep, 0));
    tr_lockstep_find(&lockstep, 2)->frontier = 3;
    assert_true(tr_lockstep_may_step(&lockstep, 2));
    assert_false(tr_lockstep_may_step(&lockstep, 3));
    assert_int_equal(tr_lockstep_leave(&lockstep, 2), TR_OK);
    assert_true(tr_lockstep_may_step(&lockstep, 4));
    tr_lockstep_rewind(&lockstep, 0);
    assert_false(tr_lockstep_may_step(&lockstep, 0));
}

TEST(test_turns_of_one_tick) {
    tr_lockstep lockstep = tr_lockstep_start(1);
    join(&lockstep, 1, 1);
    join(&lockstep, 2, 2);
    tr_stamp first = at(0, 1), second = at(0, 2), stranger = at(0, TR_ORDER_UNJOINED + 9);
    assert_true(tr_lockstep_may_apply(&lockstep, &first, 0));
    assert_false(tr_lockstep_may_apply(&lockstep, &second, 0));
    assert_false(tr_lockstep_may_apply(&lockstep, &stranger, 0));
    tr_lockstep_find(&lockstep, 1)->frontier = 1;
    assert_true(tr_lockstep_may_apply(&lockstep, &second, 0));
    assert_false(tr_lockstep_may_apply(&lockstep, &stranger, 0));
    tr_lockstep_find(&lockstep, 2)->frontier = 1;
    assert_true(tr_lockstep_may_apply(&lockstep, &stranger, 0));
    tr_stamp later = at(1, 1);
    assert_false(tr_lockstep_may_apply(&lockstep, &later, 0));
}

TEST(test_waits_until_gathered) {
    tr_lockstep lockstep = tr_lockstep_start(2);
    tr_stamp stamp = at(0, 1);
    join(&lockstep, 1, 1);
    tr_lockstep_find(&lockstep, 1)->frontier = 4;
    assert_false(tr_lockstep_may_step(&lockstep, 0));
    assert_false(tr_lockstep_may_apply(&lockstep, &stamp, 0));
    join(&lockstep, 2, 2);
    assert_true(tr_lockstep_may_apply(&lockstep, &stamp, 0));
    assert_int_equal(tr_lockstep_leave(&lockstep, 2), TR_OK);
    assert_true(tr_lockstep_may_step(&lockstep, 3)); /* once gathered, none waits for a leaver */
}
