/* Intents over the shipped characters: go, arrive, stop, stand. */
#include "cmocka_test.h"

#include "bench/learned.h"
#include "control/stage/stage.h"
#include "math/elementary.h"
#include "model/mjcf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct actor {
    tr_model *model;
    tr_controller *controller;
    tr_stage *stage;
    tr_entity_id id;
    int arrived, blocked, fell;
} actor;

static actor open_actor(const char *name) {
    actor a = {0};
    assert_true(tr_bench_load_controller(TR_BENCH_BUNDLE, name, &a.model, &a.controller));
    tr_world_def def = tr_world_def_default();
    def.step_s = a.controller->step_s;
    assert_int_equal(tr_stage_create(&def, &a.stage), TR_OK);
    const tr_spawn_def spawn = {.model = a.model, .controller = a.controller};
    assert_int_equal(tr_stage_spawn(a.stage, &spawn, &a.id), TR_OK);
    return a;
}

static void close_actor(actor *a) {
    tr_stage_destroy(a->stage);
    tr_controller_destroy(a->controller);
    tr_model_destroy(a->model);
}

static void run(actor *a, double seconds) {
    const int64_t steps = (int64_t)(seconds / a->controller->step_s);
    for (int64_t i = 0; i < steps; i++) {
        int count = 0, dropped = 0;
        assert_int_equal(tr_stage_step(a->stage), TR_OK);
        const tr_stage_event *event = tr_stage_events(a->stage, &count, &dropped);
        for (int e = 0; e < count; e++) {
            a->arrived += event[e].kind == TR_STAGE_ARRIVED;
            a->blocked += event[e].kind == TR_STAGE_BLOCKED;
            a->fell += event[e].kind == TR_STAGE_FELL;
        }
    }
}

static tr_state state_of(const actor *a) {
    tr_state state;
    assert_int_equal(tr_world_get_state(tr_stage_world(a->stage), a->id, &state), TR_OK);
    return state;
}

static double speed_of(const actor *a) {
    const tr_state state = state_of(a);
    return hypot(state.root_vel.x, state.root_vel.y);
}

static void steer(actor *a, tr_intent intent) {
    assert_int_equal(tr_stage_steer(a->stage, a->id, &intent, NULL), TR_OK);
}

/* A place this far off, in this direction from where it looks. */
static tr_intent place(const actor *a, double distance_m, double turn_rad) {
    const tr_state state = state_of(a);
    const double heading = tr_quat_heading(state.pose.root_rot) + turn_rad;
    return (tr_intent){.wish = {.aim = TR_AIM_POINT,
                                .x = state.pose.root_pos.x + distance_m * cos(heading),
                                .y = state.pose.root_pos.y + distance_m * sin(heading)}};
}

static double distance_to(const actor *a, const tr_intent *intent) {
    const tr_state state = state_of(a);
    return hypot(state.pose.root_pos.x - intent->wish.x, state.pose.root_pos.y - intent->wish.y);
}

/* Where no way out of standing brings it nearer it stands beside the place; most places it reaches. */
TEST(it_goes_to_a_place_and_stands_there) {
    OWN_BY(close_actor) actor a = open_actor("hero");
    const double turn[] = {0, -1, 2, 0.5, -0.5};
    int reached = 0;
    for (int i = 0; i < 5; i++) {
        run(&a, 4);
        const tr_intent there = place(&a, 12, turn[i]);
        steer(&a, there);
        run(&a, 1);
        assert_true(speed_of(&a) > 0.3);
        a.arrived = 0;
        run(&a, 36);
        assert_true(distance_to(&a, &there) < (a.arrived ? TR_INTENT_RADIUS_M + 0.1 : 1.5));
        assert_true(speed_of(&a) < 0.1);
        reached += a.arrived == 1;
    }
    assert_true(reached >= 3);
    assert_int_equal(a.fell, 0);
}

TEST(a_repeated_intent_changes_nothing) {
    actor a = open_actor("hero"), b = open_actor("hero");
    run(&a, 4);
    run(&b, 4);
    const tr_intent there = place(&a, 7, 0.3);
    steer(&b, there);
    for (int i = 0; i < 150; i++) {
        steer(&a, there);
        run(&a, 0.1);
    }
    run(&b, 15);
    assert_int_equal(a.arrived, b.arrived);
    assert_true(distance_to(&a, &there) < TR_INTENT_RADIUS_M + 0.1);
    close_actor(&a);
    close_actor(&b);
}

TEST(a_wide_radius_stops_early) {
    OWN_BY(close_actor) actor a = open_actor("hero");
    run(&a, 4);
    tr_intent there = place(&a, 9, 0);
    there.radius_m = 2.5;
    steer(&a, there);
    run(&a, 14);
    assert_int_equal(a.arrived, 1);
    assert_true(distance_to(&a, &there) > 1);
    assert_true(speed_of(&a) < 0.1);
}

