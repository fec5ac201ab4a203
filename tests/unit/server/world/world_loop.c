#include "cmocka_test.h"

#include "model/mjcf.h"
#include "model/name.h"
#include "server/world/look.h"
#include "server/world/move.h"
#include "unit/control/puppet.h"
#include "unit/server/orders.h"

#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    tr_model *model;
    tr_controller *sway;
    tr_cast cast;
} fixture;

FIXTURE(set_up) {
    static fixture f;
    f.model = puppet_model();
    f.sway = puppet_sway(f.model, 4, 20, 3);
    f.cast = (tr_cast){0};
    assert_int_equal(tr_cast_add_model(&f.cast, f.model, "humanoid"), TR_OK);
    assert_int_equal(tr_cast_add_controller(&f.cast, f.sway), TR_OK);
    *given = &f;
}

FIXTURE(tear_down) {
    fixture *f = *given;
    tr_controller_destroy(f->sway);
    tr_model_destroy(f->model);
}

static tr_world_loop *make(tr_world_mode mode, int steppers) {
    static tr_world_loop_def def;
    memset(&def, 0, sizeof def);
    def.id = 257;
    def.mode = mode;
    def.rate = 1;
    def.steppers = steppers;
    def.world = tr_world_def_default();
    def.commands = &tr_commands;
    tr_world_loop *loop = NULL;
    assert_int_equal(tr_world_loop_create(&def, 0, &loop), TR_OK);
    return loop;
}

static tr_command *of(tr_command *command, uint64_t session, uint64_t request) {
    command->stamp.session = session;
    command->stamp.request = request;
    return command;
}

static tr_command *bare(unsigned number, uint64_t session, uint64_t request) {
    return of(order_bare(number), session, request);
}

static tr_command *spawn(const fixture *f, uint64_t session, uint64_t request, double x) {
    return of(order_spawn(&f->cast, "humanoid", f->sway->name, NULL, x), session, request);
}

static tr_command *step(uint64_t session, uint64_t request, int64_t count) {
    return of(order_step(count), session, request);
}

static tr_command *push(uint64_t session, uint64_t request, tr_entity_id entity, double force) {
    return of(order_push(entity, force, 0.05), session, request);
}

static tr_command *join(uint64_t session, uint64_t request, uint32_t order) {
    return of(order_join(order), session, request);
}

/* Pushes, then `count` ticks, then a look. */
static tr_command *advance(uint64_t session, uint64_t request, int64_t count,
                           const order_pushed *pushes, int push_count) {
    return of(order_advance(count, pushes, push_count), session, request);
}

/* Runs the loop until it waits; time stands still. */
static void settle(tr_world_loop *loop) {
    while (tr_world_loop_advance(loop, 0) <= 0)
        continue;
}

static void clear_replies(tr_world_loop *loop) {
    tr_reply_destroy_all(loop->replies.first);
    loop->replies.first = NULL;
    loop->replies.end = &loop->replies.first;
}

/* Admits, settles, and returns the one reply, which is copied. */
static tr_reply ask(tr_world_loop *loop, tr_command *asked) {
    clear_replies(loop);
    uint64_t session = asked->stamp.session, request = asked->stamp.request;
    tr_world_loop_admit(loop, asked);
    settle(loop);
    for (const tr_reply *reply = loop->replies.first; reply; reply = reply->next)
        if (reply->session == session && reply->request == request)
            return *reply;
    fail_msg("no reply");
    return (tr_reply){0};
}

/* What an advance does is what its parts do, to the bit; it has one answer, with the state. */
TEST_WITH(test_advance_is_its_parts, set_up, tear_down) {
    fixture *f = *given;
    OWN(tr_world_loop) *one = make(TR_MODE_STEPPED, 1), *other = make(TR_MODE_STEPPED, 1);
    tr_entity_id entity = ask(one, spawn(f, 1, 1, 0)).entity;
    assert_int_equal(ask(other, spawn(f, 1, 1, 0)).entity, entity);
    const order_pushed pushes[] = {{entity, 80}, {entity, 40}};
    tr_reply moved = ask(one, advance(1, 2, 7, pushes, 2));
    assert_int_equal(moved.error.status, TR_OK);
    assert_int_equal(moved.tick, 7);
    assert_non_null(moved.data);
    assert_null(moved.refusal);
    assert_ptr_equal(one->replies.first->next, NULL);
    ask(other, push(1, 2, entity, 80));
    ask(other, push(1, 3, entity, 40));
    assert_true(ask(other, step(1, 4, 7)).hash == tr_stage_hash(one->stage));
}

