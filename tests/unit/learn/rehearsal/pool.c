#include "cmocka_test.h"

#include "learn/rehearsal/pool.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1000 };

typedef struct tally {
    int calls[ITEMS];
    int threads;
    int batch;   /* at most */
    int strange; /* workers outside the pool's */
} tally;

static void count_item(void *context, int item, int worker) {
    tally *t = context;
    t->calls[item]++;
    if (worker < 0 || worker >= t->threads)
        t->strange = 1;
}

TEST(each_item_is_worked_on_once) {
    for (int threads = 1; threads <= 5; threads++) {
        OWN(tr_pool) *pool = NULL;
        assert_int_equal(tr_pool_create(threads, &pool), TR_OK);
        assert_int_equal(tr_pool_threads(pool), threads);
        OWN_MEMORY tally *t = calloc(1, sizeof *t);
        t->threads = threads;
        for (int round = 1; round <= 20; round++) {
            tr_pool_run(pool, count_item, t, ITEMS);
            for (int i = 0; i < ITEMS; i++)
                assert_int_equal(t->calls[i], round);
        }
        assert_false(t->strange);
    }
}

/* Batches of each size, and their items, which follow each other. */
static void count_batch(void *context, const int *item, int count, int worker) {
    tally *t = context;
    t->strange |= count < 1 || count > t->batch;
    for (int i = 0; i < count; i++) {
        count_item(context, item[i], worker);
        t->strange |= i > 0 && item[i] != item[i - 1] + 1;
    }
}

TEST(each_item_is_in_one_batch) {
    OWN(tr_pool) *pool = NULL;
    int none[ITEMS] = {0};
    assert_int_equal(tr_pool_create(3, &pool), TR_OK);
    for (int size = 1; size <= 5; size++) {
        OWN_MEMORY tally *t = calloc(1, sizeof *t);
        t->threads = 3;
        t->batch = size;
        tr_pool_share_batches(pool, &(tr_pool_batches){count_batch, t, ITEMS - 1, size},
                              (const tr_ranks_result[]){{none, sizeof *none}, {0}});
        for (int i = 0; i < ITEMS; i++)
            assert_int_equal(t->calls[i], i < ITEMS - 1);
        assert_false(t->strange);
    }
}

TEST(no_items_is_fine) {
    tr_pool *pool = NULL;
    assert_int_equal(tr_pool_create(3, &pool), TR_OK);
    for (int i = 0; i < 100; i++)
        tr_pool_run(pool, count_item, NULL, 0);
    tr_pool_destroy(pool);
    tr_pool_destroy(NULL);
}

TEST(absurd_sizes_are_refused) {
    tr_pool *pool = NULL;
    assert_int_equal(tr_pool_create(0, &pool), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_pool_create(TR_POOL_THREAD_MAX + 1, &pool), TR_INVALID_ARGUMENT);
    assert_null(pool);
}
