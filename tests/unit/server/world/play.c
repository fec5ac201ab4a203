#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/mjcf.h"
#include "server/catalogue/name.h"
#include "server/world/play.h"
#include "unit/control/puppet.h"

#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    tr_model *model;
    tr_controller *sway;
    uint64_t next_request;
} fixture;

static int set_up(void **state) {
    static fixture f;
    f.model = puppet_model();
    f.sway = puppet_sway(f.model, 4, 20, 3);
    f.next_request = 0;
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    tr_controller_destroy(f->sway);
    tr_model_destroy(f->model);
    return 0;
}

static tr_play *make(tr_world_mode mode, int steppers) {
    static tr_play_def def;
    memset(&def, 0, sizeof def);
    def.id = 257;
    def.mode = mode;
    def.rate = 1;
    def.steppers = steppers;
    def.world = tr_world_def_default();
    tr_play *play = NULL;
    assert_int_equal(tr_play_create(&def, 0, &play), TR_OK);
    return play;
}

static tr_command *command(tr_command_kind kind, uint64_t session, uint64_t request) {
    tr_command *out = tr_command_create(kind);
    assert_non_null(out);
    out->stamp.session = session;
    out->stamp.request = request;
    return out;
}

static tr_command *spawn(const fixture *f, uint64_t session, uint64_t request, double x) {
    tr_command *out = command(TR_COMMAND_SPAWN_CHARACTER, session, request);
    tr_name_set(out->as.spawn_character.model_name, "humanoid");
    out->as.spawn_character.model = f->model;
    out->as.spawn_character.controller = f->sway;
    out->as.spawn_character.pos.x = x;
    return out;
}

static tr_command *step(uint64_t session, uint64_t request, int64_t count) {
    tr_command *out = command(TR_COMMAND_STEP, session, request);
    out->as.step_count = count;
    return out;
}

static tr_command *push(uint64_t session, uint64_t request, tr_entity_id entity, double force) {
    tr_command *out = command(TR_COMMAND_PUSH, session, request);
    out->as.push = (tr_push_order){.entity = entity, .force = {0, force, 0}, .duration_s = 0.05};
    return out;
}

static tr_command *join(uint64_t session, uint64_t request, uint32_t order) {
    tr_command *out = command(TR_COMMAND_JOIN, session, request);
    out->as.join_order = order;
    return out;
}

/* Lets it go on until it wants to wait; time stands still. */
static void settle(tr_play *play) {
    while (tr_play_advance(play, 0) <= 0)
        continue;
}

static void clear_replies(tr_play *play) {
    for (tr_reply *next, *reply = play->replies.first; reply != NULL; reply = next) {
        next = reply->next;
        tr_reply_destroy(reply);
    }
    play->replies.first = NULL;
    play->replies.end = &play->replies.first;
}

/* Admits, settles, and returns the one reply, which is copied. */
static tr_reply ask(tr_play *play, tr_command *asked) {
    clear_replies(play);
    uint64_t session = asked->stamp.session, request = asked->stamp.request;
    tr_play_admit(play, asked);
    settle(play);
    for (const tr_reply *reply = play->replies.first; reply != NULL; reply = reply->next)
        if (reply->session == session && reply->request == request)
            return *reply;
    fail_msg("no reply");
    return (tr_reply){0};
}

/* Pushes, then `count` ticks, then a look. */
static tr_command *advance(uint64_t session, uint64_t request, int64_t count, tr_command *order) {
    tr_command *out = command(TR_COMMAND_ADVANCE, session, request);
    out->as.advance.count = count;
    out->as.advance.orders = order;
    out->as.advance.refusal = calloc(1, sizeof(tr_refusal));
    for (; order != NULL; order = order->next) {
        order->order = ++out->as.advance.order_count;
        order->silent = true;
    }
    return out;
}

