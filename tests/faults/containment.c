/* Characters and objects driven to what is not finite: the world's rule decides, the others go on
 * as if nothing had been, bit for bit, and what comes after is finite.
 *
 *     COUNT  break so many, by default 200 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/hash.h"
#include "math/random.h"
#include "model/mjcf.h"
#include "server/catalogue/name.h"
#include "server/world/play.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int count;
    tr_model *model;
    tr_controller *sway;
} stage = {.count = 200};

static int set_up(void **state) {
    (void)state;
    tr_physics_init();
    stage.model = puppet_model();
    stage.sway = puppet_sway(stage.model, 4, 20, 3);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    tr_controller_destroy(stage.sway);
    tr_model_destroy(stage.model);
    return 0;
}

static tr_play *make(tr_fault_rule rule) {
    static tr_play_def def;
    memset(&def, 0, sizeof def);
    def.id = 1;
    def.mode = TR_MODE_FAST;
    def.rate = 1;
    def.fault_rule = rule;
    def.world = tr_world_def_default();
    tr_play *play = NULL;
    assert_int_equal(tr_play_create(&def, 0, &play), TR_OK);
    return play;
}

static tr_entity_id spawn(tr_play *play, double x, const tr_controller *controller) {
    static uint64_t request;
    tr_command *command = tr_command_create(TR_COMMAND_SPAWN_CHARACTER);
    command->stamp.session = 1;
    command->stamp.request = ++request;
    tr_name_set(command->as.spawn_character.model_name, "humanoid");
    tr_name_set(command->as.spawn_character.label, "x");
    command->as.spawn_character.model = stage.model;
    command->as.spawn_character.controller = controller;
    command->as.spawn_character.pos.x = x;
    tr_reply result = {0};
    tr_play_apply(play, command, &result, 0);
    tr_command_destroy(command);
    assert_int_equal(result.error.status, TR_OK);
    return result.entity;
}

static tr_entity_id spawn_ball(tr_play *play, double x) {
    tr_object_def def = {.name = "ball", .geom_count = 1, .mass = 1};
    def.geom[0] = (tr_geom){.kind = TR_GEOM_SPHERE, .size = {0.1, 0, 0}, .rot = {1, 0, 0, 0}};
    def.geom[0].friction = 1;
    tr_object_state at = {.pos = {x, 0, 0.5}, .rot = {1, 0, 0, 0}};
    tr_entity_id entity = 0;
    assert_int_equal(tr_world_add_object(tr_stage_world(play->stage), &def, &at, &entity), TR_OK);
    return entity;
}

static void run(tr_play *play, int ticks) {
    for (int i = 0; i < ticks; i++)
        (void)tr_play_advance(play, 0);
}

static tr_state state_of(const tr_play *play, tr_entity_id entity) {
    tr_state state;
    assert_int_equal(tr_world_get_state(tr_stage_world_const(play->stage), entity, &state), TR_OK);
    return state;
}

/* A number that no step keeps finite: its square overflows. */
static double absurd(tr_random *random) {
    double size = pow(10, 160 + 140 * tr_random_uniform(random));
    return tr_random_uniform(random) < 0.5 ? size : -size;
}

/* Rates, places or both beyond all bounds, of the root or of a joint. */
static void break_character(tr_play *play, tr_entity_id entity, tr_random *random) {
    tr_state s = state_of(play, entity);
    switch (tr_random_next(random) % 4) {
    case 0:
        s.root_omega.x = absurd(random);
        break;
    case 1:
        s.root_vel = (tr_vec3){absurd(random), absurd(random), absurd(random)};
        s.root_omega.z = absurd(random);
        break;
    case 2:
        s.pose.root_pos.y = absurd(random);
        s.root_omega.y = absurd(random);
        break;
    default:
        s.joint_rate[1 + (int)(tr_random_uniform(random) * (stage.model->body_count - 1))] =
            (tr_vec3){absurd(random), absurd(random), absurd(random)};
        s.root_omega.x = absurd(random);
    }
    assert_int_equal(tr_world_set_state(tr_stage_world(play->stage), entity, &s), TR_OK);
}

