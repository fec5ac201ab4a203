#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "learn/balance/ball_walker.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <string.h>

enum { STEPS_A_SECOND = 200 };

static tr_torque *content_of(const tr_controller *controller) {
    return controller->driver.content;
}

static tr_controller *make(const tr_model *model, const tr_ball_walker_settings *settings) {
    const tr_ball_walker_settings defaults = tr_ball_walker_settings_default();
    tr_controller *controller = NULL;
    tr_error error = {0};
    if (tr_ball_walker_create(model, settings ? settings : &defaults, &controller, &error))
        fail_msg("%s", error.message);
    return controller;
}

/* A character on its ball. */
typedef struct walk {
    tr_stage *stage;
    tr_entity_id id, ball;
} walk;

static walk begin_in(const tr_model *model, const tr_controller *controller, tr_vec3 gravity) {
    walk w = {0};
    tr_world_def world = tr_world_def_default();
    world.gravity = gravity;
    const tr_spawn_def spawn = {.model = model, .controller = controller};
    assert_int_equal(tr_stage_create(&world, &w.stage), TR_OK);
    assert_int_equal(tr_stage_spawn(w.stage, &spawn, &w.id), TR_OK);
    assert_true(tr_world_objects(tr_stage_world(w.stage), &w.ball, 1) > 0);
    return w;
}

static walk begin(const tr_model *model, const tr_controller *controller) {
    return begin_in(model, controller, tr_world_def_default().gravity);
}

static void run(const walk *w, double seconds) {
    for (int i = 0; i < seconds * STEPS_A_SECOND; i++)
        assert_int_equal(tr_stage_step(w->stage), TR_OK);
}

static tr_state state_of(const walk *w) {
    tr_state state;
    assert_int_equal(tr_world_get_state(tr_stage_world(w->stage), w->id, &state), TR_OK);
    return state;
}

/* --- content --- */

static void what_is_kept_is_loaded_again(void **fixture) {
    const tr_model *model = *fixture;
    const tr_parameter_table *table = &tr_rolling_number_table;
    tr_controller *controller = make(model, NULL), *copy = NULL;
    for (int i = 0; i < (int)table->count; i++) {
        const tr_parameter *row = &table->row[i];
        *tr_number_at(table, &content_of(controller)->ball.numbers, i) =
            row->low + (row->high - row->low) * (i + 1) / ((int)table->count + 1);
    }
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    content_of(copy)->ball.numbers.strength_nm += 1e-9;
    assert_int_not_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    tr_controller_destroy(copy);
    tr_controller_destroy(controller);
}

/* Every number, above and below its bounds; and the rest. */
static void what_is_not_whole_is_named(void **fixture) {
    const tr_model *model = *fixture;
    const tr_parameter_table *table = &tr_rolling_number_table;
    for (int i = 0; i < 2 * (int)table->count + 3; i++) {
        const tr_parameter *row = &table->row[i / 2 % (int)table->count];
        tr_controller *controller = make(model, NULL);
        tr_torque *torque = content_of(controller);
        const int beyond = i - 2 * (int)table->count;
        const char *named = row->name;
        tr_error error = {0};
        if (beyond < 0)
            *tr_number_at(table, &torque->ball.numbers, i / 2) =
                i % 2 ? row->high + 1 : row->low - 1;
        else if (beyond == 0)
            strcpy(torque->gain_set, named = "z");
        else if (beyond == 1)
            torque->hold = 0, named = "hold of 0";
        else {
            assert_int_equal(tr_controller_set_rig(controller, NULL), TR_OK);
            named = "ball";
        }
        assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named));
        tr_controller_destroy(controller);
    }
}

/* --- walking --- */

