/* controllers/control/treading/treading.h: a balance that steps in place. */
#include "cmocka_test.h"

#include "control/stage/stage.h"
#include "control/treading/treading.h"
#include "model/mjcf.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <string.h>

enum { HOLD = 2, PERIOD = 40, GROWN = 2 * PERIOD };

static const double BEND = 0.4, SHARE = 0.6;

static tr_treading_steps steps_of(void) {
    tr_treading_steps steps = {.period = PERIOD, .share = SHARE, .bend_rad = BEND};
    steps.swing[TR_TREADING_ROLL] = 0.05;
    steps.sway[0][0] = 0.03;
    steps.sway[2][1] = 0.02;
    return steps;
}

static tr_controller *make(const tr_model *model) {
    tr_controller *controller = puppet_balance(model, HOLD, true);
    const tr_treading_steps steps = steps_of();
    tr_error error = {0};
    if (tr_treading_add(controller, &steps, &error) ||
        tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    return controller;
}

/* --- steps --- */

static void feet_are_lifted_in_turn(void **fixture) {
    const tr_treading_steps steps = steps_of();
    (void)fixture;
    for (int i = GROWN; i < GROWN + PERIOD; i++) {
        const tr_treading_moment moment = tr_treading_moment_of(&steps, i);
        const int side = (i - GROWN) / (PERIOD / 2);
        const double t = (double)(i % (PERIOD / 2)) / (PERIOD / 2);
        assert_true(moment.lift[1 - side] == 0);
        assert_true((moment.lift[side] > 0) == (fabs(t - 0.5) < SHARE / 2));
    }
    assert_true(fabs(tr_treading_moment_of(&steps, GROWN + PERIOD / 4).lift[0] - 1) < 1e-12);
    assert_true(fabs(tr_treading_moment_of(&steps, GROWN + 3 * PERIOD / 4).lift[1] - 1) < 1e-12);
}

static void steps_and_sway_grow_from_zero(void **fixture) {
    const tr_treading_steps steps = steps_of();
    (void)fixture;
    const tr_treading_moment first = tr_treading_moment_of(&steps, PERIOD / 4);
    const tr_treading_moment later = tr_treading_moment_of(&steps, GROWN + PERIOD / 4);
    assert_true(fabs(first.lift[0] - later.lift[0] / 8) < 1e-12);
    assert_true(fabs(first.sway[0] - later.sway[0] / 8) < 1e-12);
    assert_true(fabs(later.sway[0] - 0.03) < 1e-12);
    assert_true(tr_treading_moment_of(&steps, 0).sway[2] == 0);
}

static void the_mirror_image_begins_with_the_other_foot(void **fixture) {
    tr_treading_steps steps = steps_of(), image = steps;
    (void)fixture;
    image.right_first = true;
    for (int i = 0; i < GROWN + PERIOD; i += 3) {
        const tr_treading_moment a = tr_treading_moment_of(&steps, i);
        const tr_treading_moment b = tr_treading_moment_of(&image, i);
        assert_true(a.lift[0] == b.lift[1] && a.lift[1] == b.lift[0]);
        for (int s = 0; s < TR_TREADING_SWAYS; s++)
            assert_true(fabs(a.sway[s] + b.sway[s]) < 1e-12);
    }
}

/* --- content --- */

static void what_is_not_whole_is_named(void **fixture) {
    const tr_model *model = *fixture;
    static const char *const named[] = {"cycle", "share 0", "bend", "swing", "not finite", "bound"};
    for (int what = 0; what < 6; what++) {
        tr_controller *controller = make(model);
        tr_treading_steps *steps = &tr_treading_of(controller)->steps;
        tr_error error = {0};
        if (what == 0)
            steps->period = 1;
        else if (what == 1)
            steps->share = 0;
        else if (what == 2)
            steps->bend_rad = (double)NAN;
        else if (what == 3)
            steps->sway[3][1] = 3;
        else if (what == 4)
            steps->place[1][2] = (double)INFINITY;
        else
            tr_balance_of(controller)->bound_rad = 9;
        assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[what]));
        tr_controller_destroy(controller);
    }
}

static void only_a_balance_treads(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *sways = puppet_sway(model, 2, 10, 1);
    tr_treading_steps steps = steps_of();
    tr_error error = {0};
    assert_int_equal(tr_treading_add(sways, &steps, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "chain"));
    assert_null(tr_treading_of(sways));
    tr_controller_destroy(sways);
}

/* --- driving --- */