/* What the world has told since the last time as FAULT of `entity`, with this text. */
static int told(tr_play *play, tr_entity_id entity, const char *text) {
    int count = 0;
    for (int i = 0; i < play->events.count; i++) {
        const tr_event *event = &play->events.event[i];
        if (event->kind != TR_EVENT_FAULT)
            continue;
        assert_int_equal(event->entity, entity);
        assert_string_equal(event->text, text);
        count++;
    }
    tr_event_list_clear(&play->events);
    return count;
}

static uint64_t hash_of(const tr_play *play, tr_entity_id entity) {
    tr_state state = state_of(play, entity);
    return tr_hash_add(TR_HASH_START, &state, sizeof state);
}

static void expect_finite(const tr_play *play, tr_entity_id entity) {
    tr_state s = state_of(play, entity);
    assert_true(tr_vec3_is_finite(s.pose.root_pos) && tr_vec3_is_finite(s.root_vel));
    for (int i = 1; i < stage.model->body_count; i++)
        assert_true(tr_quat_is_finite(s.pose.joint[i]) && tr_vec3_is_finite(s.joint_rate[i]));
}

/* The bystander stands 20 m away, in a world of its own in `alone`. */
static void break_one(tr_fault_rule rule, uint64_t seed) {
    static const char *const text[] = {"reset", "removed", "frozen"};
    tr_random random = tr_random_seed(seed);
    tr_play *play = make(rule), *whole = make(rule);
    tr_entity_id sick = spawn(play, 0, stage.sway), well = spawn(play, 20, stage.sway);
    (void)spawn(whole, 0, stage.sway), (void)spawn(whole, 20, stage.sway);
    int before = 1 + (int)(tr_random_uniform(&random) * 60);
    run(play, before), run(whole, before);
    (void)told(play, sick, "");
    break_character(play, sick, &random);
    run(play, 1), run(whole, 1);
    assert_int_equal(told(play, sick, text[rule]), 1);
    run(play, 30), run(whole, 30);
    assert_true(hash_of(play, well) == hash_of(whole, well));
    tr_world *world = tr_stage_world(play->stage);
    assert_int_equal(tr_world_faults(world, NULL, 0), rule == TR_FAULT_FREEZE);
    assert_true((tr_world_character_model(world, sick) == NULL) == (rule == TR_FAULT_REMOVE));
    assert_int_equal(play->label_count, rule == TR_FAULT_REMOVE ? 1 : 2);
    if (rule == TR_FAULT_RESET) {
        expect_finite(play, sick);
        assert_true(tr_stage_performer(play->stage, sick)->runner.controller == stage.sway);
        assert_true(fabs(state_of(play, sick).pose.root_pos.y) < 1);
    }
    tr_play_destroy(play);
    tr_play_destroy(whole);
}

static void what_breaks_is_contained(void **state) {
    (void)state;
    for (int i = 0; i < stage.count; i++)
        break_one((tr_fault_rule)(i % TR_FAULT_RULE_COUNT), (uint64_t)i);
    print_message("%d characters broken and contained\n", stage.count);
}

/* The rule is of the simulation: a snapshot carries it, and what comes after is the same. */
static void a_restored_world_contains_alike(void **state) {
    (void)state;
    for (int rule = 0; rule < TR_FAULT_RULE_COUNT; rule++) {
        tr_play *play = make((tr_fault_rule)rule);
        tr_random random = tr_random_seed(7);
        tr_entity_id sick = spawn(play, 0, stage.sway);
        run(play, 10);
        break_character(play, sick, &random);
        tr_packet *bytes = NULL;
        tr_saved *saved = NULL;
        assert_int_equal(tr_play_snapshot(play, &bytes), TR_OK);
        assert_int_equal(tr_snapshot_read(bytes, &saved, NULL), TR_OK);
        run(play, 20);
        uint64_t straight = tr_stage_hash(play->stage);
        tr_restore_order order = {.saved = saved, .cast = &play->cast};
        play->fault_rule = TR_FAULT_FREEZE;
        assert_int_equal(tr_play_restore(play, &order, 0), TR_OK);
        assert_int_equal(play->fault_rule, rule);
        run(play, 20);
        assert_true(tr_stage_hash(play->stage) == straight);
        tr_saved_destroy(saved);
        tr_packet_release(bytes);
        tr_play_destroy(play);
    }
}

