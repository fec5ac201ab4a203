#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/world/host.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_int notices;

static void notify(void *context, uint32_t id) {
    (void)context, (void)id;
    atomic_fetch_add(&notices, 1);
}

static tr_host *make(tr_pool *pool, tr_world_mode mode) {
    static tr_host_def def;
    memset(&def, 0, sizeof def);
    def.pool = pool;
    def.notify = notify;
    def.play.id = 257;
    def.play.mode = mode;
    def.play.rate = 1;
    def.play.steppers = 1;
    def.play.world = tr_world_def_default();
    tr_host *host = NULL;
    assert_int_equal(tr_host_create(&def, &host), TR_OK);
    return host;
}

static tr_command *command(tr_command_kind kind, uint64_t request) {
    tr_command *out = tr_command_create(kind);
    assert_non_null(out);
    out->stamp.session = 1;
    out->stamp.request = request;
    return out;
}

/* Collects until `done` says so; counts replies and states on the way. */
typedef struct tally {
    int replies, states, aborted;
    uint64_t last_sequence;
    bool closed;
} tally;

static void collect(tr_host *host, tally *t) {
    tr_harvest harvest;
    tr_host_collect(host, &harvest);
    for (const tr_reply *reply = harvest.replies; reply != NULL; reply = reply->next) {
        t->replies++;
        t->aborted += reply->error.status == TR_ABORTED;
    }
    if (harvest.state[0].packet != NULL) {
        t->states++;
        assert_true(harvest.state[0].sequence > t->last_sequence);
        t->last_sequence = harvest.state[0].sequence;
    }
    t->closed |= harvest.closed;
    tr_harvest_deinit(&harvest);
}

static void close_and_destroy(tr_host *host, tally *t) {
    tr_host_close(host);
    for (int i = 0; i < 10000 && !t->closed; i++) {
        usleep(1000);
        collect(host, t);
    }
    assert_true(t->closed);
    tr_host_destroy(host);
}

static void test_stepped_world_gives_every_state(void **state) {
    (void)state;
    tr_pool *pool = NULL;
    assert_int_equal(tr_pool_create(2, 4, &pool), TR_OK);
    tr_host *host = make(pool, TR_MODE_STEPPED);
    tr_state_class classes[TR_STATE_CLASS_MAX] = {{.generation = 1, .every_ticks = 1}};
    tr_host_set_classes(host, classes);
    tr_command *step = command(TR_COMMAND_STEP, 1);
    step->as.step_count = 50;
    assert_int_equal(tr_host_post(host, step), TR_OK);
    tally t = {0};
    for (int i = 0; i < 10000 && t.replies == 0; i++) {
        usleep(200);
        collect(host, &t);
    }
    assert_int_equal(t.replies, 1);
    for (int i = 0; i < 10000 && t.states < 51; i++) {
        usleep(1000);
        collect(host, &t);
    }
    assert_int_equal(t.states, 51); /* the first at once, then one a tick */
    assert_true(t.last_sequence == 51);
    close_and_destroy(host, &t);
    tr_pool_destroy(pool);
}

static void test_nobody_collects(void **state) {
    (void)state;
    tr_pool *pool = NULL;
    assert_int_equal(tr_pool_create(1, 4, &pool), TR_OK);
    tr_host *host = make(pool, TR_MODE_REAL_TIME);
    tr_state_class classes[TR_STATE_CLASS_MAX] = {{.generation = 1, .every_ticks = 1}};
    tr_host_set_classes(host, classes);
    for (int i = 0; i < 10000 && tr_host_describe(host).tick <= 30; i++)
        usleep(1000);
    assert_true(tr_host_describe(host).tick > 30); /* the world went on */
    tally t = {0};
    collect(host, &t);
    assert_int_equal(t.states, 1); /* the newest alone was kept, and what was dropped can be told */
    assert_true(t.last_sequence > 30);
    close_and_destroy(host, &t);
    tr_pool_destroy(pool);
}

static void test_full_inbox_refuses(void **state) {
    (void)state;
    tr_pool *pool = NULL;
    assert_int_equal(tr_pool_create(1, 4, &pool), TR_OK);
    tr_host *host = make(pool, TR_MODE_STEPPED);
    int refused = 0;
    for (uint64_t i = 1; i <= 64; i++) {
        tr_command *big = command(TR_COMMAND_MARK, i);
        big->at_tick = 100;
        big->wire = tr_packet_create(2 << 20);
        assert_non_null(big->wire);
        memset(big->wire->bytes, 0, 16);
        if (tr_host_post(host, big) != TR_OK) {
            refused++;
            tr_command_destroy(big);
        }
    }
    tally t = {0};
    close_and_destroy(host, &t);
    assert_int_equal(t.replies + refused, 64);
    assert_in_range(
        t.aborted, 1,
        15); /* what fits into the 32 MiB that may wait; the others were refused there */
    tr_pool_destroy(pool);
}

/* Worlds come and go while their threads work. */
static void test_close_at_any_time(void **state) {
    (void)state;
    tr_pool *pool = NULL;
    assert_int_equal(tr_pool_create(2, 8, &pool), TR_OK);
    for (int i = 0; i < 60; i++) {
        tr_host *host = make(pool, (tr_world_mode)(i % 3));
        assert_int_equal(tr_host_post(host, command(TR_COMMAND_GET_STATE, 1)), TR_OK);
        usleep((unsigned)(i * 37 % 500));
        tally t = {0};
        close_and_destroy(host, &t);
        assert_int_equal(t.replies, 1);
    }
    tr_pool_destroy(pool);
    assert_true(atomic_load(&notices) > 0);
}

int main(void) {
    tr_physics_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stepped_world_gives_every_state),
        cmocka_unit_test(test_nobody_collects),
        cmocka_unit_test(test_full_inbox_refuses),
        cmocka_unit_test(test_close_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