/* Without ground nothing falls. The angles of two joints after so many looks. */
static void angles_after(const tr_model *model, const tr_controller *controller, int looks,
                         const int joint[2], double out[2]) {
    tr_world_def world = tr_world_def_default();
    const tr_spawn_def spawn = {.model = model, .controller = controller};
    tr_stage *stage = NULL;
    tr_entity_id id;
    tr_state state;
    world.ground = false;
    assert_int_equal(tr_stage_create(&world, &stage), TR_OK);
    assert_int_equal(tr_stage_spawn(stage, &spawn, &id), TR_OK);
    for (int i = 0; i < looks * HOLD; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
    assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &state), TR_OK);
    for (int side = 0; side < 2; side++)
        out[side] = tr_vec3_length(tr_quat_log(state.pose.joint[joint[side]]));
    tr_stage_destroy(stage);
}

static void the_knee_of_the_lifted_leg_bends(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model), *still = puppet_balance(model, HOLD, true);
    const int *shank = tr_balance_of(controller)->body.shank;
    double bend[2], rest[2];
    for (int side = 0; side < 2; side++) {
        const int looks = GROWN + PERIOD / 4 + side * PERIOD / 2;
        angles_after(model, controller, looks, shank, bend);
        angles_after(model, still, looks, shank, rest);
        assert_true(bend[side] - rest[side] > BEND / 4); /* the servos lag */
        assert_true(fabs(bend[1 - side] - rest[1 - side]) < BEND / 16);
    }
    tr_controller_destroy(still);
    tr_controller_destroy(controller);
}

/* Of a policy that rests with its feet 2 m further on. */
static void a_place_turns_the_hip_of_the_lifted_leg(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model);
    const int *thigh = tr_balance_of(controller)->body.thigh;
    double before[2], after[2];
    tr_balance_of(controller)->rest[TR_BALANCE_FEET_X] = 2;
    for (int side = 0; side < 2; side++) {
        const int looks = GROWN + PERIOD / 4 + side * PERIOD / 2;
        tr_treading_of(controller)->steps.place[TR_TREADING_PITCH][TR_BALANCE_FEET_X] = 0;
        angles_after(model, controller, looks, thigh, before);
        tr_treading_of(controller)->steps.place[TR_TREADING_PITCH][TR_BALANCE_FEET_X] = 0.2;
        angles_after(model, controller, looks, thigh, after);
        assert_true(fabs(after[side] - before[side]) > 0.05);
        assert_true(fabs(after[1 - side] - before[1 - side]) <
                    0.5 * fabs(after[side] - before[side]));
    }
    tr_controller_destroy(controller);
}

static void the_other_leg_stretches(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model);
    const int *shank = tr_balance_of(controller)->body.shank;
    double before[2], after[2];
    angles_after(model, controller, GROWN + PERIOD / 4, shank, before);
    tr_treading_of(controller)->steps.swing[TR_TREADING_STRETCH] = 0.2;
    angles_after(model, controller, GROWN + PERIOD / 4, shank, after);
    assert_true(fabs(after[1] - before[1]) > 0.05);
    tr_controller_destroy(controller);
}

static void a_copy_has_all_numbers(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model), *copy = NULL;
    const uint64_t before = tr_controller_hash(controller, model);
    tr_treading_of(controller)->steps.place[TR_TREADING_PITCH][TR_BALANCE_FEET_X] = 0.2;
    tr_treading_of(controller)->steps.swing[TR_TREADING_STRETCH] = 0.2;
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_true(tr_controller_hash(copy, model) == tr_controller_hash(controller, model));
    assert_true(tr_controller_hash(copy, model) != before);
    tr_controller_destroy(copy);
    tr_controller_destroy(controller);
}

static void a_treading_has_its_golden_bits(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model);
    tr_treading_of(controller)->steps.place[TR_TREADING_ROLL][TR_BALANCE_COM_VEL_Y] = 0.3;
    bits_check(controller, model,
               &(bits_golden){.steps = 300,
                              .probes = 200,
                              .content = 0x869716907e03b409ULL,
                              .motion = 0xdc511ed738658c9fULL,
                              .refusals = 0xad38ea545e36431dULL});
    tr_controller_destroy(controller);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_are_lifted_in_turn),
        cmocka_unit_test(steps_and_sway_grow_from_zero),
        cmocka_unit_test(the_mirror_image_begins_with_the_other_foot),
        cmocka_unit_test(what_is_not_whole_is_named),
        cmocka_unit_test(only_a_balance_treads),
        cmocka_unit_test(the_knee_of_the_lifted_leg_bends),
        cmocka_unit_test(a_place_turns_the_hip_of_the_lifted_leg),
        cmocka_unit_test(the_other_leg_stretches),
        cmocka_unit_test(a_copy_has_all_numbers),
        cmocka_unit_test(a_treading_has_its_golden_bits),
    };
    return cmocka_run_group_tests(tests, puppet_load, puppet_unload);
}