static void it_steps_in_place(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model, NULL);
    walk w = begin(model, controller);
    int lifted[2] = {0};
    for (int i = 0; i < 100; i++) {
        run(&w, 0.1);
        const char *text = puppet_doing(w.stage, w.id).text;
        lifted[0] += strstr(text, "left") != NULL;
        lifted[1] += strstr(text, "right") != NULL;
    }
    assert_true(lifted[0] > 15 && lifted[1] > 15);
    assert_false(puppet_doing(w.stage, w.id).down);
    assert_near(state_of(&w).pose.root_pos.x, 0, 0.3);
    assert_near(state_of(&w).pose.root_pos.y, 0, 0.3);
    tr_stage_destroy(w.stage);
    tr_controller_destroy(controller);
}

static void it_rolls_ahead_and_turns(void **fixture) {
    const tr_model *model = *fixture;
    const tr_steering_target ahead = {.speed_mps = 0.1},
                             turn = {.aim = TR_AIM_HEADING, .heading_rad = -1},
                             fast = {.speed_mps = 2};
    tr_controller *controller = make(model, NULL);
    walk w = begin(model, controller), other = begin(model, controller);
    assert_int_equal(tr_stage_steer(w.stage, w.id, &ahead), TR_OK);
    assert_int_equal(tr_stage_steer(other.stage, other.id, &turn), TR_OK);
    run(&w, 10);
    run(&other, 10);
    assert_true(state_of(&w).pose.root_pos.x > 0.5);
    assert_near(tr_quat_heading(state_of(&other).pose.root_rot), -1, 0.2);
    assert_false(puppet_doing(w.stage, w.id).down);
    assert_false(puppet_doing(other.stage, other.id).down);
    assert_false(tr_driver_follows(controller->driver, &fast));
    tr_stage_destroy(w.stage);
    tr_stage_destroy(other.stage);
    tr_controller_destroy(controller);
}

static void a_ball_that_is_gone_ends_the_walk(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model, NULL);
    walk w = begin(model, controller);
    tr_object_state ball;
    run(&w, 0.1);
    assert_false(puppet_doing(w.stage, w.id).down);
    assert_int_equal(tr_world_get_object(tr_stage_world(w.stage), w.ball, &ball), TR_OK);
    ball.pos.x += 5;
    assert_int_equal(tr_world_set_object(tr_stage_world(w.stage), w.ball, &ball), TR_OK);
    run(&w, 0.1);
    assert_true(puppet_doing(w.stage, w.id).down);
    assert_string_equal(puppet_doing(w.stage, w.id).text, "fell off");
    tr_stage_destroy(w.stage);
    tr_controller_destroy(controller);
}

static void without_gravity_it_holds_its_stance(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model, NULL);
    walk w = begin_in(model, controller, (tr_vec3){0, 0, 0});
    run(&w, 0.5);
    tr_state state = state_of(&w);
    state.pose.root_pos = controller->spawn.pose.root_pos;
    assert_true(puppet_distance(model, &state, &controller->spawn) < 0.05);
    tr_stage_destroy(w.stage);
    tr_controller_destroy(controller);
}

static void a_state_past_its_hold_does_not_fit(void **fixture) {
    tr_controller *controller = make(*fixture, NULL);
    tr_torque_state state = {.step = content_of(controller)->hold - 1};
    assert_true(tr_torque_kind.fits(controller->driver.content, &state));
    state.step++;
    assert_false(tr_torque_kind.fits(controller->driver.content, &state));
    tr_controller_destroy(controller);
}

static void a_ball_walker_has_its_golden_bits(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model, NULL);
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 400,
                              .content = 0x7ea082154da117caULL,
                              .motion = 0x3cf91ff686cc25bbULL,
                              .refusals = 0x4e9c2fdaf381c238ULL});
    tr_controller_destroy(controller);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_loaded_again),
        cmocka_unit_test(what_is_not_whole_is_named),
        cmocka_unit_test(it_steps_in_place),
        cmocka_unit_test(it_rolls_ahead_and_turns),
        cmocka_unit_test(a_ball_that_is_gone_ends_the_walk),
        cmocka_unit_test(without_gravity_it_holds_its_stance),
        cmocka_unit_test(a_state_past_its_hold_does_not_fit),
        cmocka_unit_test(a_ball_walker_has_its_golden_bits),
    };
    return cmocka_run_group_tests(tests, puppet_load, puppet_unload);
}
