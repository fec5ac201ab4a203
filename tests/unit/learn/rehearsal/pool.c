#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "learn/rehearsal/pool.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1000 };

typedef struct tally {
    int calls[ITEMS];
    int threads;
    int strange; /* workers outside the pool's */
} tally;

static void count_item(void *context, int item, int worker) {
    tally *t = context;
    t->calls[item]++;
    if (worker < 0 || worker >= t->threads)
        t->strange = 1;
}

static void each_item_is_worked_on_once(void **state) {
    (void)state;
    for (int threads = 1; threads <= 5; threads++) {
        tr_pool *pool = NULL;
        assert_int_equal(tr_pool_create(threads, &pool), TR_OK);
        assert_int_equal(tr_pool_threads(pool), threads);
        tally *t = calloc(1, sizeof *t);
        t->threads = threads;
        for (int round = 1; round <= 20; round++) {
            tr_pool_run(pool, count_item, t, ITEMS);
            for (int i = 0; i < ITEMS; i++)
                assert_int_equal(t->calls[i], round);
        }
        assert_false(t->strange);
        free(t);
        tr_pool_destroy(pool);
    }
}

static void no_items_is_fine(void **state) {
    (void)state;
    tr_pool *pool = NULL;
    assert_int_equal(tr_pool_create(3, &pool), TR_OK);
    for (int i = 0; i < 100; i++)
        tr_pool_run(pool, count_item, NULL, 0);
    tr_pool_destroy(pool);
    tr_pool_destroy(NULL);
}

static void absurd_sizes_are_refused(void **state) {
    (void)state;
    tr_pool *pool = NULL;
    assert_int_equal(tr_pool_create(0, &pool), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_pool_create(TR_POOL_THREAD_MAX + 1, &pool), TR_INVALID_ARGUMENT);
    assert_null(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_item_is_worked_on_once),
        cmocka_unit_test(no_items_is_fine),
        cmocka_unit_test(absurd_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
