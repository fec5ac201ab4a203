#include "cmocka_test.h"

#include "control/gait/gait_driver.h"
#include "control/gait/gait_step.h"
#include "control/parts/gait_body.h"
#include "control/stage/stage.h"
#include "math/hash.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The published walk over forces of 100 N to either side; its trunk leans with the force. */
static tr_controller *make(const tr_model *model, bool has_speeds) {
    tr_gait_curve force = {0}, speed = {0};
    tr_gait *gait = NULL;
    tr_controller *controller = NULL;
    tr_error error = {0};
    assert_int_equal(tr_gait_curve_init(&force, -100, 100, 5), TR_OK);
    assert_int_equal(tr_gait_curve_init(&speed, 0.3, 0.5, 2), TR_OK);
    for (int row = 0; row < force.count; row++) {
        tr_gait_parameters_published(force.row[row]);
        force.row[row][TR_GAIT_BEND] -= 0.0005 * tr_gait_curve_task(&force, row);
    }
    const tr_gait_def def = {&force, has_speeds ? &speed : NULL, 0.4, NULL, 0};
    if (tr_gait_create(model, &def, &gait, &error))
        fail_msg("%s", error.message);
    tr_gait_curve_deinit(&force);
    tr_gait_curve_deinit(&speed);
    assert_int_equal(tr_gait_controller_create(model, 0.005, gait, &controller), TR_OK);
    strcpy(controller->name, "gait");
    strcpy(controller->skill, "walk");
    controller->spawn.root_vel.x = 0.5;
    if (tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    return controller;
}

static tr_stage *open_stage(const tr_model *model, const tr_controller *controller,
                            tr_entity_id *out_id) {
    tr_stage *stage = NULL;
    tr_world_def world = tr_world_def_default();
    const tr_spawn_def spawn = {.model = model, .controller = controller};
    tr_physics_init();
    assert_int_equal(tr_stage_create(&world, &stage), TR_OK);
    assert_int_equal(tr_stage_spawn(stage, &spawn, out_id), TR_OK);
    return stage;
}

static void run(tr_stage *stage, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
}

static double heading_of(tr_stage *stage, tr_entity_id id) {
    tr_state at;
    assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &at), TR_OK);
    return tr_quat_heading(at.pose.root_rot);
}

TEST(a_gait_walks_on_a_stage_and_turns_to_its_target) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model, false);
    tr_entity_id id = 0;
    OWN(tr_stage) *stage = open_stage(model, controller, &id);
    const tr_steering_target target = {.aim = TR_AIM_HEADING, .heading_rad = 0.8};
    assert_int_equal(tr_stage_set_target(stage, id, &target), TR_OK);
    run(stage, 1200);
    assert_false(tr_stage_performer(stage, id)->fallen);
    assert_true(fabs(heading_of(stage, id) - 0.8) < 0.3);
    assert_true(puppet_doing(stage, id).entries_done > 10);
}

/* Steps would throw a lying character about: the published walk does so at 5 m/s. */
TEST(a_gait_that_lies_is_limp) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model, false);
    tr_entity_id id = 0;
    controller->spawn.pose.root_rot = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, -1.5);
    controller->spawn.pose.root_pos.z = 0.2;
    controller->spawn.root_vel.x = 0;
    OWN(tr_stage) *stage = open_stage(model, controller, &id);
    run(stage, 200);
    double fastest = 0;
    for (int i = 0; i < 200; i++) {
        tr_state at;
        run(stage, 1);
        assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &at), TR_OK);
        for (int b = 1; b < model->body_count; b++)
            fastest = fmax(fastest, tr_vec3_length(at.joint_rate[b]));
    }
    assert_true(fastest < 1);
    assert_int_equal(puppet_doing(stage, id).entries_done, 0);
}

TEST(the_felt_force_is_part_of_the_state) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model, false);
    tr_entity_id id = 0;
    OWN(tr_stage) *stage = open_stage(model, controller, &id);
    const tr_push push = {.entity = id, .body = model->trunk, .force = {-30, 0, 0}, .steps = 100};
    run(stage, 100);
    assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
    run(stage, 60);
    const tr_gait_state *state = (const void *)tr_stage_performer(stage, id)->runner.state;
    assert_true(fabs(state->felt_n[0] + 30) < 1);
    assert_true(fabs(state->felt_n[1]) < 3);
    const tr_doing doing = puppet_doing(stage, id);
    const tr_driver_shown *felt = tr_doing_find(&doing, "felt_force");
    const tr_driver_shown *learned = tr_doing_find(&doing, "learned_force");
    assert_true(felt && felt->count == 2 && felt->value[0] == state->felt_n[0]);
    assert_true(felt->value[1] == state->felt_n[1]);
    assert_true(learned && learned->value[0] == -100 && learned->value[1] == 100);
}

/* The left leg stands in keyframes 0 and 1, the right in 2 and 3, which are entries 0 and 1
 * mirrored. */
