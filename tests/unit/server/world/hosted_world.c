#include "cmocka_test.h"

#include "server/world/hosted_world.h"
#include "server/world/subscription.h"

#include "proto/frame.h"
#include "proto/message.h"
#include "server/world/look.h"
#include "unit/server/orders.h"

#include <string.h>
#include <unistd.h>

static uv_loop_t loop;
static uv_async_t news;
static int notices;

static void on_news(uv_async_t *handle) {
    (void)handle;
    notices++;
}

/* Of the worlds to be made. */
static double step_limit_s, share;

static tr_hosted *make(tr_task_pool *pool, tr_world_mode mode) {
    static tr_hosted_def def;
    memset(&def, 0, sizeof def);
    def.step_limit_s = step_limit_s;
    def.share = share;
    def.pool = pool;
    def.news = &news;
    def.loop.id = 257;
    def.loop.mode = mode;
    def.loop.rate = 1;
    def.loop.steppers = 1;
    def.loop.world = tr_world_def_default();
    def.loop.commands = &tr_commands;
    tr_hosted *hosted = NULL;
    assert_int_equal(tr_hosted_create(&def, &hosted), TR_OK);
    return hosted;
}

static tr_command *of(tr_command *command, uint64_t request) {
    command->stamp.session = 1;
    command->stamp.request = request;
    return command;
}

/* How many of a batch's events are the end of the world. */
static int count_ends(tr_packet *batch) {
    tr_frame_decoder decoder;
    tr_frame_view frame;
    ProtobufCMessage *message = NULL;
    const uint8_t *bytes = batch ? batch->bytes : NULL;
    size_t size = batch ? batch->size : 0;
    if (!batch)
        return 0;
    tr_frame_decoder_init(&decoder, size);
    assert_int_equal(tr_frame_decoder_take(&decoder, &bytes, &size, &frame), TR_OK);
    assert_int_equal(
        tr_message_decode(&troupe__server_message__descriptor, frame.data, frame.size, &message),
        TR_OK);
    const Troupe__EventBatch *events = ((const Troupe__ServerMessage *)message)->events;
    int count = 0;
    for (size_t i = 0; i < events->n_events; i++)
        count += events->events[i]->kind == TROUPE__EVENT_KIND__EVENT_KIND_DESTROYED;
    tr_message_destroy(message);
    tr_frame_decoder_deinit(&decoder);
    return count;
}

/* What was collected. */
typedef struct tally {
    int replies, states, aborted, events, dropped, ends, failures, snapshots;
    uint64_t last_sequence;
    bool closed;
} tally;

static void collect(tr_hosted *hosted, tally *t) {
    tr_harvest harvest;
    tr_hosted_collect(hosted, &harvest);
    for (const tr_reply *reply = harvest.replies; reply; reply = reply->next) {
        t->replies++;
        t->aborted += reply->error.status == TR_ABORTED;
    }
    t->events += harvest.events[TR_EVENTS_ALL].count[0] + harvest.events[TR_EVENTS_ALL].count[1];
    t->dropped += (int)harvest.events[TR_EVENTS_ALL].dropped;
    t->ends += count_ends(harvest.events[TR_EVENTS_ALL].packet[0]) +
               count_ends(harvest.events[TR_EVENTS_ALL].packet[1]);
    if (harvest.state[0].packet) {
        t->states++;
        assert_true(harvest.state[0].sequence > t->last_sequence);
        t->last_sequence = harvest.state[0].sequence;
    }
    t->failures += harvest.failure[0] != '\0';
    t->snapshots += harvest.evidence != NULL;
    t->closed |= harvest.closed;
    tr_harvest_deinit(&harvest);
}

static void close_and_destroy(tr_hosted *hosted, tally *t) {
    tr_hosted_close(hosted);
    for (int i = 0; i < 10000 && !t->closed; i++) {
        usleep(1000);
        collect(hosted, t);
    }
    assert_true(t->closed);
    assert_true(tr_hosted_has_news(hosted));
    assert_false(tr_hosted_has_news(hosted));
    tr_hosted_destroy(hosted);
}

TEST(test_stepped_world_gives_every_state) {
    OWN(tr_task_pool) *pool = NULL;
    assert_int_equal(tr_task_pool_create(2, 2, 4, &pool), TR_OK);
    tr_hosted *hosted = make(pool, TR_MODE_STEPPED);
    tr_state_class classes[TR_STATE_CLASS_MAX] = {{.generation = 1, .every_ticks = 1}};
    tr_hosted_set_classes(hosted, classes);
    assert_int_equal(tr_hosted_post(hosted, of(order_step(50), 1)), TR_OK);
    tally t = {0};
    for (int i = 0; i < 10000 && t.replies == 0; i++) {
        usleep(200);
        collect(hosted, &t);
    }
    assert_int_equal(t.replies, 1);
    for (int i = 0; i < 10000 && t.states < 51; i++) {
        usleep(1000);
        collect(hosted, &t);
    }
    assert_int_equal(t.states, 51); /* one with the subscription, then one a tick */
    assert_true(t.last_sequence == 51);
    close_and_destroy(hosted, &t);
}

