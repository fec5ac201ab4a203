#include "cmocka_test.h"

#include "control/stage/touches.h"
#include "unit/control/puppet.h"

static tr_contact contact(tr_entity_id a, int body_a, tr_entity_id b, int body_b, double force) {
    return (tr_contact){.entity = {a, b}, .body = {body_a, body_b}, .impulse = {force, 0, 0}};
}

TEST(pairs_are_gathered_and_ordered) {
    const tr_contact contacts[] = {contact(5, 1, 0, -1, 9), contact(5, 2, 3, 7, 1),
                                   contact(5, 4, 5, 6, 9),  contact(3, 8, 5, 9, 2),
                                   contact(3, 1, 4, 2, -1), contact(5, 3, 3, 1, 0.5)};
    tr_touch_contact pairs[6];
    assert_int_equal(tr_touches_gather(contacts, 6, pairs), 2);
    assert_int_equal(pairs[0].entity[0], 3);
    assert_int_equal(pairs[0].entity[1], 5);
    assert_int_equal(pairs[0].body[0], 8); /* of the strongest */
    assert_int_equal(pairs[0].body[1], 9);
    assert_near(pairs[0].impulse.x, 2 - 1 - 0.5, 1e-15);
    assert_int_equal(pairs[1].entity[1], 4);
    assert_near(pairs[1].impulse.x, -1, 0);
}

static bool note(tr_touches *touches, tr_entity_id a, tr_entity_id b, int64_t tick) {
    tr_touch_contact pair = {.entity = {a, b}};
    bool began = false;
    assert_true(tr_touches_note(touches, &pair, tick, &began));
    return began;
}

TEST(a_touch_begins_once_until_they_part) {
    static tr_touches touches;
    touches.count = 0;
    assert_true(note(&touches, 2, 9, 1));
    assert_true(note(&touches, 2, 3, 1));
    assert_true(note(&touches, 1, 9, 1));
    assert_false(note(&touches, 2, 9, 2));
    tr_touches_expire(&touches, 2);
    assert_int_equal(touches.count, 3);
    tr_touches_expire(&touches, TR_TOUCH_PART_STEPS + 1);
    assert_int_equal(touches.count, 1); /* (2, 9) was renewed at 2 */
    assert_false(note(&touches, 2, 9, TR_TOUCH_PART_STEPS + 1));
    assert_true(note(&touches, 2, 3, TR_TOUCH_PART_STEPS + 1));
}

TEST(touches_stay_sorted_and_capped) {
    static tr_touches touches;
    touches.count = 0;
    for (uint32_t i = 0; i < TR_TOUCH_MAX; i++)
        assert_true(note(&touches, 1 + i * 7919 % 1021, 2000 + i, 1));
    assert_int_equal(touches.count, TR_TOUCH_MAX);
    for (int i = 1; i < touches.count; i++) {
        const tr_touch *a = &touches.touch[i - 1], *b = &touches.touch[i];
        assert_true(a->entity[0] < b->entity[0] ||
                    (a->entity[0] == b->entity[0] && a->entity[1] < b->entity[1]));
    }
    tr_touch_contact one_more = {.entity = {4000, 5000}};
    bool began = true;
    assert_false(tr_touches_note(&touches, &one_more, 2, &began));
    assert_false(began);
    assert_int_equal(touches.count, TR_TOUCH_MAX);
}