TEST(the_half_of_a_step_is_its_entry_and_side) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model, false);
    tr_entity_id id = 0;
    OWN(tr_stage) *stage = open_stage(model, controller, &id);
    int seen = 0;
    for (int i = 0; i < 600; i++) {
        tr_runner *runner = (tr_runner *)(uintptr_t)&tr_stage_performer(stage, id)->runner;
        const tr_gait_state *state = (const void *)runner->state;
        const int keyframe = state->keyframe;
        tr_drive drive;
        assert_int_equal(tr_runner_advance(runner, tr_stage_world(stage), id, &drive), TR_OK);
        assert_int_equal(tr_world_step(tr_stage_world(stage)), TR_OK);
        assert_int_equal(drive.entry, keyframe % 2);
        assert_int_equal(drive.mirrored, keyframe / 2);
        seen |= 1 << keyframe;
    }
    assert_int_equal(seen, 15);
}

/* --- content --- */

/* The hash is how snapshots and recordings find a controller. */
TEST(every_part_of_a_start_state_counts_in_the_hash) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model, false);
    const uint64_t hash = tr_controller_hash(controller, model);
    for (int at = 0; at <= TR_GAIT_KEYFRAMES; at++) {
        tr_state *state =
            at < TR_GAIT_KEYFRAMES ? &tr_gait_of(controller)->start[at] : &controller->spawn;
        const tr_state before = *state;
        const int last = model->body_count - 1;
        double *const part[] = {&state->pose.root_pos.y,    &state->pose.root_rot.x,
                                &state->pose.joint[last].z, &state->root_vel.z,
                                &state->root_omega.x,       &state->joint_rate[last].y};
        for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
            *part[i] += 0.01;
            assert_true(tr_controller_hash(controller, model) != hash);
            *state = before;
        }
    }
    assert_true(tr_controller_hash(controller, model) == hash);
}

TEST(parameters_out_of_bounds_are_refused) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model, false);
    tr_error error = {0};
    tr_gait_of(controller)->force.row[1][TR_GAIT_COMPENSATION] = 7;
    assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "compensation"));
    tr_gait_of(controller)->force.row[1][TR_GAIT_COMPENSATION] = 1;
    tr_gait_of(controller)->start[1].root_vel.x = (double)NAN;
    assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "keyframe 1"));
}

TEST(the_speed_can_be_set_where_it_was_learned) {
    const tr_model *model = *given;
    for (int has_speeds = 0; has_speeds < 2; has_speeds++) {
        OWN(tr_controller) *controller = make(model, has_speeds);
        tr_entity_id id = 0;
        OWN(tr_stage) *stage = open_stage(model, controller, &id);
        const double speed_mps = 0.5, stiffness = 1.2;
        const tr_steering_target target = {.speed_mps = 0.45};
        assert_int_equal(tr_stage_set_parameter(stage, id, "stiffness", &stiffness, 1, NULL),
                         TR_OK);
        assert_int_equal(tr_stage_set_parameter(stage, id, "speed", &speed_mps, 1, NULL),
                         has_speeds ? TR_OK : TR_NOT_FOUND);
        assert_int_equal(tr_stage_set_target(stage, id, &target),
                         has_speeds ? TR_OK : TR_FAILED_PRECONDITION);
    }
}

static double bend_at(const tr_gait *gait, double front_n, double left_n) {
    const double force_n[2] = {front_n, left_n};
    double value[TR_GAIT_SIZE];
    tr_gait_parameters_at(gait, force_n, 0.5, value);
    return value[TR_GAIT_BEND];
}

TEST(a_pushed_gait_walks_at_its_own_speed) {
    OWN(tr_controller) *controller = make(*given, true);
    tr_gait *gait = tr_gait_of(controller);
    const double own = bend_at(gait, 0, 0), lean_per_n = 0.0005;
    gait->speed.row[1][TR_GAIT_BEND] = 0.1;
    assert_true(fabs(bend_at(gait, 0, 0) - (own + 0.1)) < 1e-9);
    assert_true(fabs(bend_at(gait, 0, -5) - (own + 0.05)) < 1e-9);
    assert_true(fabs(bend_at(gait, 5, 0) - (own + 0.05 - 5 * lean_per_n)) < 1e-9);
    assert_true(fabs(bend_at(gait, -4, 6) - (own + 4 * lean_per_n)) < 1e-9);
    assert_true(fabs(bend_at(gait, 50, 0) - (own - 50 * lean_per_n)) < 1e-9);
}

TEST(a_gait_has_its_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model, true);
    tr_gait *gait = tr_gait_of(controller);
    gait->felt_lag_s = 0.05;
    for (int r = 0; r < gait->speed.count; r++)
        for (int i = 0; i < TR_GAIT_SIZE; i++)
            gait->speed.row[r][i] = 0.002 * (i % 7 - 3) * (r + 1);
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 400,
                              .content = 0x50776673bd846b20ULL,
                              .motion = 0xa06b692d985de202ULL,
                              .refusals = 0x0ea78c237e99499dULL});
}

