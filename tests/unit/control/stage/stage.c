#include "cmocka_test.h"

#include "control/stage/stage.h"
#include "unit/control/puppet.h"

#include <float.h>
#include <math.h>
#include <string.h>

static tr_stage *open_stage(void) {
    tr_stage *stage = NULL;
    tr_world_def def = tr_world_def_default();
    tr_physics_init();
    assert_int_equal(tr_stage_create(&def, &stage), TR_OK);
    return stage;
}

static tr_entity_id spawn(tr_stage *stage, const tr_model *model, const tr_controller *controller,
                          double x) {
    tr_entity_id id = 0;
    tr_spawn_def def = {.model = model, .controller = controller, .pos = {x, 0, 0}};
    assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_OK);
    return id;
}

/* Steps until an event of this kind about this entity, at most `steps`; NULL: there was none. */
static const tr_stage_event *step_until(tr_stage *stage, tr_stage_event_kind kind, tr_entity_id id,
                                        int steps) {
    for (int i = 0; i < steps; i++) {
        int count = 0, dropped = 0;
        assert_int_equal(tr_stage_step(stage), TR_OK);
        const tr_stage_event *event = tr_stage_events(stage, &count, &dropped);
        assert_int_equal(dropped, 0);
        for (int e = 0; e < count; e++)
            if (event[e].kind == kind && event[e].entity == id)
                return &event[e];
    }
    return NULL;
}

static int count_events(tr_stage *stage, tr_stage_event_kind kind, int steps) {
    int found = 0;
    for (int i = 0; i < steps; i++) {
        int count = 0, dropped = 0;
        assert_int_equal(tr_stage_step(stage), TR_OK);
        const tr_stage_event *event = tr_stage_events(stage, &count, &dropped);
        for (int e = 0; e < count; e++)
            found += event[e].kind == kind;
    }
    return found;
}

TEST(spawns_at_the_requested_place) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 2, 20);
    tr_controller_bank(controller)->fragment[1].start.pose.root_pos.z += 0.5;
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id;
    tr_spawn_def def = {.model = model,
                        .controller = controller,
                        .pos = {3, -4, 0.25},
                        .heading_rad = 1.25,
                        .entry = 1};
    assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_OK);
    tr_state state;
    assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &state), TR_OK);
    assert_near(state.pose.root_pos.x, 3, 1e-12);
    assert_near(state.pose.root_pos.y, -4, 1e-12);
    double height = controller->spawn.pose.root_pos.z + 0.75;
    assert_near(state.pose.root_pos.z, height, 1e-12);
    assert_near(tr_quat_heading(state.pose.root_rot), 1.25, 1e-12);
    assert_int_equal(puppet_doing(stage, id).entry, 1);
}

TEST(bad_spawns_are_refused) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 2, 20);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = 77;
    tr_spawn_def def = {.model = model, .controller = controller, .entry = 2};
    assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_OUT_OF_RANGE);
    def.entry = -1;
    assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_OUT_OF_RANGE);
    def.entry = 0;
    def.pos.y = (double)NAN;
    assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_INVALID_ARGUMENT);
    def.pos.y = 0;
    def.heading_rad = (double)INFINITY;
    assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_INVALID_ARGUMENT);
    def.heading_rad = 0;
    controller->step_s = 0.01;
    assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_FAILED_PRECONDITION);
    controller->step_s = 0.005;
    controller->model_hash++;
    assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_FAILED_PRECONDITION);
    assert_int_equal(id, 77);
    assert_int_equal(tr_world_characters(tr_stage_world(stage), &id, 1), 0);
    def.controller = NULL;
    for (int i = 0; i < TR_CHARACTER_MAX; i++) {
        def.pos.x = 2 * i;
        assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_OK);
    }
    assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_RESOURCE_EXHAUSTED);
}

TEST(stands_without_a_controller) {
    const tr_model *model = *given;
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = spawn(stage, model, NULL, 0);
    assert_null(step_until(stage, TR_STAGE_FELL, id, 400));
    assert_null(tr_stage_performer(stage, id)->runner.controller);
}

