#include "cmocka_test.h"

#include "control/balance/balance.h"
#include "control/stage/stage.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOLD = 3 };

static tr_controller *make(const tr_model *model) {
    return puppet_balance(model, HOLD);
}

/* Small gains from all features to all actions. */
static tr_controller *make_at_random(const tr_model *model) {
    tr_controller *controller = make(model);
    tr_balance *balance = tr_balance_of(controller);
    tr_random random = tr_random_seed(5);
    for (int a = 0; a < TR_BALANCE_ACTIONS; a++) {
        balance->offset[a] = 0.1 * tr_random_normal(&random);
        for (int f = 0; f < TR_BALANCE_FEATURES; f++)
            balance->gain[a][f] = 0.05 * tr_random_normal(&random);
    }
    return controller;
}

static tr_stage *open_stage(const tr_model *model, const tr_controller *controller, bool ground,
                            tr_entity_id *out_id) {
    tr_stage *stage = NULL;
    tr_world_def world = tr_world_def_default();
    const tr_spawn_def spawn = {.model = model, .controller = controller};
    world.ground = ground;
    assert_int_equal(tr_stage_create(&world, &stage), TR_OK);
    assert_int_equal(tr_stage_spawn(stage, &spawn, out_id), TR_OK);
    return stage;
}

static void run(tr_stage *stage, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
}

static const tr_balance_state *state_of(const tr_stage *stage, tr_entity_id id) {
    return (const tr_balance_state *)tr_stage_performer(stage, id)->runner.state;
}

/* --- content --- */

TEST(what_is_not_whole_is_named) {
    const tr_model *model = *given;
    static const char *const named[] = {"base 2", "deck 0", "'z'", "hold", "not finite", "bound"};
    for (int what = 0; what < 6; what++) {
        OWN(tr_controller) *controller = make(model);
        tr_balance *balance = tr_balance_of(controller);
        tr_error error = {0};
        if (what == 0)
            balance->place.base = 2;
        if (what == 1)
            balance->place.deck = 0;
        if (what == 2)
            strcpy(balance->gain_set, "z");
        if (what == 3)
            balance->hold = 0;
        if (what == 4)
            balance->gain[0][0] = (double)NAN;
        if (what == 5)
            balance->bound_rad = 9;
        assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[what]));
    }
}

/* In a world without ground nothing ends the feedback. */
TEST(a_mirror_image_does_the_mirror_image) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make_at_random(model), *image = NULL;
    tr_entity_id id, image_id;
    tr_state state, other;
    assert_int_equal(tr_controller_mirror(controller, model, &image), TR_OK);
    OWN(tr_stage) *stage = open_stage(model, controller, false, &id);
    OWN(tr_stage) *reflected = open_stage(model, image, false, &image_id);
    run(stage, 60);
    run(reflected, 60);
    assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &state), TR_OK);
    assert_int_equal(tr_world_get_state(tr_stage_world(reflected), image_id, &other), TR_OK);
    tr_state expected = tr_state_mirror(model, &state);
    assert_true(puppet_distance(model, &expected, &other) < 1e-6);
    assert_true(puppet_distance(model, &state, &other) > 1e-2);
}

/* --- driving --- */

TEST(it_looks_every_few_steps_and_bounds_its_turns) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    tr_balance *balance = tr_balance_of(controller);
    tr_entity_id id;
    balance->offset[TR_BALANCE_TURN_HIP_PITCH] = 0.1;
    balance->offset[TR_BALANCE_TURN_WAIST_ROLL] = 5;
    balance->gain[TR_BALANCE_TURN_ANKLE_PITCH][TR_BALANCE_BASE_VEL_X] = 1;
    OWN(tr_stage) *stage = open_stage(model, controller, false, &id);
    run(stage, 1);
    assert_true(state_of(stage, id)->action[TR_BALANCE_TURN_HIP_PITCH] == 0.1);
    assert_true(state_of(stage, id)->action[TR_BALANCE_TURN_WAIST_ROLL] == balance->bound_rad);
    tr_entity_id ball = tr_stage_performer(stage, id)->runner.rig.object[0];
    tr_object_state pushed;
    assert_int_equal(tr_world_get_object(tr_stage_world(stage), ball, &pushed), TR_OK);
    pushed.vel.x = 0.2;
    assert_int_equal(tr_world_set_object(tr_stage_world(stage), ball, &pushed), TR_OK);
    run(stage, HOLD - 1);
    assert_true(state_of(stage, id)->action[TR_BALANCE_TURN_ANKLE_PITCH] == 0);
    run(stage, 1);
    assert_true(fabs(state_of(stage, id)->action[TR_BALANCE_TURN_ANKLE_PITCH] - 0.2) < 0.01);
}