/* What an advance does is what its parts do, to the bit; it has one answer, with the state. */
static void test_advance_is_its_parts(void **state) {
    fixture *f = *state;
    tr_play *one = make(TR_MODE_STEPPED, 1), *other = make(TR_MODE_STEPPED, 1);
    tr_entity_id entity = ask(one, spawn(f, 1, 1, 0)).entity;
    assert_int_equal(ask(other, spawn(f, 1, 1, 0)).entity, entity);
    tr_command *order = push(1, 2, entity, 80);
    order->next = push(1, 2, entity, 40);
    tr_reply moved = ask(one, advance(1, 2, 7, order));
    assert_int_equal(moved.error.status, TR_OK);
    assert_int_equal(moved.tick, 7);
    assert_non_null(moved.data);
    assert_null(moved.refusal);
    assert_ptr_equal(one->replies.first->next, NULL);
    ask(other, push(1, 2, entity, 80));
    ask(other, push(1, 3, entity, 40));
    assert_true(ask(other, step(1, 4, 7)).hash == tr_stage_hash(one->stage));
    tr_play_destroy(one);
    tr_play_destroy(other);
}

static void test_refused_orders_stop_nothing(void **state) {
    fixture *f = *state;
    tr_play *play = make(TR_MODE_STEPPED, 1);
    tr_entity_id entity = ask(play, spawn(f, 1, 1, 0)).entity;
    uint64_t still = tr_stage_hash(play->stage);
    tr_command *first = push(1, 2, entity, 90), *second = push(1, 2, 999, 90);
    first->next = second;
    second->next = push(1, 2, 998, 90);
    tr_reply moved = ask(play, advance(1, 2, 1, first));
    assert_int_equal(moved.error.status, TR_OK);
    assert_int_equal(moved.tick, 1);
    assert_int_equal(moved.refusal->count, 2);
    assert_int_equal(moved.refusal->index, 1);
    assert_int_equal(moved.refusal->error.status, TR_NOT_FOUND);
    assert_non_null(strstr(moved.refusal->error.message, "999"));
    assert_true(tr_stage_hash(play->stage) != still);
    tr_play_destroy(play);
}

static void test_advance_of_anothers_character_does_nothing(void **state) {
    fixture *f = *state;
    tr_play *play = make(TR_MODE_STEPPED, 1);
    tr_entity_id entity = ask(play, spawn(f, 1, 1, 0)).entity;
    uint64_t still = tr_stage_hash(play->stage);
    tr_command *order = push(2, 1, entity, 90);
    order->own_only = true;
    order->account = 5;
    tr_reply refused = ask(play, advance(2, 1, 3, order));
    assert_int_equal(refused.error.status, TR_PERMISSION_DENIED);
    assert_int_equal(tr_play_tick(play), 0);
    assert_int_equal(play->queue.count, 0);
    assert_int_equal(play->lockstep.count, 0);
    assert_true(tr_stage_hash(play->stage) == still);
    tr_play_destroy(play);
    play = make(TR_MODE_FAST, 1);
    play->paused = true;
    refused = ask(play, advance(1, 1, 3, NULL));
    assert_int_equal(refused.error.status, TR_FAILED_PRECONDITION);
    tr_play_destroy(play);
}

/* A reset comes in between: one answer, and the orders are gone with it. */
static void test_an_aborted_advance(void **state) {
    fixture *f = *state;
    tr_play *play = make(TR_MODE_STEPPED, 2);
    tr_play_admit(play, join(1, 1, 1));
    tr_play_admit(play, join(2, 1, 2));
    settle(play);
    clear_replies(play);
    tr_play_admit(play, advance(1, 2, 5, push(1, 2, 77, 10)));
    settle(play);
    assert_null(play->replies.first);
    tr_play_abort_pending(play, "so");
    assert_int_equal(play->replies.first->error.status, TR_ABORTED);
    assert_null(play->replies.first->next);
    assert_int_equal(play->queue.count + play->steps.count, 0);
    (void)f;
    tr_play_destroy(play);
}

static void test_spawn_and_step(void **state) {
    fixture *f = *state;
    tr_play *play = make(TR_MODE_STEPPED, 1);
    tr_reply spawned = ask(play, spawn(f, 1, 1, 0));
    assert_int_equal(spawned.error.status, TR_OK);
    assert_int_not_equal(spawned.entity, 0);
    tr_reply stepped = ask(play, step(1, 2, 10));
    assert_int_equal(stepped.tick, 10);
    assert_true(stepped.hash == tr_stage_hash(play->stage));
    assert_int_equal(tr_play_describe(play).character_count, 1);
    tr_play_destroy(play);
}

