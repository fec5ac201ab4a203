/* Characters and objects whose state becomes infinite or not a number: the world's rule applies to
 * them, the others' bits are as in a world without the fault, and all later states are finite.
 *
 *     COUNT  break so many, by default 200 */
#include "cmocka_test.h"

#include "math/hash.h"
#include "math/random.h"
#include "model/mjcf.h"
#include "server/world/world_loop.h"
#include "unit/control/puppet.h"
#include "unit/server/orders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int count;
    tr_model *model;
    tr_controller *sway, *mad;
    tr_cast cast;
} stage = {.count = 200};

/* As sway, with actions that are not finite. */
static tr_controller *make_mad(void) {
    tr_controller *mad = NULL;
    assert_int_equal(tr_controller_copy(stage.sway, stage.model, &mad), TR_OK);
    strcpy(mad->name, "mad");
    tr_bank *bank = tr_controller_bank(mad);
    for (int f = 0; f < bank->fragment_count; f++) {
        bank->fragment[f].policy.offset[0] = 1e308;
        bank->fragment[f].policy.m[0][2] = 1e308; /* times the height of the root */
    }
    return mad;
}

FIXTURE(set_up) {
    tr_physics_init();
    stage.model = puppet_model();
    stage.sway = puppet_sway(stage.model, 4, 20, 3);
    stage.mad = make_mad();
    assert_int_equal(tr_cast_add_model(&stage.cast, stage.model, "humanoid"), TR_OK);
    assert_int_equal(tr_cast_add_controller(&stage.cast, stage.sway), TR_OK);
    assert_int_equal(tr_cast_add_controller(&stage.cast, stage.mad), TR_OK);
}

FIXTURE(tear_down) {
    tr_controller_destroy(stage.mad);
    tr_controller_destroy(stage.sway);
    tr_model_destroy(stage.model);
}

static tr_world_loop *make(tr_fault_rule rule) {
    static tr_world_loop_def def;
    memset(&def, 0, sizeof def);
    def.id = 1;
    def.mode = TR_MODE_FAST;
    def.rate = 1;
    def.fault_rule = rule;
    def.world = tr_world_def_default();
    def.commands = &tr_commands;
    tr_world_loop *loop = NULL;
    assert_int_equal(tr_world_loop_create(&def, 0, &loop), TR_OK);
    return loop;
}

static tr_entity_id spawn(tr_world_loop *loop, double x, const tr_controller *controller) {
    static uint64_t request;
    tr_command *command = order_spawn(&stage.cast, "humanoid", controller->name, "x", x);
    command->stamp.session = 1;
    command->stamp.request = ++request;
    tr_reply result = {0};
    tr_world_loop_apply(loop, command, &result, 0);
    tr_command_destroy(command);
    assert_int_equal(result.error.status, TR_OK);
    return result.entity;
}

static tr_entity_id spawn_ball(tr_world_loop *loop, double x) {
    tr_object_def def = {.name = "ball", .geom_count = 1, .mass = 1};
    def.geom[0] = (tr_geom){.kind = TR_GEOM_SPHERE, .size = {0.1, 0, 0}, .rot = {1, 0, 0, 0}};
    def.geom[0].friction = 1;
    tr_object_state at = {.pos = {x, 0, 0.5}, .rot = {1, 0, 0, 0}};
    tr_entity_id entity = 0;
    assert_int_equal(tr_world_add_object(tr_stage_world(loop->stage), &def, &at, &entity), TR_OK);
    return entity;
}

static void run(tr_world_loop *loop, int ticks) {
    for (int i = 0; i < ticks; i++)
        (void)tr_world_loop_advance(loop, 0);
}

static tr_state state_of(const tr_world_loop *loop, tr_entity_id entity) {
    tr_state state;
    assert_int_equal(tr_world_get_state(tr_stage_world_const(loop->stage), entity, &state), TR_OK);
    return state;
}