TEST(another_controller_continues_the_way) {
    actor a = open_actor("walk"), b = open_actor("gaits");
    run(&a, 2);
    steer(&a, place(&a, 10, 0));
    assert_int_equal(tr_stage_set_controller(a.stage, a.id, b.controller), TR_OK);
    run(&a, 0.7);
    assert_true(tr_stage_performer(a.stage, a.id)->runner.controller == b.controller);
    assert_true(tr_stage_performer(a.stage, a.id)->runner.target.aim == TR_AIM_POINT);
    run(&a, 10);
    assert_int_equal(a.arrived, 1);
    close_actor(&a);
    close_actor(&b);
}

TEST(a_heading_means_go_and_nothing_means_stop) {
    OWN_BY(close_actor) actor a = open_actor("hero");
    run(&a, 4);
    steer(&a, (tr_intent){.wish = {.aim = TR_AIM_HEADING, .heading_rad = 0.3}});
    run(&a, 4);
    assert_true(speed_of(&a) > 0.9);
    steer(&a, (tr_intent){0});
    run(&a, 5);
    assert_true(speed_of(&a) < 0.1);
    assert_int_equal(a.arrived + a.fell, 0);
}

TEST(what_cannot_stand_says_when_it_passes) {
    OWN_BY(close_actor) actor a = open_actor("walk");
    run(&a, 2);
    steer(&a, place(&a, 6, 0.2));
    run(&a, 8);
    assert_int_equal(a.arrived, 1);
    assert_true(speed_of(&a) > 0.5);
}

TEST(a_target_set_directly_ends_the_intent) {
    OWN_BY(close_actor) actor a = open_actor("hero");
    const tr_steering_target walk = {.skill = "walk"};
    run(&a, 3);
    steer(&a, place(&a, 5, 0));
    assert_int_equal(tr_stage_set_target(a.stage, a.id, &walk), TR_OK);
    run(&a, 9);
    assert_int_equal(a.arrived, 0);
    assert_true(speed_of(&a) > 0.5);
}

/* A wall as wide as a house, at some distance before a character that has just been spawned. */
static uint32_t put_wall(const actor *a, double far_m) {
    const tr_scenery_def wall = {.kind = TR_SCENERY_BOX,
                                 .size = {0.1, 9, 1.5},
                                 .pos = {far_m + 0.1, 0, 1.5},
                                 .rot = {1, 0, 0, 0},
                                 .friction = 1};
    uint32_t id = 0;
    assert_int_equal(tr_world_add_scenery(tr_stage_world(a->stage), &wall, &id), TR_OK);
    return id;
}

TEST(it_stops_before_a_wall_until_that_is_gone) {
    OWN_BY(close_actor) actor a = open_actor("hero");
    const uint32_t wall = put_wall(&a, 7);
    tr_stage_set_look_ahead(a.stage, true);
    run(&a, 4);
    steer(&a, place(&a, 12, 0));
    run(&a, 12);
    assert_int_equal(a.blocked, 1);
    assert_true(speed_of(&a) < 0.1 && state_of(&a).pose.root_pos.x > 4);
    /* Another way into the wall is no way either. */
    steer(&a, (tr_intent){.wish = {.aim = TR_AIM_HEADING, .heading_rad = 0.1}});
    run(&a, 4);
    assert_true(speed_of(&a) < 0.1 && a.blocked == 2);
    assert_int_equal(tr_world_remove_scenery(tr_stage_world(a.stage), wall), TR_OK);
    run(&a, 8);
    assert_true(speed_of(&a) > 0.5 && state_of(&a).pose.root_pos.x > 7);
    assert_int_equal(a.fell, 0);
}

/* The wall is reported, and the character goes when it is gone. */
TEST(a_near_place_behind_a_wall_is_barred) {
    OWN_BY(close_actor) actor a = open_actor("hero");
    const uint32_t wall = put_wall(&a, 0.8);
    tr_stage_set_look_ahead(a.stage, true);
    run(&a, 2);
    steer(&a, place(&a, 1.1, 0));
    run(&a, 6);
    assert_int_equal(a.blocked, 1);
    assert_true(speed_of(&a) < 0.1);
    assert_int_equal(tr_world_remove_scenery(tr_stage_world(a.stage), wall), TR_OK);
    run(&a, 6);
    assert_true(state_of(&a).pose.root_pos.x > 0.2 && a.fell == 0);
}

