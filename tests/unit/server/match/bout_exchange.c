/* Results of hosted bouts. One that is expected is returned although there is no memory when it
 * ends; one that is no longer expected is dropped. */
#include "cmocka_test.h"

#include "server/match/bout_exchange.h"

#include <stdlib.h>

/* The linker puts these in the place of malloc and calloc. */
static bool memory_is_out;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size) {
    return memory_is_out ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return memory_is_out ? NULL : __real_calloc(count, size);
}

static void count_news(void *context) {
    int *news = context;
    ++*news;
}

typedef struct scene {
    uv_loop_t loop;
    tr_bout_exchange *exchange;
    int news;
} scene;

static void begin(scene *s) {
    *s = (scene){.news = 0};
    assert_int_equal(uv_loop_init(&s->loop), 0);
    const tr_bout_exchange_def def = {.loop = &s->loop, .news = count_news, .context = &s->news};
    assert_int_equal(tr_bout_exchange_create(&def, &s->exchange), TR_OK);
}

static void end(scene *s) {
    tr_bout_exchange_destroy(s->exchange);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&s->loop), 0);
}

static void post(scene *s, int64_t ticket, int64_t ticks) {
    const tr_bout_result result = {.ticks = ticks};
    tr_bout_exchange_post(s->exchange, ticket, &result);
    uv_run(&s->loop, UV_RUN_NOWAIT);
}

TEST(test_a_result_arrives_although_memory_runs_out) {
    scene s;
    tr_bout_back back;
    begin(&s);
    assert_int_equal(tr_bout_exchange_expect(s.exchange, 7), TR_OK);
    assert_int_equal(tr_bout_exchange_expect(s.exchange, 8), TR_OK);
    memory_is_out = true;
    assert_int_equal(tr_bout_exchange_expect(s.exchange, 9), TR_RESOURCE_EXHAUSTED);
    post(&s, 7, 70);
    memory_is_out = false;
    assert_int_equal(s.news, 1);
    assert_true(tr_bout_exchange_take(s.exchange, &back));
    assert_null(back.match);
    assert_false(back.dropped);
    assert_int_equal(back.ticket, 7);
    assert_int_equal(back.result.ticks, 70);
    assert_false(tr_bout_exchange_take(s.exchange, &back)); /* 8 is being fought */
    post(&s, 8, 80);
    assert_true(tr_bout_exchange_take(s.exchange, &back));
    assert_int_equal(back.ticket, 8);
    assert_int_equal(back.result.ticks, 80);
    end(&s);
}

TEST(test_a_forgotten_result_is_dropped) {
    scene s;
    tr_bout_back back;
    begin(&s);
    assert_int_equal(tr_bout_exchange_expect(s.exchange, 7), TR_OK);
    tr_bout_exchange_forget(s.exchange, 7);
    tr_bout_exchange_forget(s.exchange, 7);
    post(&s, 7, 70);
    assert_false(tr_bout_exchange_take(s.exchange, &back));
    assert_int_equal(tr_bout_exchange_expect(s.exchange, 8), TR_OK);
    post(&s, 8, 80); /* never taken */
    end(&s);
}