TEST_WITH(test_refused_orders_stop_nothing, set_up, tear_down) {
    fixture *f = *given;
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 1);
    tr_entity_id entity = ask(loop, spawn(f, 1, 1, 0)).entity;
    uint64_t still = tr_stage_hash(loop->stage);
    const order_pushed pushes[] = {{entity, 90}, {999, 90}, {998, 90}};
    tr_reply moved = ask(loop, advance(1, 2, 1, pushes, 3));
    assert_int_equal(moved.error.status, TR_OK);
    assert_int_equal(moved.tick, 1);
    assert_int_equal(moved.refusal->count, 2);
    assert_int_equal(moved.refusal->index, 1);
    assert_int_equal(moved.refusal->error.status, TR_NOT_FOUND);
    assert_non_null(strstr(moved.refusal->error.message, "999"));
    assert_true(tr_stage_hash(loop->stage) != still);
}

TEST_WITH(test_advance_of_anothers_character_does_nothing, set_up, tear_down) {
    fixture *f = *given;
    tr_world_loop *loop = make(TR_MODE_STEPPED, 1);
    tr_entity_id entity = ask(loop, spawn(f, 1, 1, 0)).entity;
    uint64_t still = tr_stage_hash(loop->stage);
    tr_command *foreign = advance(2, 1, 3, &(order_pushed){entity, 90}, 1);
    tr_command *order = (tr_command *)foreign->kind->orders(foreign);
    order->own_only = true;
    order->account = 5;
    tr_reply refused = ask(loop, foreign);
    assert_int_equal(refused.error.status, TR_PERMISSION_DENIED);
    assert_int_equal(tr_world_loop_tick(loop), 0);
    assert_int_equal(loop->queue.count, 0);
    assert_int_equal(loop->lockstep.count, 0);
    assert_true(tr_stage_hash(loop->stage) == still);
    tr_world_loop_destroy(loop);
    loop = make(TR_MODE_FAST, 1);
    loop->paused = true;
    refused = ask(loop, advance(1, 1, 3, NULL, 0));
    assert_int_equal(refused.error.status, TR_FAILED_PRECONDITION);
    tr_world_loop_destroy(loop);
}

/* A reset in between gives one answer, and the orders are dropped. */
TEST_WITH(test_an_aborted_advance, set_up, tear_down) {
    fixture *f = *given;
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 2);
    tr_world_loop_admit(loop, join(1, 1, 1));
    tr_world_loop_admit(loop, join(2, 1, 2));
    settle(loop);
    clear_replies(loop);
    tr_world_loop_admit(loop, advance(1, 2, 5, &(order_pushed){77, 10}, 1));
    settle(loop);
    assert_null(loop->replies.first);
    tr_world_loop_abort_pending(loop, "so");
    assert_int_equal(loop->replies.first->error.status, TR_ABORTED);
    assert_null(loop->replies.first->next);
    assert_int_equal(loop->queue.count + loop->steps.count, 0);
    (void)f;
}

TEST_WITH(test_spawn_and_step, set_up, tear_down) {
    fixture *f = *given;
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 1);
    tr_reply spawned = ask(loop, spawn(f, 1, 1, 0));
    assert_int_equal(spawned.error.status, TR_OK);
    assert_int_not_equal(spawned.entity, 0);
    tr_reply stepped = ask(loop, step(1, 2, 10));
    assert_int_equal(stepped.tick, 10);
    assert_true(stepped.hash == tr_stage_hash(loop->stage));
    assert_int_equal(tr_world_loop_describe(loop).character_count, 1);
}

/* The id of the first entity of any world. */
static tr_entity_id first_entity(const fixture *f) {
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 1);
    tr_entity_id entity = ask(loop, spawn(f, 1, 1, 0)).entity;
    return entity;
}