/* The id of the first entity of any world. */
static tr_entity_id first_entity(const fixture *f) {
    tr_play *play = make(TR_MODE_STEPPED, 1);
    tr_entity_id entity = ask(play, spawn(f, 1, 1, 0)).entity;
    tr_play_destroy(play);
    return entity;
}

/* The messages of two steppers, in an interleaving drawn from a seed; each keeps its own order. */
static uint64_t interleave(const fixture *f, uint64_t seed) {
    enum { ROUNDS = 6 };
    /* Entities are numbered in the order of the steppers: this is the first one's, whoever is heard
     * first. */
    tr_entity_id entity = first_entity(f);
    tr_play *play = make(TR_MODE_STEPPED, 2);
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
            tr_play_admit(play, join(session, request, who == 0 ? 1 : 2));
        else if (i == 1)
            tr_play_admit(play, spawn(f, session, request, 3.0 * who));
        else if (i % 2 == 0)
            tr_play_admit(play, push(session, request, entity, who == 0 ? 100.0 * i : -80.0 * i));
        else
            tr_play_admit(play, step(session, request, 1 + (i + who) % 3));
        if (tr_random_uniform(&random) < 0.7)
            settle(play);
    }
    settle(play);
    uint64_t hash = tr_stage_hash(play->stage);
    assert_true(tr_play_tick(play) > ROUNDS);
    for (const tr_reply *reply = play->replies.first; reply != NULL; reply = reply->next)
        assert_int_equal(reply->error.status, TR_OK);
    tr_play_destroy(play);
    return hash;
}

static void test_interleaving_does_not_matter(void **state) {
    fixture *f = *state;
    uint64_t hash = interleave(f, 1);
    for (uint64_t seed = 2; seed < 12; seed++)
        assert_true(interleave(f, seed) == hash);
}

static void test_commands_of_one_tick_sort_by_order(void **state) {
    fixture *f = *state;
    tr_play *play = make(TR_MODE_REAL_TIME, 1);
    tr_command *late = spawn(f, 9, 1, 5), *early = spawn(f, 2, 1, 0);
    late->at_tick = early->at_tick = 3;
    tr_play_admit(play, late);
    tr_play_admit(play, early);
    for (int64_t now_ns = 0; tr_play_tick(play) < 4; now_ns += 5000000)
        (void)tr_play_advance(play, now_ns);
    assert_int_equal(play->replies.first->session, 2);
    assert_int_equal(play->replies.first->tick, 3);
    assert_int_equal(play->replies.first->next->session, 9);
    assert_true(play->replies.first->entity < play->replies.first->next->entity);
    tr_play_destroy(play);
}

static void test_at_tick_out_of_range(void **state) {
    (void)state;
    tr_play *play = make(TR_MODE_STEPPED, 1);
    (void)ask(play, step(1, 1, 10));
    static const int64_t ticks[] = {9, 11 + TR_AT_TICK_AHEAD_MAX};
    for (uint64_t i = 0; i < 2; i++) {
        tr_command *mark = command(TR_COMMAND_MARK, 1, 2 + i);
        mark->at_tick = ticks[i];
        assert_int_equal(ask(play, mark).error.status, TR_OUT_OF_RANGE);
    }
    tr_play_destroy(play);
}

static void test_too_many_wait(void **state) {
    (void)state;
    tr_play *play = make(TR_MODE_STEPPED, 1);
    for (uint64_t i = 0; i <= TR_COMMANDS_PENDING_MAX; i++) {
        tr_command *mark = command(TR_COMMAND_MARK, 1, i + 1);
        mark->at_tick = 100;
        tr_play_admit(play, mark);
    }
    assert_int_equal(play->replies.first->error.status, TR_RESOURCE_EXHAUSTED);
    assert_int_equal(play->queue.count, TR_COMMANDS_PENDING_MAX);
    tr_play_destroy(play);
}

static void test_paused_world_steps_by_hand(void **state) {
    (void)state;
    tr_play *play = make(TR_MODE_REAL_TIME, 1);
    tr_play_admit(play, command(TR_COMMAND_PAUSE, 1, 1));
    (void)tr_play_advance(play, 5000000);
    assert_true(play->paused);
    int64_t tick = tr_play_tick(play);
    assert_true(tr_play_advance(play, 1000000000) == INT64_MAX);
    assert_int_equal(tr_play_tick(play), tick);
    assert_int_equal(ask(play, step(1, 2, 3)).tick, tick + 3);
    assert_int_equal(ask(play, step(1, 3, 2)).tick, tick + 5);
    tr_play_destroy(play);
}

