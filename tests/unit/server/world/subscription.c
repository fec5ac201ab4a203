#include "cmocka_test.h"

#include "server/world/subscription.h"

/* A world that counts how often it stopped making events. */
typedef struct fixture {
    int stopped;
    bool events_wanted;
} fixture;

static void set_classes(void *world, const tr_state_class *classes) {
    (void)world, (void)classes;
}

static void set_events(void *world, bool wanted) {
    fixture *f = world;
    f->stopped += !wanted;
    f->events_wanted = wanted;
}

static void ended(void *subscriber, const tr_subscription *subscription) {
    (void)subscriber, (void)subscription;
}

static const tr_state_source source = {.set_classes = set_classes, .set_events = set_events};
static const tr_subscriber_kind kind = {.ended = ended};

TEST(test_a_subscription_that_replaces_another_leaves_no_gap_in_the_events) {
    fixture f = {0};
    tr_subscriptions all = {.id = 1, .source = &source, .world = &f};
    tr_subscription *subscription = NULL;
    for (uint32_t every_ticks = 0; every_ticks < 5; every_ticks++) {
        tr_subscription_def def = {.kind = &kind, .every_ticks = every_ticks, .events = true};
        assert_int_equal(tr_subscribe(&all, &def, subscription, &subscription), TR_OK);
        assert_true(f.events_wanted);
        assert_int_equal(all.count, 1);
    }
    assert_int_equal(f.stopped, 0);
    tr_subscription_def quiet = {.kind = &kind, .every_ticks = 5};
    assert_int_equal(tr_subscribe(&all, &quiet, subscription, &subscription), TR_OK);
    assert_int_equal(f.stopped, 1);
    tr_subscription_end(subscription);
    assert_false(f.events_wanted);
    assert_int_equal(all.event_count, 0);
}

/* What a lost count of one kind would leave behind. */
TEST(each_wrong_count_of_subscriptions_is_noticed) {
    fixture f = {0};
    OWN_BY(tr_subscriptions_end) tr_subscriptions all = {.id = 1, .source = &source, .world = &f};
    tr_subscription *first = NULL, *second = NULL;
    tr_subscription_def def = {.kind = &kind, .every_ticks = 2, .events = true};
    assert_int_equal(tr_subscribe(&all, &def, NULL, &first), TR_OK);
    assert_int_equal(tr_subscribe(&all, &def, NULL, &second), TR_OK);
    int slot = first->slot;
    for (int which = 0; which <= 4; which++) {
        tr_invariant broken = {0};
        tr_subscriptions wrong = all;
        wrong.count -= which == 1;
        wrong.event_count += which == 2;
        wrong.class_users[slot] -= which == 3;
        wrong.class[slot].generation = which == 4 ? 0 : all.class[slot].generation;
        tr_subscriptions_must_hold(&wrong, &broken);
        assert_int_equal(broken.what != NULL, which > 0);
    }
}
