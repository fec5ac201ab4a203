#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "learn/balance/boarder.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <string.h>

enum { BOARD, STEPS_A_SECOND = 200 };

static tr_torque *content_of(const tr_controller *controller) {
    return controller->driver.content;
}

static tr_controller *make(const tr_model *model, const tr_boarder_settings *settings) {
    const tr_boarder_settings defaults = tr_boarder_settings_default();
    tr_controller *controller = NULL;
    tr_error error = {0};
    if (tr_boarder_create(model, settings ? settings : &defaults, &controller, &error))
        fail_msg("%s", error.message);
    return controller;
}

/* A character that rides, and its board. */
typedef struct ride {
    tr_stage *stage;
    tr_entity_id id, board;
} ride;

static ride begin(const tr_model *model, const tr_controller *controller) {
    ride r = {0};
    const tr_world_def world = tr_world_def_default();
    const tr_spawn_def spawn = {.model = model, .controller = controller};
    assert_int_equal(tr_stage_create(&world, &r.stage), TR_OK);
    assert_int_equal(tr_stage_spawn(r.stage, &spawn, &r.id), TR_OK);
    assert_true(tr_world_objects(tr_stage_world(r.stage), &r.board, 1) > 0);
    return r;
}

static void run(const ride *r, double seconds) {
    for (int i = 0; i < seconds * STEPS_A_SECOND; i++)
        assert_int_equal(tr_stage_step(r->stage), TR_OK);
}

static double speed_of(const ride *r) {
    tr_object_state board;
    assert_int_equal(tr_world_get_object(tr_stage_world(r->stage), r->board, &board), TR_OK);
    return tr_vec3_length(board.vel);
}

static tr_state state_of(const ride *r) {
    tr_state state;
    assert_int_equal(tr_world_get_state(tr_stage_world(r->stage), r->id, &state), TR_OK);
    return state;
}

/* --- content --- */

static void what_is_kept_is_loaded_again(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model, NULL), *copy = NULL;
    for (int i = 0; i < TR_BOARDING_NUMBERS; i++) {
        const tr_parameter *row = &tr_boarding_number_table.row[i];
        *tr_number_at(&tr_boarding_number_table, &content_of(controller)->board.numbers, i) =
            row->low + (row->high - row->low) * (i + 1) / (TR_BOARDING_NUMBERS + 1);
    }
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    content_of(copy)->board.numbers.strength_nm += 1e-9;
    assert_int_not_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    tr_controller_destroy(copy);
    tr_controller_destroy(controller);
}

/* Every number, above and below its bounds; and the rest. */
static void what_is_not_whole_is_named(void **fixture) {
    const tr_model *model = *fixture;
    for (int i = 0; i < 2 * TR_BOARDING_NUMBERS + 4; i++) {
        const tr_parameter *row = &tr_boarding_number_table.row[i / 2 % TR_BOARDING_NUMBERS];
        tr_controller *controller = make(model, NULL);
        tr_torque *torque = content_of(controller);
        const int beyond = i - 2 * TR_BOARDING_NUMBERS;
        const char *named = row->name;
        tr_error error = {0};
        if (beyond < 0)
            *tr_number_at(&tr_boarding_number_table, &torque->board.numbers, i / 2) =
                i % 2 ? row->high + 1 : row->low - 1;
        else if (beyond == 0)
            strcpy(torque->gain_set, named = "z");
        else if (beyond == 1)
            torque->hold = 0, named = "hold of 0";
        else if (beyond == 2)
            torque->side = 2, named = "side 2";
        else {
            assert_int_equal(tr_controller_set_rig(controller, NULL), TR_OK);
            named = "no rig";
        }
        assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named));
        tr_controller_destroy(controller);
    }
}

static void a_stance_out_of_reach_is_refused(void **fixture) {
    tr_boarder_settings settings = tr_boarder_settings_default();
    tr_controller *controller = NULL;
    tr_error error = {0};
    settings.front_m = 1;
    settings.rear_m = -1;
    assert_int_equal(tr_boarder_create(*fixture, &settings, &controller, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "miss their places"));
}

/* 2.4 kg, four wheels of 0.1 kg and half as much for their turning; drag of 0.001 N m s/rad; axles at
 * 0.7 of its half length. */
static void the_board_is_weighed(void **fixture) {
    tr_controller *controller = make(*fixture, NULL);
    const tr_ride_board *board = &content_of(controller)->board.board;
    assert_near(board->kg, 3, 1e-12);
    assert_near(board->drag_kgps, 4 * 0.001 / (0.028 * 0.028), 1e-9);
    assert_near(board->rear_m, -0.28, 1e-9);
    assert_near(board->front_m, 0.28, 1e-9);
    assert_near(board->nose_nm, 9.81 * (2.4 * 0.28 + 0.2 * 0.56), 1e-6);
    tr_controller_destroy(controller);
}

/* The centroid is where the numbers have it, and above the middle of the board's width. */
static void the_stance_is_over_the_board(void **fixture) {
    tr_controller *controller = make(*fixture, NULL);
    const tr_torque *torque = content_of(controller);
    assert_near(torque->at_rest.centroid.x, torque->board.numbers.ride_m, 2e-3);
    assert_near(torque->at_rest.centroid.y, 0, 2e-3);
    tr_controller_destroy(controller);
}

/* --- riding --- */