TEST(test_a_world_runs_on_while_no_reader_collects) {
    OWN(tr_task_pool) *pool = NULL;
    assert_int_equal(tr_task_pool_create(1, 1, 4, &pool), TR_OK);
    tr_hosted *hosted = make(pool, TR_MODE_REAL_TIME);
    tr_state_class classes[TR_STATE_CLASS_MAX] = {{.generation = 1, .every_ticks = 1}};
    tr_hosted_set_classes(hosted, classes);
    for (int i = 0; i < 10000 && tr_hosted_describe(hosted).tick <= 30; i++)
        usleep(1000);
    assert_true(tr_hosted_describe(hosted).tick > 30); /* the world ran further */
    tally t = {0};
    collect(hosted, &t);
    assert_int_equal(t.states,
                     1); /* only the newest was kept; the sequence shows the dropped ones */
    assert_true(t.last_sequence > 30);
    close_and_destroy(hosted, &t);
}

/* Marks, each in a separate turn if the world takes one, while no event is collected. */
static void post_marks(tr_hosted *hosted, int count) {
    for (int i = 0; i < count; i++) {
        tr_command *mark = of(order_bare(TROUPE__COMMAND__COMMAND_MARK), (uint64_t)i + 1);
        assert_int_equal(tr_hosted_post(hosted, mark), TR_OK);
        usleep(2000);
    }
}

TEST(test_a_stepped_world_waits_with_its_events) {
    OWN(tr_task_pool) *pool = NULL;
    assert_int_equal(tr_task_pool_create(1, 1, 4, &pool), TR_OK);
    tr_hosted *hosted = make(pool, TR_MODE_STEPPED);
    tr_hosted_set_events(hosted, true);
    post_marks(hosted, 20);
    tally t = {0};
    for (int i = 0; i < 10000 && t.replies < 20; i++) {
        usleep(1000);
        collect(hosted, &t);
    }
    assert_int_equal(t.replies, 20);
    assert_int_equal(t.events, 20);
    assert_int_equal(t.dropped, 0);
    close_and_destroy(hosted, &t);
}

/* Of a world that does not wait, the oldest go; its end is the newest. */
TEST(test_the_event_of_the_end_arrives) {
    OWN(tr_task_pool) *pool = NULL;
    assert_int_equal(tr_task_pool_create(1, 1, 4, &pool), TR_OK);
    tr_hosted *hosted = make(pool, TR_MODE_REAL_TIME);
    tr_hosted_set_events(hosted, true);
    post_marks(hosted, 20);
    tally t = {0};
    tr_hosted_close(hosted);
    usleep(20000);
    close_and_destroy(hosted, &t);
    assert_int_equal(t.ends, 1);
    assert_true(t.events + t.dropped >= 21); /* on a busy machine also LATE */
}

/* It makes no more steps, keeps the commands that come, and answers them when it is closed. */
TEST(test_a_world_with_a_long_step_fails) {
    OWN(tr_task_pool) *pool = NULL;
    assert_int_equal(tr_task_pool_create(1, 1, 4, &pool), TR_OK);
    step_limit_s = 1e-9;
    tr_hosted *hosted = make(pool, TR_MODE_REAL_TIME);
    step_limit_s = 0;
    tr_hosted_set_events(hosted, true);
    tally t = {0};
    for (int i = 0; i < 10000 && (t.failures == 0 || t.events == 0); i++) {
        usleep(1000);
        collect(hosted, &t);
    }
    assert_int_equal(t.failures, 1);
    assert_true(t.events >= 1); /* on a busy machine also LATE */
    post_marks(hosted, 3);
    usleep(50000);
    collect(hosted, &t);
    assert_true(tr_hosted_describe(hosted).steps_made <= 1);
    assert_int_equal(t.replies, 0);
    close_and_destroy(hosted, &t);
    assert_int_equal(t.aborted, 3);
    assert_int_equal(t.ends, 1);
    assert_int_equal(t.failures, 1);
}

/* What the event loop finds wrong ends the world on its own thread, with FAULT, DESTROYED and a snapshot;
 * another world is not touched. */