TEST(despawned_ids_are_not_found) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 20);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id one = spawn(stage, model, controller, 0), two = spawn(stage, model, NULL, 2);
    assert_int_equal(tr_stage_despawn(stage, one), TR_OK);
    assert_int_equal(tr_stage_despawn(stage, one), TR_NOT_FOUND);
    assert_null(tr_stage_performer(stage, one));
    assert_int_equal(tr_stage_set_controller(stage, one, controller), TR_NOT_FOUND);
    assert_int_equal(tr_stage_set_limp(stage, one, true), TR_NOT_FOUND);
    assert_int_equal(tr_stage_set_parameter(stage, one, TR_ACTION_OFFSET, NULL, 0, NULL),
                     TR_NOT_FOUND);
    assert_non_null(tr_stage_performer(stage, two));
    assert_int_equal(tr_stage_step(stage), TR_OK);
}

TEST(a_controller_takes_over_at_the_fragments_end) {
    const tr_model *model = *given;
    OWN(tr_controller) *one = puppet_hold(model, 2, 10), *two = puppet_hold(model, 1, 7);
    strcpy(tr_controller_bank(two)->gain_set, "b");
    tr_controller_bank(two)->cyclic = false;
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = spawn(stage, model, one, 0);
    assert_null(step_until(stage, TR_STAGE_CONTROLLER_BEGAN, id, 3));
    assert_int_equal(tr_stage_set_controller(stage, id, two), TR_OK);
    assert_ptr_equal(tr_stage_performer(stage, id)->next, two);
    const tr_stage_event *event = step_until(stage, TR_STAGE_CONTROLLER_BEGAN, id, 100);
    assert_non_null(event);
    assert_int_equal(event->tick, 11); /* ten steps of the old, then the first of the new */
    assert_ptr_equal(tr_stage_performer(stage, id)->runner.controller, two);
    assert_null(tr_stage_performer(stage, id)->next);
    event = step_until(stage, TR_STAGE_CONTROLLER_ENDED, id, 100);
    assert_non_null(event);
    assert_int_equal(event->tick, 17);
    assert_null(step_until(stage, TR_STAGE_CONTROLLER_ENDED, id, 20)); /* reported once */
    assert_int_equal(tr_stage_set_controller(stage, id, one), TR_OK);
    assert_non_null(step_until(stage, TR_STAGE_CONTROLLER_BEGAN, id, 1)); /* nothing to wait for */
    assert_int_equal(tr_stage_set_controller(stage, id, NULL), TR_OK);
    assert_null(tr_stage_performer(stage, id)->runner.controller);
    assert_null(step_until(stage, TR_STAGE_FELL, id, 100));
}

/* A character without a controller that stops being limp has the servos of the controller that
 * drove it last. */
TEST(the_last_gain_set_returns_after_limp) {
    const tr_model *model = *given;
    uint64_t hash[2];
    assert_true(model->gain_set_count > 1);
    for (int limp = 0; limp < 2; limp++) {
        OWN(tr_controller) *controller = puppet_hold(model, 1, 20);
        strcpy(tr_controller_bank(controller)->gain_set, model->gain_set[1].name);
        OWN(tr_stage) *stage = open_stage();
        tr_entity_id id = spawn(stage, model, controller, 0);
        assert_int_equal(tr_stage_step(stage), TR_OK);
        assert_int_equal(tr_stage_set_controller(stage, id, NULL), TR_OK);
        if (limp) {
            assert_int_equal(tr_stage_set_limp(stage, id, true), TR_OK);
            assert_int_equal(tr_stage_set_limp(stage, id, false), TR_OK);
        }
        assert_null(step_until(stage, TR_STAGE_FELL, id, 40));
        hash[limp] = tr_world_hash(tr_stage_world(stage));
    }
    assert_true(hash[0] == hash[1]);
}

