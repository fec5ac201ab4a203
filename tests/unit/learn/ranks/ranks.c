/* Runs alone, and by mpirun on three ranks: every rank makes every check. */
#include "cmocka_test.h"

#include "learn/ranks/ranks.h"
#include "learn/rehearsal/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1000, LARGE = 3 << 20 };

typedef struct slots {
    double square[ITEMS];
    char name[ITEMS][5];
    int calls[ITEMS];
} slots;

static void fill_in(void *context, int item, int worker) {
    slots *s = context;
    (void)worker;
    s->square[item] = (double)item * item;
    snprintf(s->name[item], sizeof s->name[item], "%04d", item);
    s->calls[item]++;
}

TEST(every_rank_has_every_result_and_did_its_own) {
    static const int counts[] = {ITEMS, ITEMS - 1, 2, 1, 0};
    OWN(tr_pool) *pool = NULL;
    assert_int_equal(tr_pool_create(2, &pool), TR_OK);
    assert_int_equal(tr_pool_width(pool), 2 * tr_ranks_count());
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        OWN_MEMORY slots *s = calloc(1, sizeof *s);
        const tr_ranks_result results[] = {
            {s->square, sizeof *s->square}, {s->name, sizeof *s->name}, {0}};
        tr_pool_share(pool, fill_in, s, counts[k], results);
        for (int i = 0; i < ITEMS; i++) {
            char name[16];
            snprintf(name, sizeof name, "%04d", i);
            assert_true(s->square[i] == (i < counts[k] ? (double)i * i : 0));
            assert_string_equal(s->name[i], i < counts[k] ? name : "");
            bool own = i < counts[k] && i % tr_ranks_count() == tr_ranks_own();
            assert_int_equal(s->calls[i], own);
        }
    }
}

TEST(some_results_go_without_the_others) {
    static const int list[] = {7, 0, 3, 6, 4};
    enum { COUNT = sizeof list / sizeof *list };
    double number[9] = {0};
    for (int i = tr_ranks_own(); i < 9; i += tr_ranks_count())
        number[i] = i + 1;
    tr_ranks_share_some(list, COUNT, (const tr_ranks_result[]){{number, sizeof *number}, {0}});
    for (int i = 0; i < 9; i++) {
        bool has = i % tr_ranks_count() == tr_ranks_own();
        for (int k = 0; k < COUNT; k++)
            has |= list[k] == i;
        assert_true(number[i] == (has ? i + 1 : 0));
    }
}

/* Larger than what goes at a time. */
TEST(large_results_go_in_parts) {
    enum { COUNT = 31 };
    OWN_MEMORY char *rows = calloc(COUNT, LARGE);
    assert_non_null(rows);
    for (int i = tr_ranks_own(); i < COUNT; i += tr_ranks_count())
        memset(rows + (size_t)i * LARGE, i + 1, LARGE);
    tr_ranks_share(COUNT, (const tr_ranks_result[]){{rows, LARGE}, {0}});
    for (int i = 0; i < COUNT; i++)
        assert_true(rows[(size_t)i * LARGE] == i + 1 && rows[(size_t)(i + 1) * LARGE - 1] == i + 1);
}

TEST(all_follow_the_lead) {
    int own = tr_ranks_own();
    tr_ranks_follow(&own, sizeof own);
    assert_int_equal(own, 0);
    int count = tr_ranks_count();
    assert_true(tr_ranks_sum(tr_ranks_own() + 1) == count * (count + 1) / 2);
    tr_ranks_compare("the test", 17);
}

/* Within the work the others are not asked, or all would wait for ever, and all items are the lead's. */
static tr_status count_and_refuse(void *context, tr_error *error) {
    OWN(tr_pool) *pool = NULL;
    OWN_MEMORY slots *s = calloc(1, sizeof *s);
    ++*(int *)context;
    assert_true(tr_ranks_sum(1) == 1);
    assert_int_equal(tr_pool_create(1, &pool), TR_OK);
    tr_pool_share(pool, fill_in, s, ITEMS,
                  (const tr_ranks_result[]){{s->square, sizeof *s->square}, {0}});
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(s->calls[i], 1);
    return tr_fail(error, TR_NOT_FOUND, "nothing here");
}

TEST(the_lead_works_for_all) {
    int calls = 0;
    tr_error error = {0};
    assert_int_equal(tr_ranks_let_lead(count_and_refuse, &calls, &error), TR_NOT_FOUND);
    assert_string_equal(error.message, "nothing here");
    assert_int_equal(calls, tr_ranks_lead());
    assert_int_equal(tr_ranks_let_lead(count_and_refuse, &calls, NULL), TR_NOT_FOUND);
}

FIXTURE(begin) {
    assert_int_equal(tr_ranks_begin(NULL), 0);
}

FIXTURE(end) {
    assert_int_equal(tr_ranks_end(0), 0);
}

SUITE_FIXTURE(begin, end);