TEST(test_a_world_whose_subscriptions_are_wrong_fails_alone) {
    OWN(tr_task_pool) *pool = NULL;
    assert_int_equal(tr_task_pool_create(1, 1, 4, &pool), TR_OK);
    tr_hosted *hosted = make(pool, TR_MODE_STEPPED), *other = make(pool, TR_MODE_STEPPED);
    tr_hosted_set_events(hosted, true);
    tally t = {0}, u = {0};
    tr_hosted_must_hold(hosted);
    usleep(20000);
    collect(hosted, &t);
    assert_int_equal(t.failures, 0);
    tr_hosted_subscriptions(hosted)->count++;
    tr_hosted_must_hold(hosted);
    tr_hosted_must_hold(other);
    for (int i = 0; i < 10000 && t.failures == 0; i++) {
        usleep(1000);
        collect(hosted, &t);
    }
    assert_int_equal(t.failures, 1);
    assert_int_equal(t.snapshots, 1);
    close_and_destroy(hosted, &t);
    assert_int_equal(t.ends, 1);
    post_marks(other, 3);
    close_and_destroy(other, &u);
    assert_int_equal(u.failures, 0);
    assert_int_equal(u.replies, 3);
}

static bool is_over_budget(tr_hosted *hosted, bool expected) {
    for (int i = 0; i < 10000 && tr_hosted_describe(hosted).over_budget != expected; i++)
        usleep(1000);
    return tr_hosted_describe(hosted).over_budget;
}

/* By what it uses itself, and by what others use; it ticks on. */
TEST(test_a_world_beyond_its_budget_ticks_on) {
    OWN(tr_task_pool) *pool = NULL;
    assert_int_equal(tr_task_pool_create(1, 1, 4, &pool), TR_OK);
    share = 1e-9;
    tr_hosted *hungry = make(pool, TR_MODE_REAL_TIME);
    share = 0;
    tr_hosted *frugal = make(pool, TR_MODE_REAL_TIME);
    assert_true(is_over_budget(hungry, true));
    assert_false(is_over_budget(frugal, false));
    tr_hosted_hold_back(frugal, true);
    assert_true(is_over_budget(frugal, true));
    tr_hosted_hold_back(frugal, false);
    assert_false(is_over_budget(frugal, false));
    uint64_t before = tr_hosted_describe(hungry).steps_made;
    for (int i = 0; i < 10000 && tr_hosted_describe(hungry).steps_made < before + 20; i++)
        usleep(1000);
    assert_true(tr_hosted_describe(hungry).steps_made >= before + 20);
    assert_true(tr_hosted_take_spent_s(hungry) > 0);
    tally one = {0}, other = {0};
    close_and_destroy(hungry, &one);
    close_and_destroy(frugal, &other);
}

TEST(test_full_inbox_refuses) {
    OWN(tr_task_pool) *pool = NULL;
    assert_int_equal(tr_task_pool_create(1, 1, 4, &pool), TR_OK);
    tr_hosted *hosted = make(pool, TR_MODE_STEPPED);
    int refused = 0;
    for (uint64_t i = 1; i <= 64; i++) {
        tr_command *big = of(order_bare(TROUPE__COMMAND__COMMAND_MARK), i);
        big->message->at_tick = 100;
        big->message_memory = 2 << 20;
        if (tr_hosted_post(hosted, big)) {
            refused++;
            tr_command_destroy(big);
        }
    }
    tally t = {0};
    close_and_destroy(hosted, &t);
    assert_int_equal(t.replies + refused, 64);
    assert_in_range(
        t.aborted, 1,
        15); /* what fits into the 32 MiB that may wait; the others were refused there */
}

/* Worlds come and go while their threads work. */
TEST(test_close_at_any_time) {
    tr_task_pool *pool = NULL;
    assert_int_equal(tr_task_pool_create(2, 2, 8, &pool), TR_OK);
    for (int i = 0; i < 60; i++) {
        tr_hosted *hosted = make(pool, (tr_world_mode)(i % 3));
        assert_int_equal(tr_hosted_post(hosted, of(tr_look_create(0), 1)), TR_OK);
        usleep((unsigned)(i * 37 % 500));
        tally t = {0};
        close_and_destroy(hosted, &t);
        assert_int_equal(t.replies, 1);
    }
    tr_task_pool_destroy(pool);
    notices = 0;
    uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(notices, 1); /* unread news count once */
}

FIXTURE(open_loop) {
    tr_physics_init();
    uv_loop_init(&loop);
    assert_int_equal(uv_async_init(&loop, &news, on_news), 0);
}

FIXTURE(close_loop) {
    uv_close((uv_handle_t *)&news, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

SUITE_FIXTURE(open_loop, close_loop);