TEST(unfit_controllers_are_refused) {
    const tr_model *model = *given;
    OWN(tr_controller) *one = puppet_hold(model, 2, 10), *two = puppet_hold(model, 1, 7);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = spawn(stage, model, one, 0);
    two->step_s = 0.004;
    assert_int_equal(tr_stage_set_controller(stage, id, two), TR_FAILED_PRECONDITION);
    two->step_s = 0.005;
    tr_controller_bank(two)->fragment[0].steps = -4;
    assert_int_equal(tr_stage_set_controller(stage, id, two), TR_INVALID_ARGUMENT);
    tr_controller_bank(two)->fragment[0].steps = 7;
    assert_null(tr_stage_performer(stage, id)->next);
}

static tr_status set_offset(tr_stage *stage, tr_entity_id id, const double *offset, int size) {
    return tr_stage_set_parameter(stage, id, TR_ACTION_OFFSET, offset, size, NULL);
}

TEST(offsets_must_fit) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 10);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = spawn(stage, model, controller, 0), idle = spawn(stage, model, NULL, 3);
    double offset[TR_ACTION_MAX] = {0.1};
    assert_int_equal(set_offset(stage, id, offset, 16), TR_INVALID_ARGUMENT);
    assert_int_equal(set_offset(stage, idle, offset, 17), TR_FAILED_PRECONDITION);
    assert_int_equal(set_offset(stage, id, offset, 17), TR_OK);
    assert_int_equal(tr_stage_step(stage), TR_OK);
    assert_near(puppet_playback(&tr_stage_performer(stage, id)->runner)->action[0], 0.1, 0);
    offset[3] = (double)NAN;
    assert_int_equal(set_offset(stage, id, offset, 17), TR_INVALID_ARGUMENT);
    assert_near(tr_stage_performer(stage, id)->runner.parameter[3], 0, 0);
}

TEST(a_fragment_can_be_chosen) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 4, 5, 2);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = spawn(stage, model, controller, 0), idle = spawn(stage, model, NULL, 3);
    assert_int_equal(tr_stage_set_entry(stage, 77, 1, false), TR_NOT_FOUND);
    assert_int_equal(tr_stage_set_entry(stage, idle, 0, false), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_stage_set_entry(stage, id, 1, true), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_stage_set_entry(stage, id, 4, false), TR_OUT_OF_RANGE);
    assert_int_equal(tr_stage_set_entry(stage, id, -1, false), TR_OUT_OF_RANGE);
    assert_int_equal(tr_stage_step(stage), TR_OK);
    assert_int_equal(tr_stage_set_entry(stage, id, 1, false), TR_OK);
    assert_int_equal(tr_stage_set_entry(stage, id, 3, false), TR_OK);
    for (int i = 0; i < 5; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
    assert_int_equal(puppet_doing(stage, id).entry, 3);
}

TEST(another_controller_takes_the_choice_back) {
    const tr_model *model = *given;
    OWN(tr_controller) *one = puppet_sway(model, 4, 5, 2), *two = puppet_hold(model, 1, 5);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = spawn(stage, model, one, 0);
    assert_int_equal(tr_stage_step(stage), TR_OK);
    assert_int_equal(tr_stage_set_controller(stage, id, two), TR_OK);
    assert_int_equal(tr_stage_set_entry(stage, id, 3, false), TR_OK);
    for (int i = 0; i < 6; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
    const tr_runner *runner = &tr_stage_performer(stage, id)->runner;
    assert_true(runner->controller == two && puppet_doing(stage, id).entry == 0 &&
                !runner->cue.given);
}

TEST(a_fall_and_a_rise_are_reported_once) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 20);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = spawn(stage, model, controller, 0);
    tr_push push = {.entity = id, .body = model->trunk, .force = {600, 0, 0}, .steps = 40};
    assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
    const tr_stage_event *event = step_until(stage, TR_STAGE_FELL, id, 800);
    assert_non_null(event);
    assert_true(tr_stage_performer(stage, id)->fallen);
    assert_int_equal(count_events(stage, TR_STAGE_FELL, 200), 0);
    assert_int_equal(tr_world_set_state(tr_stage_world(stage), id, &controller->spawn), TR_OK);
    assert_non_null(step_until(stage, TR_STAGE_ROSE, id, 110));
    assert_false(tr_stage_performer(stage, id)->fallen);
}

