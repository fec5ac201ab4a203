/* What holds on every support of a character that computes its torques. */
#include "cmocka_test.h"

#include "learn/balance/ball_walker.h"
#include "learn/balance/boarder.h"
#include "learn/balance/skater.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"
#include "unit/learn/balance/ride.h"

#include <string.h>

static tr_status make_stander(const tr_model *model, tr_controller **out, tr_error *error) {
    const tr_pose rest = tr_pose_rest(model);
    const tr_state stance = tr_state_at_rest(model, &rest);
    const tr_momentum_numbers numbers = DEFAULTS(tr_momentum_numbers, tr_momentum_number_table);
    return tr_torque_controller_create(model,
                                       &(tr_torque_def){.support = &tr_torque_ground,
                                                        .stance = &stance,
                                                        .gain_set = "b",
                                                        .step_s = tr_world_def_default().step_s,
                                                        .numbers = {&numbers}},
                                       out, error);
}

/* rig:    what a message says without one; NULL: it has none
 * image:  side of the mirror image
 * shift:  of the object, in a step that takes it away */
typedef struct support {
    const tr_method *method; /* NULL: make_stander */
    const tr_parameter_table *table;
    size_t offset;
    const char *rig;
    int image;
    tr_vec3 shift;
    bits_golden golden;
} support;

static const support supports[] = {
    {.table = &tr_momentum_number_table,
     .offset = offsetof(tr_torque, ground.numbers),
     .golden = {600, 400, 0x4183ae98c0877c52ULL, 0xce55125f046bb8bcULL, 0x74760b18aead328aULL}},
    {.method = &tr_skater_method,
     .table = &tr_skating_number_table,
     .offset = offsetof(tr_torque, skate.numbers),
     .rig = "no rig",
     .golden = {600, 400, 0x7335715d185d646dULL, 0xa5113788d78106b2ULL, 0xc5d45c13926113eaULL}},
    {.method = &tr_boarder_method,
     .table = &tr_boarding_number_table,
     .offset = offsetof(tr_torque, board.numbers),
     .rig = "no rig",
     .image = 1,
     .golden = {600, 400, 0xb33bd4f92440d1c5ULL, 0x3dcabcf227d95a27ULL, 0x74c323ee1ce39340ULL}},
    {.method = &tr_ball_walker_method,
     .table = &tr_rolling_number_table,
     .offset = offsetof(tr_torque, ball.numbers),
     .rig = "ball",
     .shift = {5, 0, 0},
     .golden = {600, 400, 0x7ea082154da117caULL, 0x3cf91ff686cc25bbULL, 0x4e9c2fdaf381c238ULL}},
};

enum { SUPPORTS = sizeof supports / sizeof *supports };

static tr_controller *make(const support *s, const tr_model *model) {
    tr_controller *controller = NULL;
    tr_error error = {0};
    if (s->method ? ride_make(s->method, model, NULL, &controller, &error)
                  : make_stander(model, &controller, &error))
        fail_msg("%s", error.message);
    return controller;
}

static double *number_of(const support *s, const tr_controller *controller, int row) {
    return tr_number_at(s->table, (char *)ride_content(controller) + s->offset, row);
}

/* --- content --- */

static void keep_numbers(const support *s, const tr_model *model) {
    const int count = (int)s->table->count;
    OWN(tr_controller) *controller = make(s, model), *copy = NULL;
    for (int i = 0; i < count; i++) {
        const tr_parameter *row = &s->table->row[i];
        *number_of(s, controller, i) = row->low + (row->high - row->low) * (i + 1) / (count + 1);
    }
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    *number_of(s, copy, 0) += 1e-9;
    assert_int_not_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
}

TEST(what_is_kept_is_loaded_again) {
    for (int i = 0; i < SUPPORTS; i++)
        keep_numbers(&supports[i], *given);
}

/* Spoils number i / 2, above or below its bounds, or something else. Returns what a message names;
 * NULL: there is no more. */
static const char *spoil(const support *s, tr_controller *controller, int i) {
    const int count = (int)s->table->count;
    const tr_parameter *row = &s->table->row[i / 2 % count];
    tr_torque *torque = ride_content(controller);
    if (i < 2 * count) {
        *number_of(s, controller, i / 2) = i % 2 ? row->high + 1 : row->low - 1;
        return row->name;
    }
    switch (i - 2 * count) {
    case 0:
        strcpy(torque->gain_set, "z");
        return "z";
    case 1:
        torque->hold = 0;
        return "hold of 0";
    case 2:
        torque->side = 2;
        return "side 2";
    case 3:
        assert_int_equal(tr_controller_set_rig(controller, NULL), TR_OK);
        return s->rig;
    default:
        return NULL;
    }
}