TEST(bounds_of_a_gait_are_golden) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model, true);
    tr_gait *gait = tr_gait_of(controller);
    double *row = gait->force.row[2];
    const bits_subject subject = {controller, model};
    const bits_number numbers[] = {BITS_REAL(gait->own_mps),
                                   BITS_REAL(gait->felt_lag_s),
                                   BITS_REAL(gait->speed.low),
                                   BITS_REAL(gait->speed.high),
                                   BITS_REAL(gait->speed.row[1][TR_GAIT_SIZE - 1]),
                                   BITS_REAL(gait->force.low),
                                   BITS_REAL(gait->force.high),
                                   BITS_REAL(gait->start[1].root_vel.x),
                                   BITS_REAL(row[TR_GAIT_SWING_HIP]),
                                   BITS_REAL(row[TR_GAIT_SWING_KNEE]),
                                   BITS_REAL(row[TR_GAIT_STANCE_KNEE]),
                                   BITS_REAL(row[TR_GAIT_HIP_POS]),
                                   BITS_REAL(row[TR_GAIT_DURATION]),
                                   BITS_REAL(row[TR_GAIT_COMPENSATION]),
                                   BITS_REAL(row[TR_GAIT_LEAN_VEL]),
                                   BITS_REAL(row[TR_GAIT_ELBOW]),
                                   BITS_REAL(row[TR_GAIT_KEY_SIZE + TR_GAIT_BEND])};
    bits_check_bounds(numbers, sizeof numbers / sizeof *numbers, bits_accepts_controller, &subject,
                      0x772d0ac7947f5325ULL);
}

/* Names and bounds of all parameters, by which stored gaits are read and searched for. */
TEST(parameters_of_gaits_are_golden) {
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < TR_GAIT_SIZE; i++) {
        const tr_gait_parameter *row = tr_gait_parameter_row(i);
        const double numbers[] = {row->low, row->high, row->scale, tr_gait_parameter_keyframe(i)};
        char name[TR_GAIT_NAME_SIZE];
        tr_gait_parameter_name(i, name);
        hash = tr_hash_add(hash, name, strlen(name));
        hash = tr_hash_add(hash, row->unit, strlen(row->unit));
        hash = tr_hash_add(hash, numbers, sizeof numbers);
    }
    if (hash != 0x328345a2bcdabf0dULL)
        fail_msg("bounds 0x%016llx", (unsigned long long)hash);
}

/* Refused, and the words say what is missing. */
static void expect_no_body(const tr_model *model, const char *words) {
    tr_gait_body body;
    tr_error error = {0};
    assert_int_equal(tr_gait_body_find(model, &body, &error), TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, words));
}

TEST(a_body_needs_its_legs_its_arms_and_a_waist) {
    tr_model *model = *given;
    const tr_model whole = *model;
    tr_gait_body body;
    assert_int_equal(tr_gait_body_find(model, &body, NULL), TR_OK);
    assert_int_equal(body.waist_count, 2);
    for (int side = 0; side < 2; side++) {
        model->foot[side] = -1;
        expect_no_body(model, "two legs");
        model->foot[side] = body.thigh[side]; /* no shank above it */
        expect_no_body(model, "two legs");
        *model = whole;
        model->body[body.thigh[side]].joint = TR_JOINT_HINGE;
        expect_no_body(model, "ball joints");
        *model = whole;
        model->body[body.foot[side]].joint = TR_JOINT_HINGE;
        expect_no_body(model, "ball joints");
        const int leg[] = {body.thigh[side], body.shank[side], body.foot[side]};
        for (int i = 0; i < 3; i++) {
            *model = whole;
            model->body[leg[i]].rot = tr_quat_exp((tr_vec3){0, 0.1, 0});
            expect_no_body(model, "straight");
        }
        *model = whole;
        model->hand[side] = -1;
        expect_no_body(model, "two arms");
        *model = whole;
        model->body[body.forearm[side]].parent = 0;
        expect_no_body(model, "two arms");
        *model = whole;
        model->body[body.waist[side]].joint = TR_JOINT_HINGE;
        expect_no_body(model, "a waist");
        *model = whole;
        model->body[body.waist[side]].rot = tr_quat_exp((tr_vec3){0, 0.1, 0});
        expect_no_body(model, "a waist");
        *model = whole;
    }
    model->trunk = 0;
    expect_no_body(model, "a trunk");
    *model = whole;
}

TEST(the_longest_curve_is_kept) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model, false), *copy = NULL;
    tr_gait *gait = tr_gait_of(controller);
    tr_gait_curve long_curve = {0}, too_long = {0};
    assert_int_equal(tr_gait_curve_init(&too_long, -1, 1, TR_GAIT_ROW_MAX + 1),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_gait_curve_init(&too_long, 1, 1, 2), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_gait_curve_init(&too_long, 1, 2, 1), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_gait_curve_init(&long_curve, -100, 100, TR_GAIT_ROW_MAX), TR_OK);
    for (int r = 0; r < long_curve.count; r++)
        tr_gait_parameters_published(long_curve.row[r]);
    tr_gait_curve_deinit(&gait->force);
    gait->force = long_curve;
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_OK);
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_gait_of(copy)->force.count, TR_GAIT_ROW_MAX);
    assert_true(tr_controller_hash(copy, model) == tr_controller_hash(controller, model));
}

SUITE_FIXTURE(puppet_load, puppet_unload);