TEST(limp_falls_and_pauses_the_runner) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 3, 20);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = spawn(stage, model, controller, 0);
    for (int i = 0; i < 7; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
    assert_int_equal(tr_stage_set_limp(stage, id, true), TR_OK);
    assert_non_null(step_until(stage, TR_STAGE_FELL, id, 800));
    assert_int_equal(puppet_playback(&tr_stage_performer(stage, id)->runner)->step, 7);
    assert_int_equal(tr_stage_set_limp(stage, id, false), TR_OK);
    assert_int_equal(tr_world_set_state(tr_stage_world(stage), id, &controller->spawn), TR_OK);
    assert_int_equal(tr_stage_step(stage), TR_OK);
    assert_int_equal(puppet_playback(&tr_stage_performer(stage, id)->runner)->step, 8);
    assert_null(step_until(stage, TR_STAGE_FELL, id, 300));
}

static tr_entity_id throw_ball(tr_stage *stage, tr_vec3 pos, tr_vec3 vel) {
    tr_entity_id id = 0;
    tr_object_def def = {.geom_count = 1, .mass = 2};
    tr_object_state state = {.pos = pos, .rot = {1, 0, 0, 0}, .vel = vel};
    def.geom[0] = (tr_geom){
        .kind = TR_GEOM_SPHERE, .size = {0.1, 0, 0}, .rot = {1, 0, 0, 0}, .friction = 0.5};
    assert_int_equal(tr_world_add_object(tr_stage_world(stage), &def, &state, &id), TR_OK);
    return id;
}

TEST(a_thrown_ball_is_reported_once) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 20);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = spawn(stage, model, controller, 0);
    tr_entity_id ball = throw_ball(stage, (tr_vec3){1, 0, 1.3}, (tr_vec3){-8, 0, 0});
    tr_entity_id low = id < ball ? id : ball;
    const tr_stage_event *event = step_until(stage, TR_STAGE_TOUCHED, low, 100);
    assert_non_null(event);
    assert_int_equal(event->other, id < ball ? ball : id);
    assert_true(event->magnitude > 0.1);
    int body = id < ball ? event->body : event->other_body;
    assert_true(body == model->trunk || body == tr_model_find_body(model, "ltorso"));
    assert_int_equal(count_events(stage, TR_STAGE_TOUCHED, 15), 0);
}

TEST(characters_that_meet_touch) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 20);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id one = spawn(stage, model, controller, 0);
    tr_entity_id two = spawn(stage, model, controller, 0.8);
    tr_push push = {.entity = one, .body = model->trunk, .force = {500, 0, 0}, .steps = 40};
    assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
    const tr_stage_event *event = step_until(stage, TR_STAGE_TOUCHED, one < two ? one : two, 600);
    assert_non_null(event);
    assert_int_equal(event->other, one < two ? two : one);
}

/* A policy that overflows takes the controller from its character, and changes no other
 * character. */
TEST(a_broken_policy_costs_only_its_character_the_controller) {
    const tr_model *model = *given;
    OWN(tr_controller) *good = puppet_hold(model, 1, 20), *bad = puppet_hold(model, 1, 20);
    for (int j = 0; j < TR_FEATURE_COUNT; j++)
        tr_controller_bank(bad)->fragment[0].policy.m[3][j] = DBL_MAX;
    bad->spawn.root_vel = (tr_vec3){3, 3, 3};
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id sound = spawn(stage, model, good, 0), broken = spawn(stage, model, bad, 3);
    assert_non_null(step_until(stage, TR_STAGE_FAULT, broken, 1));
    assert_true(tr_stage_performer(stage, broken)->faulted);
    assert_null(tr_stage_performer(stage, broken)->runner.controller);
    assert_int_equal(count_events(stage, TR_STAGE_FAULT, 200), 0);
    assert_ptr_equal(tr_stage_performer(stage, sound)->runner.controller, good);
    assert_false(tr_stage_performer(stage, sound)->fallen);
    assert_int_equal(tr_stage_set_controller(stage, broken, good), TR_OK);
    assert_non_null(step_until(stage, TR_STAGE_CONTROLLER_BEGAN, broken, 1));
    assert_false(tr_stage_performer(stage, broken)->faulted);
}