TEST(it_leaves_a_wall_when_it_is_steered_away) {
    for (int i = 0; i < 4; i++) {
        OWN_BY(close_actor) actor a = open_actor("hero");
        (void)put_wall(&a, 6.5 + 0.3 * i);
        tr_stage_set_look_ahead(a.stage, true);
        run(&a, 4);
        steer(&a, place(&a, 12, 0));
        run(&a, 12);
        assert_int_equal(a.blocked, 1);
        const double from = state_of(&a).pose.root_pos.x;
        steer(&a, (tr_intent){.wish = {.aim = TR_AIM_HEADING, .heading_rad = TR_PI}});
        run(&a, 20);
        print_message("from %.2f to %.2f m\n", from, state_of(&a).pose.root_pos.x);
        assert_true(state_of(&a).pose.root_pos.x < from - 3);
        assert_int_equal(a.fell, 0);
    }
}

/* Out of the backward walk it steps back once more before it stands farther ahead. Later, beside the wall,
 * it steps aside and tries again: one of these six touched the wall then, and fell. */
TEST(it_stops_before_a_wall_behind_it) {
    for (int i = 0; i < 6; i++) {
        OWN_BY(close_actor) actor a = open_actor("hero");
        (void)put_wall(&a, -7 - 0.3 * i);
        tr_stage_set_look_ahead(a.stage, true);
        run(&a, 4);
        tr_intent back = place(&a, 40, TR_PI);
        strcpy(back.wish.skill, "walk-back");
        steer(&a, back);
        run(&a, 10);
        assert_true(a.blocked > 0 && state_of(&a).pose.root_pos.x < -2);
        assert_int_equal(a.fell, 0);
    }
}

/* In every gait, to either side, from any part of the cycle, also as fast as the gait goes. */
TEST(a_character_that_is_turned_in_a_gait_stays_up) {
    static const char *const gait[] = {"walk-slow", "walk", "walk-fast", "run"};
    for (int i = 0; i < 16; i++) {
        OWN_BY(close_actor) actor a = open_actor("hero");
        tr_intent turn = {.wish = {.aim = TR_AIM_HEADING, .heading_rad = i % 2 ? 0.9 : -0.9}};
        tr_intent skill = {0};
        strcpy(skill.wish.skill, gait[i / 4]);
        steer(&a, skill);
        run(&a, 9 + 0.3 * i);
        turn.wish.heading_rad += tr_quat_heading(state_of(&a).pose.root_rot);
        turn.wish.speed_mps = i % 4 > 1 ? 1.1 * speed_of(&a) : 0;
        steer(&a, turn);
        run(&a, 5);
        assert_int_equal(a.fell, 0);
    }
}

TEST(without_the_option_it_walks_into_the_wall) {
    OWN_BY(close_actor) actor a = open_actor("hero");
    (void)put_wall(&a, 7);
    run(&a, 4);
    steer(&a, place(&a, 12, 0));
    run(&a, 12);
    assert_true(a.blocked == 0 && a.fell > 0);
}

/* At each of a hundred moments of a way, the restored stage goes the same way to the bit. */
TEST(a_snapshot_keeps_the_way) {
    OWN_BY(close_actor) actor a = open_actor("hero");
    const tr_stage_library library = {(const tr_model *const *)&a.model, 1,
                                      (const tr_controller *const *)&a.controller, 1};
    OWN(tr_stage) *other = NULL;
    tr_world_def def = tr_world_def_default();
    def.step_s = a.controller->step_s;
    assert_int_equal(tr_stage_create(&def, &other), TR_OK);
    (void)put_wall(&a, 5);
    tr_stage_set_look_ahead(a.stage, true);
    run(&a, 3);
    tr_intent there = place(&a, 4, 0.5);
    there.faces = true;
    there.radius_m = 0.4;
    steer(&a, there);
    for (int i = 0; i < 100; i++) {
        run(&a, 0.1);
        size_t capacity = tr_stage_snapshot_size(a.stage), size = 0;
        unsigned char *bytes = malloc(capacity);
        assert_non_null(bytes);
        assert_int_equal(tr_stage_snapshot(a.stage, bytes, capacity, &size), TR_OK);
        assert_int_equal(tr_stage_restore(other, bytes, size, &library), TR_OK);
        free(bytes);
        run(&a, 0.11);
        for (int64_t k = (int64_t)(0.11 / a.controller->step_s); k > 0; k--)
            assert_int_equal(tr_stage_step(other), TR_OK);
        assert_true(tr_stage_hash(a.stage) == tr_stage_hash(other));
    }
}

TEST(what_is_out_of_bounds_is_refused) {
    OWN_BY(close_actor) actor a = open_actor("hero");
    const tr_intent wrong[] = {{.radius_m = -1},
                               {.radius_m = 101},
                               {.radius_m = (double)NAN},
                               {.facing_rad = 1001},
                               {.wish = {.speed_mps = -1}},
                               {.wish = {.aim = TR_AIM_CHARACTER, .character = a.id}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(tr_stage_steer(a.stage, a.id, &wrong[i], NULL), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_stage_steer(a.stage, a.id + 1, &wrong[0], NULL), TR_NOT_FOUND);
}

BEFORE_ALL() {
    tr_physics_init();
}