/* The messages of two steppers, in an interleaving drawn from a seed; each keeps its own order. */
static uint64_t interleave(const fixture *f, uint64_t seed) {
    enum { ROUNDS = 6 };
    /* Entities are numbered in the order of the steppers: this is the first stepper's, whichever
     * message arrives first. */
    tr_entity_id entity = first_entity(f);
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 2);
    tr_random random = tr_random_seed(seed);
    int done[2] = {0, 0};
    while (done[0] < 2 + 2 * ROUNDS || done[1] < 2 + 2 * ROUNDS) {
        int who = tr_random_uniform(&random) < 0.5 ? 0 : 1;
        if (done[who] == 2 + 2 * ROUNDS)
            who = 1 - who;
        int i = done[who]++;
        /* The later session has the lower order number. */
        uint64_t session = who == 0 ? 40 : 30, request = (uint64_t)i + 1;
        if (i == 0)
            tr_world_loop_admit(loop, join(session, request, who == 0 ? 1 : 2));
        else if (i == 1)
            tr_world_loop_admit(loop, spawn(f, session, request, 3.0 * who));
        else if (i % 2 == 0)
            tr_world_loop_admit(loop,
                                push(session, request, entity, who == 0 ? 100.0 * i : -80.0 * i));
        else
            tr_world_loop_admit(loop, step(session, request, 1 + (i + who) % 3));
        if (tr_random_uniform(&random) < 0.7)
            settle(loop);
    }
    settle(loop);
    uint64_t hash = tr_stage_hash(loop->stage);
    assert_true(tr_world_loop_tick(loop) > ROUNDS);
    for (const tr_reply *reply = loop->replies.first; reply; reply = reply->next)
        assert_int_equal(reply->error.status, TR_OK);
    return hash;
}

TEST_WITH(test_interleaving_does_not_matter, set_up, tear_down) {
    fixture *f = *given;
    uint64_t hash = interleave(f, 1);
    for (uint64_t seed = 2; seed < 12; seed++)
        assert_true(interleave(f, seed) == hash);
}

TEST_WITH(test_commands_of_one_tick_sort_by_order, set_up, tear_down) {
    fixture *f = *given;
    OWN(tr_world_loop) *loop = make(TR_MODE_REAL_TIME, 1);
    tr_command *late = spawn(f, 9, 1, 5), *early = spawn(f, 2, 1, 0);
    late->message->at_tick = early->message->at_tick = 3;
    tr_world_loop_admit(loop, late);
    tr_world_loop_admit(loop, early);
    for (int64_t now_ns = 0; tr_world_loop_tick(loop) < 4; now_ns += 5000000)
        (void)tr_world_loop_advance(loop, now_ns);
    assert_int_equal(loop->replies.first->session, 2);
    assert_int_equal(loop->replies.first->tick, 3);
    assert_int_equal(loop->replies.first->next->session, 9);
    assert_true(loop->replies.first->entity < loop->replies.first->next->entity);
}

TEST(test_at_tick_out_of_range) {
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 1);
    (void)ask(loop, step(1, 1, 10));
    static const int64_t ticks[] = {9, 11 + TR_AT_TICK_AHEAD_MAX};
    for (uint64_t i = 0; i < 2; i++) {
        tr_command *mark = bare(TROUPE__COMMAND__COMMAND_MARK, 1, 2 + i);
        mark->message->at_tick = ticks[i];
        assert_int_equal(ask(loop, mark).error.status, TR_OUT_OF_RANGE);
    }
}

TEST(test_too_many_wait) {
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 1);
    for (uint64_t i = 0; i <= TR_COMMANDS_PENDING_MAX; i++) {
        tr_command *mark = bare(TROUPE__COMMAND__COMMAND_MARK, 1, i + 1);
        mark->message->at_tick = 100;
        tr_world_loop_admit(loop, mark);
    }
    assert_int_equal(loop->replies.first->error.status, TR_RESOURCE_EXHAUSTED);
    assert_int_equal(loop->queue.count, TR_COMMANDS_PENDING_MAX);
}

TEST(test_paused_world_steps_by_hand) {
    OWN(tr_world_loop) *loop = make(TR_MODE_REAL_TIME, 1);
    tr_world_loop_admit(loop, bare(TROUPE__COMMAND__COMMAND_PAUSE, 1, 1));
    (void)tr_world_loop_advance(loop, 5000000);
    assert_true(loop->paused);
    int64_t tick = tr_world_loop_tick(loop);
    assert_true(tr_world_loop_advance(loop, 1000000000) == INT64_MAX);
    assert_int_equal(tr_world_loop_tick(loop), tick);
    assert_int_equal(ask(loop, step(1, 2, 3)).tick, tick + 3);
    assert_int_equal(ask(loop, step(1, 3, 2)).tick, tick + 5);
}

