/* Steppers that hold up others, and for how long they may. Time is an argument. */
#include "cmocka_test.h"

#include "server/world/move.h"
#include "unit/server/orders.h"

#include <string.h>

#define LIMIT_NS INT64_C(2000000000)

enum { QUICK = 1, STUCK = 2, OUTSIDER = 3 };

static tr_world_loop *loop;
static int64_t now_ns;
static uint64_t request;

FIXTURE(set_up) {
    static tr_world_loop_def def;
    memset(&def, 0, sizeof def);
    def.id = 257;
    def.mode = TR_MODE_STEPPED;
    def.rate = 1;
    def.steppers = 1;
    def.step_timeout_s = 2;
    def.world = tr_world_def_default();
    def.commands = &tr_commands;
    now_ns = 0;
    assert_int_equal(tr_world_loop_create(&def, now_ns, &loop), TR_OK);
}

FIXTURE(tear_down) {
    tr_world_loop_destroy(loop);
}

static void ask(tr_command *command, uint64_t session) {
    command->stamp.session = session;
    command->stamp.request = ++request;
    tr_world_loop_admit(loop, command);
}

/* Runs the loop until it waits; returns the time until which it waits. */
static int64_t settle(void) {
    int64_t next_ns = now_ns;
    while (next_ns <= now_ns) {
        next_ns = tr_world_loop_advance(loop, now_ns);
        next_ns = tr_world_loop_end_turn(loop, now_ns, next_ns);
    }
    return next_ns;
}

static int removed(void) {
    int count = 0;
    for (int i = 0; i < loop->events.count; i++)
        count += loop->events.event[i].kind == TR_EVENT_STEPPER_REMOVED;
    return count;
}

TEST(test_a_stepper_that_holds_up_another_is_removed_in_time) {
    ask(order_join(1), QUICK);
    ask(order_join(7), STUCK);
    ask(order_step(5), QUICK);
    assert_int_equal(settle(), LIMIT_NS);
    now_ns = LIMIT_NS - 1;
    settle();
    assert_int_equal(tr_world_loop_tick(loop), 0);
    now_ns = LIMIT_NS;
    settle();
    assert_int_equal(tr_world_loop_tick(loop), 5);
    assert_int_equal(loop->lockstep.count, 1);
    assert_int_equal(removed(), 1);
    const tr_event *event = &loop->events.event[0];
    while (event->kind != TR_EVENT_STEPPER_REMOVED)
        event++;
    assert_int_equal(event->session, STUCK);
    assert_true(event->magnitude == 7);
    assert_string_equal(event->text, "step timeout");
}

TEST(test_a_stepper_that_holds_up_a_command_is_removed_in_time) {
    ask(order_join(1), STUCK);
    ask(order_bare(TROUPE__COMMAND__COMMAND_MARK), OUTSIDER);
    assert_int_equal(settle(), LIMIT_NS);
    now_ns = LIMIT_NS;
    settle();
    assert_int_equal(removed(), 1);
    assert_int_equal(loop->queue.count, 0);
}

/* No other stepper waits, so it has no time limit. */
TEST(test_a_lone_stepper_is_not_removed) {
    ask(order_join(1), STUCK);
    assert_int_equal(settle(), INT64_MAX);
    now_ns = 100 * LIMIT_NS;
    ask(order_step(3), STUCK);
    settle();
    assert_int_equal(tr_world_loop_tick(loop), 3);
    assert_int_equal(removed(), 0);
}

/* It could not step: the time begins when the hold has ended. */
TEST(test_no_stepper_of_a_held_world_is_removed) {
    ask(order_join(1), QUICK);
    ask(order_join(2), STUCK);
    ask(order_step(5), QUICK);
    settle();
    loop->held_by = OUTSIDER;
    now_ns = 10 * LIMIT_NS;
    settle();
    assert_int_equal(removed(), 0);
    tr_world_loop_admit(loop, tr_move_release_create(OUTSIDER));
    assert_int_equal(settle(), 11 * LIMIT_NS);
}

/* A stepper that is slow but in time stays. */
TEST(test_each_tick_has_the_whole_time) {
    ask(order_join(1), QUICK);
    ask(order_join(2), STUCK);
    ask(order_step(10), QUICK);
    for (int i = 0; i < 10; i++) {
        settle();
        now_ns += LIMIT_NS - 1;
        ask(order_step(1), STUCK);
    }
    settle();
    assert_int_equal(tr_world_loop_tick(loop), 10);
    assert_int_equal(removed(), 0);
}

TEST(test_the_removed_join_again_with_their_next_step) {
    ask(order_join(1), QUICK);
    ask(order_join(2), STUCK);
    ask(order_step(1), QUICK);
    settle();
    now_ns = LIMIT_NS;
    settle();
    assert_int_equal(loop->lockstep.count, 1);
    ask(order_step(1), STUCK);
    settle();
    assert_int_equal(loop->lockstep.count, 2);
}

TEST_FIXTURE(set_up, tear_down);