static void test_reset_is_exact_and_aborts(void **state) {
    fixture *f = *state;
    tr_play *play = make(TR_MODE_STEPPED, 1);
    tr_reply spawned = ask(play, spawn(f, 1, 1, 0));
    uint64_t start = tr_stage_hash(play->stage);
    (void)ask(play, step(1, 2, 30));
    tr_command *later = push(1, 3, spawned.entity, 10);
    later->at_tick = 1000;
    tr_play_admit(play, later);
    clear_replies(play);
    tr_play_admit(play, command(TR_COMMAND_RESET, 1, 4));
    settle(play);
    assert_int_equal(play->replies.first->request, 3);
    assert_int_equal(play->replies.first->error.status, TR_ABORTED);
    assert_int_equal(play->replies.first->next->error.status, TR_OK);
    assert_true(play->replies.first->next->hash == start);
    assert_int_equal(play->epoch, 1);
    assert_int_equal(tr_play_tick(play), 0);
    tr_play_destroy(play);
}

static void test_close_answers_everything(void **state) {
    (void)state;
    tr_play *play = make(TR_MODE_STEPPED, 2);
    tr_play_admit(play, join(1, 1, 1));
    tr_play_admit(play, step(1, 2, 5));
    tr_play_admit(play, command(TR_COMMAND_MARK, 1, 3));
    settle(play);
    clear_replies(play);
    tr_play_close(play);
    int count = 0;
    for (const tr_reply *reply = play->replies.first; reply != NULL; reply = reply->next, count++)
        assert_int_equal(reply->error.status, TR_ABORTED);
    assert_int_equal(count, 2);
    assert_int_equal(play->events.event[play->events.count - 1].kind, TR_EVENT_DESTROYED);
    tr_play_destroy(play);
}

static void test_lateness_is_told(void **state) {
    (void)state;
    tr_play *play = make(TR_MODE_REAL_TIME, 1);
    (void)tr_play_advance(play, 5000000);
    tr_event_list_clear(&play->events);
    (void)tr_play_advance(play, 1000000000);
    assert_int_equal(play->events.event[0].kind, TR_EVENT_LATE);
    assert_true(play->events.event[0].magnitude > 100);
    assert_true(tr_play_describe(play).dropped_ticks == (int64_t)play->events.event[0].magnitude);
    tr_play_destroy(play);
}

/* Hundreds who look at once cost the memory of one state. */
static void test_looks_of_a_turn_share_one_state(void **state) {
    (void)state;
    tr_play *play = make(TR_MODE_STEPPED, 1);
    enum { LOOKS = 300 };
    for (uint64_t i = 1; i <= LOOKS; i++) {
        tr_command *look = command(TR_COMMAND_GET_STATE, 1 + i % 7, i);
        look->as.state_fields = i == LOOKS ? 1 : 0;
        tr_play_admit(play, look);
    }
    settle(play);
    const tr_packet *first = play->replies.first->data;
    int count = 0, others = 0;
    for (const tr_reply *reply = play->replies.first; reply != NULL; reply = reply->next) {
        assert_int_equal(reply->error.status, TR_OK);
        assert_non_null(reply->data);
        others += reply->data != first;
        count++;
    }
    assert_int_equal(count, LOOKS);
    assert_int_equal(others, 1);
    tr_play_destroy(play);
}

int main(void) {
    tr_physics_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_advance_is_its_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused_orders_stop_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_advance_of_anothers_character_does_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_an_aborted_advance, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spawn_and_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_interleaving_does_not_matter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_commands_of_one_tick_sort_by_order, set_up, tear_down),
        cmocka_unit_test(test_at_tick_out_of_range),
        cmocka_unit_test(test_too_many_wait),
        cmocka_unit_test(test_paused_world_steps_by_hand),
        cmocka_unit_test_setup_teardown(test_reset_is_exact_and_aborts, set_up, tear_down),
        cmocka_unit_test(test_close_answers_everything),
        cmocka_unit_test(test_lateness_is_told),
        cmocka_unit_test(test_looks_of_a_turn_share_one_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