TEST_WITH(test_reset_is_exact_and_aborts, set_up, tear_down) {
    fixture *f = *given;
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 1);
    tr_reply spawned = ask(loop, spawn(f, 1, 1, 0));
    uint64_t start = tr_stage_hash(loop->stage);
    (void)ask(loop, step(1, 2, 30));
    tr_command *later = push(1, 3, spawned.entity, 10);
    later->message->at_tick = 1000;
    tr_world_loop_admit(loop, later);
    clear_replies(loop);
    tr_world_loop_admit(loop, bare(TROUPE__COMMAND__COMMAND_RESET, 1, 4));
    settle(loop);
    assert_int_equal(loop->replies.first->request, 3);
    assert_int_equal(loop->replies.first->error.status, TR_ABORTED);
    assert_int_equal(loop->replies.first->next->error.status, TR_OK);
    assert_true(loop->replies.first->next->hash == start);
    assert_int_equal(loop->epoch, 1);
    assert_int_equal(tr_world_loop_tick(loop), 0);
}

TEST(test_close_answers_everything) {
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 2);
    tr_world_loop_admit(loop, join(1, 1, 1));
    tr_world_loop_admit(loop, step(1, 2, 5));
    tr_world_loop_admit(loop, bare(TROUPE__COMMAND__COMMAND_MARK, 1, 3));
    settle(loop);
    clear_replies(loop);
    tr_world_loop_close(loop);
    int count = 0;
    for (const tr_reply *reply = loop->replies.first; reply; reply = reply->next, count++)
        assert_int_equal(reply->error.status, TR_ABORTED);
    assert_int_equal(count, 2);
    assert_int_equal(loop->events.event[loop->events.count - 1].kind, TR_EVENT_DESTROYED);
}

TEST(test_lateness_is_reported) {
    OWN(tr_world_loop) *loop = make(TR_MODE_REAL_TIME, 1);
    (void)tr_world_loop_advance(loop, 5000000);
    tr_event_list_clear(&loop->events);
    (void)tr_world_loop_advance(loop, 1000000000);
    assert_int_equal(loop->events.event[0].kind, TR_EVENT_LATE);
    assert_true(loop->events.event[0].magnitude > 100);
    assert_true(tr_world_loop_describe(loop).dropped_ticks ==
                (int64_t)loop->events.event[0].magnitude);
}

static tr_command *hold(uint64_t session, uint64_t request) {
    Troupe__Snapshot snapshot = TROUPE__SNAPSHOT__INIT;
    Troupe__Command message = TROUPE__COMMAND__INIT;
    snapshot.hold = true;
    message.snapshot = &snapshot;
    message.command_case = TROUPE__COMMAND__COMMAND_SNAPSHOT;
    return of(order_of(&message, NULL), session, request);
}

/* A hold acts on arrival, so that its release comes later; its time is not owed. */
TEST(test_a_hold_ends_with_its_release_and_owes_nothing) {
    OWN(tr_world_loop) *loop = make(TR_MODE_REAL_TIME, 1);
    (void)tr_world_loop_advance(loop, 5000000);
    int64_t tick = tr_world_loop_tick(loop);
    tr_world_loop_admit(loop, hold(7, 1));
    assert_int_equal(loop->replies.first->error.status, TR_OK);
    assert_true(tr_world_loop_advance(loop, 500000000) == INT64_MAX);
    tr_world_loop_admit(loop, tr_move_release_create(8)); /* another session */
    assert_true(tr_world_loop_advance(loop, 600000000) == INT64_MAX);
    tr_world_loop_admit(loop, tr_move_release_create(7));
    assert_true(tr_world_loop_advance(loop, 1000000000) < INT64_MAX);
    assert_int_equal(tr_world_loop_tick(loop), tick);
    (void)tr_world_loop_advance(loop, 1010000000);
    assert_true(tr_world_loop_tick(loop) > tick);
    assert_int_equal(tr_world_loop_describe(loop).dropped_ticks, 0);
}