TEST(what_is_not_whole_is_named) {
    for (int k = 0; k < SUPPORTS; k++)
        for (int i = 0;; i++) {
            tr_controller *controller = make(&supports[k], *given);
            const char *named = spoil(&supports[k], controller, i);
            tr_error error = {0};
            if (named) {
                assert_int_equal(tr_controller_check(controller, *given, &error),
                                 TR_INVALID_ARGUMENT);
                assert_non_null(strstr(error.message, named));
            }
            tr_controller_destroy(controller);
            if (!named)
                break;
        }
}

TEST(a_state_past_its_hold_does_not_fit) {
    OWN(tr_controller) *controller = make(&supports[0], *given);
    tr_torque_state state = {.step = ride_content(controller)->hold - 1};
    assert_true(tr_torque_kind.fits(controller->driver.content, &state));
    state.step++;
    assert_false(tr_torque_kind.fits(controller->driver.content, &state));
}

/* --- driving --- */

/* A board tips over, a ball is gone. */
TEST(without_its_support_it_is_down) {
    for (int i = 1; i < SUPPORTS; i++) {
        OWN(tr_controller) *controller = make(&supports[i], *given);
        const ride r = ride_begin(*given, controller);
        ride_run(&r, 0.1);
        assert_false(puppet_doing(r.stage, r.id).down);
        tr_object_state object = ride_object(&r);
        object.rot = tr_quat_exp((tr_vec3){1.5, 0, 0});
        object.pos = tr_vec3_add(object.pos, supports[i].shift);
        assert_int_equal(tr_world_set_object(tr_stage_world(r.stage), r.object, &object), TR_OK);
        ride_run(&r, 0.1);
        assert_true(puppet_doing(r.stage, r.id).down);
        assert_string_equal(puppet_doing(r.stage, r.id).text, "fell off");
        ride_end(&r);
    }
}

static void push(const ride *r, const tr_model *model, double side) {
    const tr_push push = {
        .entity = r->id, .body = model->trunk, .force = {20, 30 * side, 0}, .steps = 20};
    assert_int_equal(tr_world_push(tr_stage_world(r->stage), &push), TR_OK);
}

/* On its other foot, or to its other side; on the ground it is pushed. */
TEST(a_mirror_image_does_the_mirror_image) {
    const tr_model *model = *given;
    for (int i = 0; i < SUPPORTS - 1; i++) {
        OWN(tr_controller) *controller = make(&supports[i], model), *image = NULL;
        assert_int_equal(tr_controller_mirror(controller, model, &image), TR_OK);
        assert_int_equal(ride_content(image)->side, supports[i].image);
        const ride r = ride_begin(model, controller), other = ride_begin(model, image);
        if (!supports[i].rig) {
            push(&r, model, 1);
            push(&other, model, -1);
        }
        ride_run(&r, supports[i].rig ? 1.5 : 0.3);
        ride_run(&other, supports[i].rig ? 1.5 : 0.3);
        const tr_state state = ride_state(&r), reflected = ride_state(&other);
        const tr_state expected = tr_state_mirror(model, &state);
        assert_true(puppet_distance(model, &expected, &reflected) < 0.05);
        assert_true(puppet_distance(model, &state, &reflected) > 0.1);
        ride_end(&r);
        ride_end(&other);
    }
}

TEST(without_gravity_it_holds_its_stance) {
    for (int i = 0; i < SUPPORTS; i++) {
        OWN(tr_controller) *controller = make(&supports[i], *given);
        const ride r = ride_begin_in(*given, controller, (tr_vec3){0, 0, 0});
        ride_run(&r, 0.5);
        tr_state state = ride_state(&r);
        state.pose.root_pos = controller->spawn.pose.root_pos;
        assert_true(puppet_distance(*given, &state, &controller->spawn) < 0.05);
        ride_end(&r);
    }
}

TEST(each_has_its_golden_bits) {
    for (int i = 0; i < SUPPORTS; i++) {
        OWN(tr_controller) *controller = make(&supports[i], *given);
        bits_check(controller, *given, &supports[i].golden);
    }
}

SUITE_FIXTURE(puppet_load, puppet_unload);