/* The world freezes a body that an infinite force has broken; the stage still runs. */
TEST(a_broken_body_is_frozen_and_the_stage_runs) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 20);
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id sound = spawn(stage, model, controller, 0);
    tr_entity_id broken = spawn(stage, model, controller, 5);
    tr_push push = {.entity = broken, .body = 0, .force = {1e300, 1e300, 1e300}, .steps = 1};
    assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
    assert_non_null(step_until(stage, TR_STAGE_FAULT, broken, 20));
    assert_true(tr_stage_performer(stage, broken)->faulted);
    assert_int_equal(count_events(stage, TR_STAGE_FAULT, 100), 0);
    assert_ptr_equal(tr_stage_performer(stage, sound)->runner.controller, controller);
    assert_false(tr_stage_performer(stage, sound)->fallen);
    tr_state state;
    assert_int_equal(tr_world_get_state(tr_stage_world(stage), sound, &state), TR_OK);
    assert_true(tr_vec3_is_finite(state.pose.root_pos));
}

/* A frozen object is reported once, also when something else breaks later. */
TEST(each_fault_is_reported_once) {
    const tr_model *model = *given;
    OWN(tr_stage) *stage = open_stage();
    tr_entity_id id = spawn(stage, model, NULL, 0);
    tr_entity_id ball = throw_ball(stage, (tr_vec3){9, 0, 5}, (tr_vec3){0, 0, 0});
    tr_push push = {.entity = ball, .force = {1e308, 1e308, 0}, .steps = 1};
    assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
    assert_non_null(step_until(stage, TR_STAGE_FAULT, ball, 10));
    push.entity = id;
    assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
    assert_int_equal(count_events(stage, TR_STAGE_FAULT, 20), 1);
    tr_object_state still = {.pos = {9, 0, 5}, .rot = {1, 0, 0, 0}};
    assert_int_equal(tr_world_set_object(tr_stage_world(stage), ball, &still), TR_OK);
    assert_int_equal(count_events(stage, TR_STAGE_FAULT, 20), 0);
    push.entity = ball;
    assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
    assert_non_null(step_until(stage, TR_STAGE_FAULT, ball, 10));
}

TEST(equal_calls_give_equal_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 4, 9, 12);
    tr_controller_bank(controller)->mirrored = true;
    uint64_t hash[2];
    for (int n = 0; n < 2; n++) {
        OWN(tr_stage) *stage = open_stage();
        tr_entity_id id = spawn(stage, model, controller, 0);
        spawn(stage, model, NULL, 0.7);
        throw_ball(stage, (tr_vec3){1.5, 0, 1.3}, (tr_vec3){-8, 0, 0});
        count_events(stage, TR_STAGE_FELL, 50);
        assert_int_equal(tr_stage_set_controller(stage, id, controller), TR_OK);
        count_events(stage, TR_STAGE_FELL, 150);
        hash[n] = tr_stage_hash(stage);
    }
    assert_true(hash[0] == hash[1]);
}

SUITE_FIXTURE(puppet_load, puppet_unload);

TEST(a_hold_that_breaks_is_reported_once) {
    const tr_model *model = *given;
    OWN(tr_stage) *stage = open_stage();
    tr_world *world = tr_stage_world(stage);
    const tr_entity_id id = spawn(stage, model, NULL, 0);
    const tr_vec3 at = tr_world_bodies(world, id)[0].com_pos;
    const tr_pin_def weak = {
        .entity = {id}, .point = {model->body[0].com, {at.x, at.y, at.z + 0.05}}, .break_n = 1};
    tr_entity_id pin;
    assert_int_equal(tr_world_add_pin(world, &weak, &pin), TR_OK);
    const tr_stage_event *event = step_until(stage, TR_STAGE_HOLD_BROKEN, id, 3);
    assert_non_null(event);
    assert_true(event->other == 0 && event->body == 0 && event->magnitude > 1);
    assert_int_equal(tr_world_pins(world, NULL, 0), 0);
    assert_null(step_until(stage, TR_STAGE_HOLD_BROKEN, id, 3));
}