TEST(test_a_world_that_arrives_takes_no_step_until_it_starts) {
    OWN(tr_world_loop) *loop = make(TR_MODE_REAL_TIME, 1);
    loop->arriving = true;
    assert_true(tr_world_loop_describe(loop).paused);
    assert_true(tr_world_loop_advance(loop, 500000000) == INT64_MAX);
    tr_world_loop_admit(loop, hold(7, 1));
    assert_int_equal(loop->replies.first->error.status, TR_UNAVAILABLE);
    tr_world_loop_admit(loop, tr_move_start_create());
    (void)tr_world_loop_advance(loop, 1000000000);
    (void)tr_world_loop_advance(loop, 1010000000);
    assert_true(tr_world_loop_tick(loop) > 0);
    assert_int_equal(tr_world_loop_describe(loop).dropped_ticks, 0);
}

/* Hundreds of readers in one turn cost the memory of one state. */
TEST(test_looks_of_a_turn_share_one_state) {
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 1);
    enum { LOOKS = 300 };
    for (uint64_t i = 1; i <= LOOKS; i++) {
        tr_command *look = of(tr_look_create(i == LOOKS ? 1 : 0), 1 + i % 7, i);
        tr_world_loop_admit(loop, look);
    }
    settle(loop);
    const tr_packet *first = loop->replies.first->data;
    int count = 0, others = 0;
    for (const tr_reply *reply = loop->replies.first; reply; reply = reply->next) {
        assert_int_equal(reply->error.status, TR_OK);
        assert_non_null(reply->data);
        others += reply->data != first;
        count++;
    }
    assert_int_equal(count, LOOKS);
    assert_int_equal(others, 1);
}

/* It fails with the text of the check, and leaves a snapshot that can be restored. */
TEST_WITH(test_a_world_whose_invariant_fails_ends, set_up, tear_down) {
    fixture *f = *given;
    OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 1);
    (void)ask(loop, spawn(f, 1, 1, 0));
    (void)ask(loop, step(1, 2, 3));
    assert_string_equal(loop->failure, "");
    TR_MUST(&loop->invariant, loop->epoch > 0);
    (void)ask(loop, step(1, 3, 1));
    assert_non_null(strstr(loop->failure, "world_loop.c:"));
    assert_non_null(strstr(loop->failure, "loop->epoch > 0"));
    tr_saved *saved = NULL;
    assert_int_equal(tr_snapshot_read(loop->evidence->bytes, loop->evidence->size, &saved, NULL),
                     TR_OK);
    tr_saved_destroy(saved);
}

static const char *break_one(tr_world_loop *loop, int which) {
    tr_lockstep_member *stepper = loop->lockstep.stepper;
    switch (which) {
    case 0:
        return loop->queue.count++, "first ? queue->count > 0";
    case 1:
        return loop->steps.count--, "first ? queue->count > 0";
    case 2:
        return loop->label[0].entity = 4000, "labels_hold(loop)";
    case 3:
        return stepper[1].order = stepper[0].order, "steppers_hold(loop)";
    case 4:
        return loop->rate = 0, "loop->rate > 0";
    case 5:
        return loop->pace.step_s *= 2, "loop->pace.step_s ==";
    case 6:
        tr_packet_release(loop->reset_point);
        return loop->reset_point = NULL, "loop->reset_point";
    case 7:
        return loop->reported_dropped = 1, "loop->reported_dropped <=";
    default: /* a reply that was added past the end of the list */
        return loop->replies.end = &loop->replies.first, "!*loop->replies.end";
    }
}

TEST_WITH(test_each_invariant_can_fail, set_up, tear_down) {
    fixture *f = *given;
    for (int which = 0; which < 9; which++) {
        OWN(tr_world_loop) *loop = make(TR_MODE_STEPPED, 2);
        (void)ask(loop, join(1, 1, 1));
        (void)ask(loop, join(2, 2, 2));
        (void)ask(loop, of(order_spawn(&f->cast, "humanoid", f->sway->name, "Ada", 0), 1, 3));
        (void)tr_world_loop_end_turn(loop, 0, 0);
        assert_string_equal(loop->failure, "");
        tr_reply_list replies = loop->replies;
        const char *expected = break_one(loop, which);
        (void)tr_world_loop_end_turn(loop, 0, 0);
        if (!strstr(loop->failure, expected))
            fail_msg("%d: %s, not %s", which, loop->failure, expected);
        loop->queue.count -= which == 0;
        loop->replies = replies;
    }
}

BEFORE_ALL() {
    tr_physics_init();
}