/* A number that no step keeps finite: its square overflows. */
static double absurd(tr_random *random) {
    double size = pow(10, 160 + 140 * tr_random_uniform(random));
    return tr_random_uniform(random) < 0.5 ? size : -size;
}

/* Rates, places or both beyond all bounds, of the root or of a joint. */
static void break_character(tr_world_loop *loop, tr_entity_id entity, tr_random *random) {
    tr_state s = state_of(loop, entity);
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
    assert_int_equal(tr_world_set_state(tr_stage_world(loop->stage), entity, &s), TR_OK);
}

/* The number of new FAULT events of `entity` with this text. */
static int told(tr_world_loop *loop, tr_entity_id entity, const char *text) {
    int count = 0;
    for (int i = 0; i < loop->events.count; i++) {
        const tr_event *event = &loop->events.event[i];
        if (event->kind != TR_EVENT_FAULT)
            continue;
        assert_int_equal(event->entity, entity);
        assert_string_equal(event->text, text);
        count++;
    }
    tr_event_list_clear(&loop->events);
    return count;
}

static uint64_t hash_of(const tr_world_loop *loop, tr_entity_id entity) {
    tr_state state = state_of(loop, entity);
    return tr_hash_add(TR_HASH_START, &state, sizeof state);
}

static void expect_finite(const tr_world_loop *loop, tr_entity_id entity) {
    tr_state s = state_of(loop, entity);
    assert_true(tr_vec3_is_finite(s.pose.root_pos) && tr_vec3_is_finite(s.root_vel));
    for (int i = 1; i < stage.model->body_count; i++)
        assert_true(tr_quat_is_finite(s.pose.joint[i]) && tr_vec3_is_finite(s.joint_rate[i]));
}

/* The bystander stands 20 m away; in `alone` it is the only character of its world. */
static void break_one(tr_fault_rule rule, uint64_t seed) {
    static const char *const text[] = {"reset", "removed", "frozen"};
    tr_random random = tr_random_seed(seed);
    OWN(tr_world_loop) *loop = make(rule), *whole = make(rule);
    tr_entity_id sick = spawn(loop, 0, stage.sway), well = spawn(loop, 20, stage.sway);
    (void)spawn(whole, 0, stage.sway), (void)spawn(whole, 20, stage.sway);
    int before = 1 + (int)(tr_random_uniform(&random) * 60);
    run(loop, before), run(whole, before);
    (void)told(loop, sick, "");
    break_character(loop, sick, &random);
    run(loop, 1), run(whole, 1);
    assert_int_equal(told(loop, sick, text[rule]), 1);
    run(loop, 30), run(whole, 30);
    assert_true(hash_of(loop, well) == hash_of(whole, well));
    tr_world *world = tr_stage_world(loop->stage);
    assert_int_equal(tr_world_faults(world, NULL, 0), rule == TR_FAULT_FREEZE);
    assert_true((!tr_world_character_model(world, sick)) == (rule == TR_FAULT_REMOVE));
    assert_int_equal(loop->label_count, rule == TR_FAULT_REMOVE ? 1 : 2);
    if (rule == TR_FAULT_RESET) {
        expect_finite(loop, sick);
        assert_true(tr_stage_performer(loop->stage, sick)->runner.controller == stage.sway);
        assert_true(fabs(state_of(loop, sick).pose.root_pos.y) < 1);
    }
}

TEST(a_broken_entity_stops_no_other) {
    for (int i = 0; i < stage.count; i++)
        break_one((tr_fault_rule)(i % TR_FAULT_RULE_COUNT), (uint64_t)i);
    print_message("%d characters broken and contained\n", stage.count);
}

/* The fault rule belongs to the simulation: a snapshot carries it, and the run after it is the
 * same. */
