#include "cmocka_test.h"

#include "server/world/publisher.h"

#include <stdlib.h>

/* The publisher's part is called as a world loop calls it; it reads nothing of the loop. */
static void reach(tr_publisher *publisher, int64_t tick) {
    publisher->part.kind->after_step(&publisher->part, NULL, tick, 0);
}

TEST(test_classes_are_due_at_their_ticks) {
    OWN_MEMORY tr_publisher *publisher = tr_publisher_create();
    assert_non_null(publisher);
    tr_state_class classes[TR_STATE_CLASS_MAX] = {{.generation = 1, .every_ticks = 4},
                                                  {.generation = 2, .every_ticks = 10}};
    tr_publisher_assign(publisher, classes);
    assert_int_equal(publisher->owed, 3); /* a first state with the subscription */
    publisher->owed = 0;
    for (int64_t tick = 1; tick <= 20; tick++)
        reach(publisher, tick);
    assert_int_equal(publisher->slot[0].sequence, 1 + 5);
    assert_int_equal(publisher->slot[1].sequence, 1 + 2);
    assert_int_equal(publisher->owed, 3);
}

TEST(test_a_late_subscriber_gets_a_state_without_delay) {
    OWN_MEMORY tr_publisher *publisher = tr_publisher_create();
    assert_non_null(publisher);
    tr_state_class classes[TR_STATE_CLASS_MAX] = {{.generation = 1, .every_ticks = 100}};
    tr_publisher_assign(publisher, classes);
    publisher->owed = 0;
    tr_publisher_assign(publisher, classes);
    assert_int_equal(publisher->owed, 0);
    classes[0].refresh++;
    tr_publisher_assign(publisher, classes);
    assert_int_equal(publisher->owed, 1);
    assert_int_equal(publisher->slot[0].sequence, 2);
}

TEST(test_a_reused_slot_starts_over) {
    OWN_MEMORY tr_publisher *publisher = tr_publisher_create();
    assert_non_null(publisher);
    tr_state_class classes[TR_STATE_CLASS_MAX] = {{.generation = 1, .every_ticks = 1}};
    tr_publisher_assign(publisher, classes);
    for (int64_t tick = 1; tick <= 9; tick++)
        reach(publisher, tick);
    classes[0] = (tr_state_class){.generation = 2, .every_ticks = 5};
    tr_publisher_assign(publisher, classes);
    assert_int_equal(publisher->slot[0].sequence, 1);
    assert_int_equal(publisher->owed, 1);
    classes[0].generation = 0;
    tr_publisher_assign(publisher, classes);
    publisher->part.kind->refresh(&publisher->part);
    reach(publisher, 10);
    assert_int_equal(publisher->owed, 0);
}