static double heading_of(const ride *r) {
    tr_object_state board;
    assert_int_equal(tr_world_get_object(tr_stage_world(r->stage), r->board, &board), TR_OK);
    return tr_quat_heading(board.rot);
}

/* The nose is lifted on the way. */
static void kicks_turn_the_board_to_its_heading(void **fixture) {
    const tr_model *model = *fixture;
    for (int side = -1; side <= 1; side += 2) {
        const tr_steering_target target = {.aim = TR_AIM_HEADING, .heading_rad = 0.8 * side};
        tr_controller *controller = make(model, NULL);
        ride r = begin(model, controller);
        int kicked = 0;
        assert_int_equal(tr_stage_steer(r.stage, r.id, &target), TR_OK);
        for (int i = 0; i < 80; i++) {
            run(&r, 0.1);
            kicked += strcmp(puppet_doing(r.stage, r.id).text, "turns the board") == 0;
        }
        assert_true(kicked > 3);
        assert_false(puppet_doing(r.stage, r.id).down);
        assert_near(heading_of(&r), target.heading_rad, 0.15);
        assert_true(tr_driver_follows(controller->driver, &target));
        tr_stage_destroy(r.stage);
        tr_controller_destroy(controller);
    }
}

static void without_a_target_it_rolls_straight(void **fixture) {
    const tr_model *model = *fixture;
    const tr_steering_target fast = {.speed_mps = 1};
    tr_controller *controller = make(model, NULL);
    ride r = begin(model, controller);
    run(&r, 2);
    assert_string_equal(puppet_doing(r.stage, r.id).text, "rolls");
    assert_near(heading_of(&r), 0, 0.05);
    assert_true(speed_of(&r) > 0.8);
    assert_false(tr_driver_follows(controller->driver, &fast));
    tr_stage_destroy(r.stage);
    tr_controller_destroy(controller);
}

static void a_tipped_board_ends_the_ride(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model, NULL);
    ride r = begin(model, controller);
    tr_object_state board;
    run(&r, 0.1);
    assert_false(puppet_doing(r.stage, r.id).down);
    assert_int_equal(tr_world_get_object(tr_stage_world(r.stage), r.board, &board), TR_OK);
    board.rot = tr_quat_exp((tr_vec3){0, 1.5, 0});
    assert_int_equal(tr_world_set_object(tr_stage_world(r.stage), r.board, &board), TR_OK);
    run(&r, 0.1);
    assert_true(puppet_doing(r.stage, r.id).down);
    assert_string_equal(puppet_doing(r.stage, r.id).text, "fell off");
    tr_stage_destroy(r.stage);
    tr_controller_destroy(controller);
}

/* It rolls to the right, with the right foot in front. */
static void a_mirror_image_does_the_mirror_image(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model, NULL), *image = NULL;
    assert_int_equal(tr_controller_mirror(controller, model, &image), TR_OK);
    assert_int_equal(content_of(image)->side, 1);
    ride r = begin(model, controller), other = begin(model, image);
    run(&r, 1.5);
    run(&other, 1.5);
    const tr_state state = state_of(&r), reflected = state_of(&other);
    const tr_state expected = tr_state_mirror(model, &state);
    assert_true(puppet_distance(model, &expected, &reflected) < 0.05);
    assert_true(puppet_distance(model, &state, &reflected) > 0.1);
    tr_stage_destroy(r.stage);
    tr_stage_destroy(other.stage);
    tr_controller_destroy(controller);
    tr_controller_destroy(image);
}

static void without_gravity_it_holds_its_stance(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model, NULL);
    tr_world_def def = tr_world_def_default();
    def.gravity = (tr_vec3){0, 0, 0};
    const tr_spawn_def spawn = {.model = model, .controller = controller};
    ride r = {0};
    assert_int_equal(tr_stage_create(&def, &r.stage), TR_OK);
    assert_int_equal(tr_stage_spawn(r.stage, &spawn, &r.id), TR_OK);
    run(&r, 0.5);
    tr_state state = state_of(&r);
    state.pose.root_pos = controller->spawn.pose.root_pos;
    assert_true(puppet_distance(model, &state, &controller->spawn) < 0.05);
    tr_stage_destroy(r.stage);
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

static void a_boarder_has_its_golden_bits(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = make(model, NULL);
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 400,
                              .content = 0xb33bd4f92440d1c5ULL,
                              .motion = 0x3dcabcf227d95a27ULL,
                              .refusals = 0x74c323ee1ce39340ULL});
    tr_controller_destroy(controller);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_loaded_again),
        cmocka_unit_test(what_is_not_whole_is_named),
        cmocka_unit_test(a_stance_out_of_reach_is_refused),
        cmocka_unit_test(the_board_is_weighed),
        cmocka_unit_test(the_stance_is_over_the_board),
        cmocka_unit_test(kicks_turn_the_board_to_its_heading),
        cmocka_unit_test(without_a_target_it_rolls_straight),
        cmocka_unit_test(a_tipped_board_ends_the_ride),
        cmocka_unit_test(a_mirror_image_does_the_mirror_image),
        cmocka_unit_test(without_gravity_it_holds_its_stance),
        cmocka_unit_test(a_state_past_its_hold_does_not_fit),
        cmocka_unit_test(a_boarder_has_its_golden_bits),
    };
    return cmocka_run_group_tests(tests, puppet_load, puppet_unload);
}