TEST(a_restored_world_handles_faults_alike) {
    for (int rule = 0; rule < TR_FAULT_RULE_COUNT; rule++) {
        OWN(tr_world_loop) *loop = make((tr_fault_rule)rule);
        tr_random random = tr_random_seed(7);
        tr_entity_id sick = spawn(loop, 0, stage.sway);
        run(loop, 10);
        break_character(loop, sick, &random);
        tr_packet *bytes = NULL;
        tr_saved *saved = NULL;
        assert_int_equal(tr_world_loop_snapshot(loop, &bytes), TR_OK);
        assert_int_equal(tr_snapshot_read(bytes->bytes, bytes->size, &saved, NULL), TR_OK);
        run(loop, 20);
        uint64_t straight = tr_stage_hash(loop->stage);
        tr_restoration order = {.saved = saved, .cast = &loop->cast};
        loop->fault_rule = TR_FAULT_FREEZE;
        assert_int_equal(tr_world_loop_restore(loop, &order, 0), TR_OK);
        assert_int_equal(loop->fault_rule, rule);
        run(loop, 20);
        assert_true(tr_stage_hash(loop->stage) == straight);
        tr_saved_destroy(saved);
        tr_packet_release(bytes);
    }
}

/* A policy whose actions are not finite breaks its character again and again: the rule applies each
 * time. */
TEST(a_broken_policy_stops_no_other) {
    OWN(tr_world_loop) *loop = make(TR_FAULT_RESET);
    tr_entity_id mad = spawn(loop, 0, stage.mad), well = spawn(loop, 20, stage.sway);
    OWN(tr_world_loop) *whole = make(TR_FAULT_RESET);
    (void)spawn(whole, 0, stage.sway), (void)spawn(whole, 20, stage.sway);
    (void)told(loop, mad, "");
    run(loop, 200), run(whole, 200);
    assert_true(told(loop, mad, "reset") > 0);
    expect_finite(loop, mad);
    assert_true(hash_of(loop, well) == hash_of(whole, well));
}

/* The largest forces that the wire takes, as many as may act together: finite, or the rule
 * applies. */
TEST(huge_forces_stop_only_their_character) {
    OWN(tr_world_loop) *loop = make(TR_FAULT_RESET);
    tr_entity_id pushed = spawn(loop, 0, stage.sway), well = spawn(loop, 900, stage.sway);
    tr_random random = tr_random_seed(11);
    for (int i = 0; i < 100; i++) {
        double angle = 6.28 * tr_random_uniform(&random);
        tr_push push = {.entity = pushed,
                        .body = (int)(tr_random_uniform(&random) * stage.model->body_count),
                        .force = {1e5 * cos(angle), 1e5 * sin(angle), 1e5},
                        .steps = 12000};
        assert_int_equal(tr_world_push(tr_stage_world(loop->stage), &push), TR_OK);
    }
    run(loop, 2000);
    expect_finite(loop, pushed);
    expect_finite(loop, well);
}

TEST(a_broken_object_stops_no_other) {
    for (int rule = 0; rule < TR_FAULT_RULE_COUNT; rule++) {
        OWN(tr_world_loop) *loop = make((tr_fault_rule)rule);
        tr_entity_id ball = spawn_ball(loop, 0);
        tr_object_state s;
        run(loop, 5);
        tr_world *world = tr_stage_world(loop->stage);
        assert_int_equal(tr_world_get_object(world, ball, &s), TR_OK);
        s.omega = (tr_vec3){1e200, 1e200, 1e200};
        s.vel = (tr_vec3){1e308, 1e308, 1e308};
        assert_int_equal(tr_world_set_object(world, ball, &s), TR_OK);
        run(loop, 3);
        bool there = tr_world_object_def(world, ball) != NULL;
        assert_int_equal(there, rule != TR_FAULT_REMOVE);
        if (there) {
            assert_int_equal(tr_world_get_object(world, ball, &s), TR_OK);
            assert_true(tr_vec3_is_finite(s.pos) && tr_vec3_is_finite(s.vel));
        }
    }
}

BEFORE_ALL() {
    stage.count = (int)suite_argument(stage.count);
}

SUITE_FIXTURE(set_up, tear_down);