/* A policy whose actions are not finite breaks its character again and again: contained each time.
 */
static void a_mad_policy_is_contained(void **state) {
    (void)state;
    tr_play *play = make(TR_FAULT_RESET);
    tr_entity_id mad = spawn(play, 0, stage.sway), well = spawn(play, 20, stage.sway);
    tr_play *whole = make(TR_FAULT_RESET);
    (void)spawn(whole, 0, stage.sway), (void)spawn(whole, 20, stage.sway);
    assert_int_equal(tr_stage_set_offset(play->stage, mad,
                                         (double[TR_ACTION_MAX]){1e308, 1e308, 1e308, 1e308},
                                         stage.sway->action.size),
                     TR_OK);
    (void)told(play, mad, "");
    run(play, 200), run(whole, 200);
    assert_true(told(play, mad, "reset") > 0);
    expect_finite(play, mad);
    assert_true(hash_of(play, well) == hash_of(whole, well));
    tr_play_destroy(play);
    tr_play_destroy(whole);
}

/* The largest forces that the wire takes, as many as act at once: finite, or contained. */
static void huge_forces_are_contained(void **state) {
    (void)state;
    tr_play *play = make(TR_FAULT_RESET);
    tr_entity_id pushed = spawn(play, 0, stage.sway), well = spawn(play, 900, stage.sway);
    tr_random random = tr_random_seed(11);
    for (int i = 0; i < 100; i++) {
        double angle = 6.28 * tr_random_uniform(&random);
        tr_push push = {.entity = pushed,
                        .body = (int)(tr_random_uniform(&random) * stage.model->body_count),
                        .force = {1e5 * cos(angle), 1e5 * sin(angle), 1e5},
                        .steps = 12000};
        assert_int_equal(tr_world_push(tr_stage_world(play->stage), &push), TR_OK);
    }
    run(play, 2000);
    expect_finite(play, pushed);
    expect_finite(play, well);
    tr_play_destroy(play);
}

static void an_object_is_contained(void **state) {
    (void)state;
    for (int rule = 0; rule < TR_FAULT_RULE_COUNT; rule++) {
        tr_play *play = make((tr_fault_rule)rule);
        tr_entity_id ball = spawn_ball(play, 0);
        tr_object_state s;
        run(play, 5);
        tr_world *world = tr_stage_world(play->stage);
        assert_int_equal(tr_world_get_object(world, ball, &s), TR_OK);
        s.omega = (tr_vec3){1e200, 1e200, 1e200};
        s.vel = (tr_vec3){1e308, 1e308, 1e308};
        assert_int_equal(tr_world_set_object(world, ball, &s), TR_OK);
        run(play, 3);
        bool there = tr_world_object_def(world, ball) != NULL;
        assert_int_equal(there, rule != TR_FAULT_REMOVE);
        if (there) {
            assert_int_equal(tr_world_get_object(world, ball, &s), TR_OK);
            assert_true(tr_vec3_is_finite(s.pos) && tr_vec3_is_finite(s.vel));
        }
        tr_play_destroy(play);
    }
}

int main(int argc, char **argv) {
    if (argc > 1)
        stage.count = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_breaks_is_contained),
        cmocka_unit_test(a_restored_world_contains_alike),
        cmocka_unit_test(a_mad_policy_is_contained),
        cmocka_unit_test(huge_forces_are_contained),
        cmocka_unit_test(an_object_is_contained),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
