#include "cmocka_test.h"

#include "unit/server/orders.h"

#include <string.h>

static tr_command *command(int64_t tick, uint64_t order, uint64_t request) {
    tr_command *out = order_bare(TROUPE__COMMAND__COMMAND_MARK);
    out->stamp = (tr_stamp){tick, order, request, order};
    return out;
}

/* Every order of arrival gives the same order of application. */
TEST(test_arrival_does_not_matter) {
    static const tr_stamp sorted[] = {
        {1, 1, 7, 1}, {1, 1, 8, 1}, {1, 2, 3, 2}, {2, 1, 1, 1}, {2, 9, 1, 9}};
    enum { COUNT = sizeof sorted / sizeof *sorted };
    for (int shift = 0; shift < 120; shift++) {
        tr_command_queue queue = {0};
        int left[COUNT] = {0, 1, 2, 3, 4}, code = shift;
        for (int n = COUNT; n > 0; n--) { /* the shift-th permutation */
            int pick = code % n;
            code /= n;
            const tr_stamp *s = &sorted[left[pick]];
            tr_command_queue_insert(&queue, command(s->tick, s->order, s->request));
            memmove(&left[pick], &left[pick + 1], (size_t)(n - pick - 1) * sizeof(int));
        }
        assert_int_equal(queue.count, COUNT);
        for (int i = 0; i < COUNT; i++) {
            tr_command *next = tr_command_queue_take(&queue);
            assert_int_equal(tr_stamp_compare(&next->stamp, &sorted[i]), 0);
            tr_command_destroy(next);
        }
        assert_null(tr_command_queue_take(&queue));
    }
}

TEST(test_compare_is_an_order) {
    tr_stamp a = {5, 2, 1, 2}, b = {5, 10, 1, 10}, c = {6, 1, 0, 1};
    assert_true(tr_stamp_compare(&a, &b) < 0);
    assert_true(tr_stamp_compare(&b, &a) > 0);
    assert_true(tr_stamp_compare(&b, &c) < 0);
    assert_true(tr_stamp_compare(&a, &c) < 0);
    tr_stamp same_order = {5, 2, 1, 3};
    assert_true(tr_stamp_compare(&a, &same_order) < 0);
}

TEST(every_kind_has_another_name_and_number) {
    for (int i = 0; i < tr_commands.count; i++)
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(tr_commands.kind[i]->name, tr_commands.kind[j]->name);
            assert_int_not_equal(tr_commands.kind[i]->number, tr_commands.kind[j]->number);
        }
    assert_true(tr_command_find(&tr_commands, TROUPE__COMMAND__COMMAND_JOIN)->at_once);
    assert_false(tr_command_find(&tr_commands, TROUPE__COMMAND__COMMAND_PUSH)->at_once);
}