TEST(a_character_that_touches_the_ground_is_down_and_holds_its_stance) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    tr_entity_id id;
    tr_balance_of(controller)->offset[TR_BALANCE_TURN_HIP_PITCH] = 0.1;
    OWN(tr_stage) *stage = open_stage(model, controller, true, &id);
    run(stage, 1);
    assert_false(puppet_doing(stage, id).down);
    run(stage, 5);
    assert_true(puppet_doing(stage, id).down);
    assert_true(state_of(stage, id)->action[TR_BALANCE_TURN_HIP_PITCH] == 0);
}

/* What the static world is in the test before, a platform is here. */
TEST(a_character_that_touches_a_platform_is_down) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    tr_entity_id id, platform;
    tr_object_def def = {.name = "platform", .geom_count = 1, .mass = 100};
    const tr_object_state at = {.pos = {0, 0, -0.5}, .rot = {1, 0, 0, 0}};
    OWN(tr_stage) *stage = open_stage(model, controller, false, &id);
    tr_world *world = tr_stage_world(stage);
    def.geom[0] =
        (tr_geom){.kind = TR_GEOM_BOX, .size = {3, 3, 0.5}, .rot = {1, 0, 0, 0}, .friction = 1};
    assert_int_equal(tr_world_add_object(world, &def, &at, &platform), TR_OK);
    assert_int_equal(tr_world_set_kinematic(world, platform, true), TR_OK);
    run(stage, 6);
    assert_true(puppet_doing(stage, id).down);
}

TEST(a_state_past_its_hold_does_not_fit) {
    OWN(tr_controller) *controller = make(*given);
    tr_balance_state state = {.step = HOLD - 1};
    assert_true(tr_balance_kind.fits(controller->driver.content, &state));
    state.step = HOLD;
    assert_false(tr_balance_kind.fits(controller->driver.content, &state));
}

/* --- features --- */

TEST(every_feature_has_a_row) {
    for (int f = 0; f < TR_BALANCE_FEATURES; f++)
        assert_non_null(tr_balance_feature_row_of[f].name);
}

TEST(a_balance_has_its_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make_at_random(model);
    tr_balance *balance = tr_balance_of(controller);
    for (int f = 0; f < TR_BALANCE_FEATURES; f++)
        balance->rest[f] += 0.01 * (f % 5 - 2);
    balance->bound_rad = 0.3;
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 400,
                              .content = 0x7126e66361897e65ULL,
                              .motion = 0x606fd72e6d340df3ULL,
                              .refusals = 0xa5980d7a2a0d6daaULL});
}

TEST(bounds_of_a_balance_are_golden) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    tr_balance *balance = tr_balance_of(controller);
    const bits_subject subject = {controller, model};
    const bits_number numbers[] = {
        BITS_REAL(balance->bound_rad),
        BITS_REAL(balance->rest[TR_BALANCE_FEATURES - 1]),
        BITS_REAL(balance->offset[TR_BALANCE_ACTIONS - 1]),
        BITS_REAL(balance->gain[TR_BALANCE_ACTIONS - 1][TR_BALANCE_FEATURES - 1]),
        BITS_REAL(balance->stance.root_vel.x),
        BITS_INT(balance->hold, -2, TR_BALANCE_HOLD_MAX + 2),
        BITS_INT(balance->place.base, -3, 10),
        BITS_INT(balance->place.deck, -3, 10)};
    bits_check_bounds(numbers, sizeof numbers / sizeof *numbers, bits_accepts_controller, &subject,
                      0x4afed901e2aa0c38ULL);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
