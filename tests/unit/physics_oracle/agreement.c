/* The articulated stepper against the reference: two implementations of the same equations, one in
 * reduced coordinates with Gauss-Seidel sweeps, the other in maximal ones with a direct solver,
 * must move a character alike. */
#include "cmocka_test.h"

#include "oracle/ode_reference.h"
#include "scenes/scenario.h"
#include "unit/physics/scenes.h"

#include <math.h>

enum { STEPPERS = 2 };
static const tr_stepper *const steppers[STEPPERS] = {NULL, &tr_stepper_ode_reference};
static const double degree = TR_PI / 180.0;

SUITE_OWN(tr_model, model);

BEFORE_ALL() {
    tr_physics_init();
    model = scene_humanoid();
}

static tr_scenario_run make_rig(const tr_scenario *scenario, const tr_model *of, int stepper,
                                double h) {
    tr_world_def def = tr_world_def_default();
    def.stepper = steppers[stepper];
    def.step_s = h;
    tr_scenario_run rig;
    assert_int_equal(tr_scenario_run_create(scenario, of, def, &rig), TR_OK);
    return rig;
}

static void run(tr_scenario_run *rig, double seconds) {
    int steps = (int)(seconds / tr_world_definition(rig->world)->step_s + 0.5);
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_scenario_run_step(rig), TR_OK);
}

static tr_state state_of(const tr_scenario_run *rig, int index) {
    tr_state state;
    assert_int_equal(tr_world_get_state(rig->world, rig->character[index], &state), TR_OK);
    return state;
}

static void assert_near_vec3(tr_vec3 a, tr_vec3 b, double tolerance) {
    if (!(tr_vec3_distance(a, b) <= tolerance))
        fail_msg("(%.6g %.6g %.6g) and (%.6g %.6g %.6g) are further apart than %g", a.x, a.y, a.z,
                 b.x, b.y, b.z, tolerance);
}

/* --- servos --- */

/* Root mean square of joint angle errors from 2 s to 10 s, rad. */
static double tracking_error(int stepper, double h) {
    static const tr_scenario wave = {"wave", TR_MOTION_WAVE, 1, 0.0, true, false, false};
    OWN_BY(tr_scenario_run_destroy) tr_scenario_run rig = make_rig(&wave, model, stepper, h);
    run(&rig, 2.0);
    double sum = 0.0;
    int steps = (int)(8.0 / h + 0.5);
    for (int i = 0; i < steps; i++) {
        assert_int_equal(tr_scenario_run_step(&rig), TR_OK);
        sum += tr_scenario_run_tracking_error2(&rig, 0);
    }
    assert_true(state_of(&rig, 0).pose.root_pos.z > 0.9);
    return sqrt(sum / steps);
}

TEST(test_wave_is_tracked_alike) {
    double reference = tracking_error(1, 0.005);
    assert_near(tracking_error(0, 0.005), reference, 0.05 * degree);
    assert_near(reference, 4.7 * degree, 0.3 * degree); /* of a lag of kd/kp = 0.1 s, at 1 Hz */
}

TEST(test_wave_is_tracked_alike_at_10_ms) {
    assert_near(tracking_error(0, 0.010), tracking_error(1, 0.010), 0.05 * degree);
}

TEST(test_servos_report_the_same_torques) {
    static const tr_scenario wave = {"wave", TR_MOTION_WAVE, 1, 0.0, true, false, false};
    tr_vec3 torque[STEPPERS][TR_BODY_MAX];
    double largest = 0.0;
    for (int k = 0; k < STEPPERS; k++) {
        OWN_BY(tr_scenario_run_destroy) tr_scenario_run rig = make_rig(&wave, model, k, 0.005);
        run(&rig, 1.3);
        const tr_vec3 *last = tr_world_servo_torques(rig.world, rig.character[0]);
        for (int i = 1; i < model->body_count; i++) {
            torque[k][i] = last[i];
            largest = fmax(largest, tr_vec3_length(last[i]));
        }
    }
    assert_true(largest > 10.0);
    for (int i = 1; i < model->body_count; i++)
        assert_near_vec3(torque[0][i], torque[1][i], 0.05 * largest);
}

/* --- falling --- */

/* When the root comes below half a metre, s. */
static double fall_time(const tr_scenario *scenario, int stepper) {
    const double h = 0.005;
    OWN_BY(tr_scenario_run_destroy) tr_scenario_run rig = make_rig(scenario, model, stepper, h);
    while (state_of(&rig, 0).pose.root_pos.z > 0.5 && rig.steps < 1000)
        run(&rig, h);
    double time_s = rig.steps * h;
    return time_s;
}

TEST(test_falls_take_the_same_time) {
    static const tr_scenario falls[] = {{"push", TR_MOTION_PUSH, 1, 0.0, true, false, false},
                                        {"limp", TR_MOTION_LIMP, 1, 0.0, true, false, false}};
    for (int i = 0; i < 2; i++) {
        double reference = fall_time(&falls[i], 1);
        assert_true(reference > 0.3 && reference < 1.0);
        assert_near(fall_time(&falls[i], 0), reference, 0.05 * reference);
    }
}

TEST(test_pushed_characters_stop_at_one_place) {
    static const tr_scenario push = {"push", TR_MOTION_PUSH, 1, 0.0, true, false, false};
    tr_state end[STEPPERS];
    for (int k = 0; k < STEPPERS; k++) {
        OWN_BY(tr_scenario_run_destroy) tr_scenario_run rig = make_rig(&push, model, k, 0.005);
        run(&rig, 4.0);
        end[k] = state_of(&rig, 0);
        assert_true(tr_vec3_length(end[k].root_vel) < 0.05);
    }
    assert_near_vec3(end[0].pose.root_pos, end[1].pose.root_pos, 0.03);
}

static tr_vec3 root_after(int stepper, double h, double seconds) {
    static const tr_scenario push = {"push", TR_MOTION_PUSH, 1, 0.0, true, false, false};
    OWN_BY(tr_scenario_run_destroy) tr_scenario_run rig = make_rig(&push, model, stepper, h);
    run(&rig, seconds);
    tr_vec3 pos = state_of(&rig, 0).pose.root_pos;
    return pos;
}

TEST(test_steppers_converge_to_one_motion) {
    double coarse = tr_vec3_distance(root_after(0, 0.008, 0.4), root_after(1, 0.008, 0.4));
    double fine = tr_vec3_distance(root_after(0, 0.001, 0.4), root_after(1, 0.001, 0.4));
    assert_true(fine < 0.5 * coarse);
    assert_true(fine < 0.002);
}

/* --- momentum --- */

static tr_momentum momentum_of(const tr_scenario_run *rig) {
    return tr_body_momentum(model, tr_world_bodies(rig->world, rig->character[0]));
}

static void push_trunk(const tr_scenario_run *rig, tr_vec3 point, tr_vec3 force, int steps) {
    tr_push push = {rig->character[0], model->trunk, point, force, steps};
    assert_int_equal(tr_world_push(rig->world, &push), TR_OK);
}

TEST(test_a_push_gives_the_same_momentum) {
    static const tr_scenario stand = {"stand", TR_MOTION_STAND, 1, 0.0, true, false, false};
    tr_momentum after[STEPPERS];
    for (int k = 0; k < STEPPERS; k++) {
        OWN_BY(tr_scenario_run_destroy) tr_scenario_run rig = make_rig(&stand, model, k, 0.005);
        run(&rig, 1.0);
        push_trunk(&rig, tr_vec3_make(0, 0, 0.1), tr_vec3_make(250, 150, 0), 40);
        run(&rig, 0.2);
        after[k] = momentum_of(&rig);
    }
    assert_true(tr_vec3_length(after[1].com_vel) > 0.3);
    assert_near_vec3(after[0].com_vel, after[1].com_vel, 0.02 * tr_vec3_length(after[1].com_vel));
    assert_near_vec3(after[0].angular, after[1].angular, 0.02 * tr_vec3_length(after[1].angular));
}

/* In free flight the servos must pass a torque on to the whole body: adding each servo to its
 * body's inertia instead would lose half of it. */
TEST(test_a_twist_in_flight_turns_the_whole_body) {
    static const tr_scenario stand = {"stand", TR_MOTION_STAND, 1, 0.0, true, false, false};
    tr_quat root[STEPPERS];
    for (int k = 0; k < STEPPERS; k++) {
        tr_world_def def = tr_world_def_default();
        def.stepper = steppers[k];
        def.ground = false;
        def.gravity = tr_vec3_make(0, 0, 0);
        tr_scenario_run rig;
        assert_int_equal(tr_scenario_run_create(&stand, model, def, &rig), TR_OK);
        push_trunk(&rig, tr_vec3_make(0, 0.1, 0), tr_vec3_make(-1000, 0, 0), 4);
        push_trunk(&rig, tr_vec3_make(0, -0.1, 0), tr_vec3_make(1000, 0, 0), 4);
        run(&rig, 0.02);
        assert_near(momentum_of(&rig).angular.z, 4.0, 0.04);
        run(&rig, 0.48);
        assert_near(momentum_of(&rig).angular.z, 4.0, 0.04);
        root[k] = state_of(&rig, 0).pose.root_rot;
        tr_scenario_run_destroy(&rig);
    }
    assert_true(fabs(tr_quat_heading(root[1])) > 0.5);
    assert_true(tr_quat_angle(root[0], root[1]) < 2.0 * degree);
}

/* --- bounds --- */

TEST(test_weak_servos_give_way_alike) {
    static const tr_scenario wave = {"wave", TR_MOTION_WAVE, 1, 0.0, true, false, false};
    tr_model weak = *model;
    double height[STEPPERS];
    for (int i = 1; i < weak.body_count; i++)
        weak.body[i].torque_limit = 40.0;
    for (int k = 0; k < STEPPERS; k++) {
        OWN_BY(tr_scenario_run_destroy) tr_scenario_run rig = make_rig(&wave, &weak, k, 0.005);
        for (int step = 0; step < 200; step++) {
            run(&rig, 0.005);
            const tr_vec3 *torque = tr_world_servo_torques(rig.world, rig.character[0]);
            for (int i = 1; i < weak.body_count; i++)
                assert_true(fmax(fabs(torque[i].x), fmax(fabs(torque[i].y), fabs(torque[i].z))) <
                            40.0 + 1e-6);
        }
        height[k] = state_of(&rig, 0).pose.root_pos.z;
    }
    assert_near(height[0], height[1], 0.03);
}

TEST(test_elbow_stops_hold_alike) {
    static const tr_scenario stand = {"stand", TR_MOTION_STAND, 1, 0.0, true, false, false};
    int elbow = tr_model_find_body(model, "llarm"), neck = tr_model_find_body(model, "head");
    for (int k = 0; k < STEPPERS; k++) {
        OWN_BY(tr_scenario_run_destroy) tr_scenario_run rig = make_rig(&stand, model, k, 0.005);
        tr_quat target[TR_BODY_MAX];
        tr_scenario_targets(&stand, model, 0.0, target);
        target[elbow] = tr_quat_exp(tr_vec3_make(0, 1.0, 0));  /* the stop is at 0.1 */
        target[neck] = tr_quat_exp(tr_vec3_make(1.5, 1.5, 0)); /* the cone ends at 1.6 */
        assert_int_equal(tr_world_set_targets(rig.world, rig.character[0], target), TR_OK);
        for (int i = 0; i < 200; i++)
            assert_int_equal(tr_world_step(rig.world), TR_OK);
        tr_state at = state_of(&rig, 0);
        assert_near(tr_quat_log(at.pose.joint[elbow]).y, 0.1, 0.03);
        assert_near(tr_vec3_length(tr_quat_log(at.pose.joint[neck])), 1.6, 0.03);
    }
}

/* --- company --- */

TEST(test_characters_shoulder_to_shoulder_stand_alike) {
    static const tr_scenario pair = {"pair", TR_MOTION_STAND, 2, 0.524, true, false, false};
    tr_state end[STEPPERS][2];
    for (int k = 0; k < STEPPERS; k++) {
        OWN_BY(tr_scenario_run_destroy) tr_scenario_run rig = make_rig(&pair, model, k, 0.005);
        run(&rig, 1.0);
        for (int i = 0; i < 2; i++)
            end[k][i] = state_of(&rig, i);
    }
    for (int i = 0; i < 2; i++)
        assert_near_vec3(end[0][i].pose.root_pos, end[1][i].pose.root_pos, 0.01);
}

TEST(test_a_ball_against_the_shins_rolls_alike) {
    static const tr_scenario ball = {"ball", TR_MOTION_STAND, 1, 0.0, true, true, false};
    tr_vec3 place[STEPPERS];
    for (int k = 0; k < STEPPERS; k++) {
        OWN_BY(tr_scenario_run_destroy) tr_scenario_run rig = make_rig(&ball, model, k, 0.005);
        run(&rig, 1.0);
        tr_entity_id id;
        assert_int_equal(tr_world_objects(rig.world, &id, 1), 1);
        tr_object_state at;
        assert_int_equal(tr_world_get_object(rig.world, id, &at), TR_OK);
        place[k] = at.pos;
    }
    assert_near_vec3(place[0], place[1], 0.03);
}

/* A character that swings by one hand. */
TEST(test_a_pinned_hand_carries_the_body_alike) {
    static const tr_scenario stand = {"stand", TR_MOTION_STAND, 1, 0.0, true, false, false};
    tr_vec3 root[STEPPERS];
    for (int k = 0; k < STEPPERS; k++) {
        tr_world_def def = tr_world_def_default();
        def.stepper = steppers[k];
        def.ground = false;
        tr_scenario_run rig;
        assert_int_equal(tr_scenario_run_create(&stand, model, def, &rig), TR_OK);
        const tr_body_state *bodies = tr_world_bodies(rig.world, rig.character[0]);
        tr_vec3 wrist = tr_body_origin(model, model->hand[0], &bodies[model->hand[0]]);
        tr_pin_def hold = {.entity = {rig.character[0], 0},
                           .body = {model->hand[0], 0},
                           .point = {{0, 0, 0}, wrist}};
        tr_entity_id pin;
        assert_int_equal(tr_world_add_pin(rig.world, &hold, &pin), TR_OK);
        run(&rig, 0.5);
        bodies = tr_world_bodies(rig.world, rig.character[0]);
        assert_near_vec3(tr_body_origin(model, model->hand[0], &bodies[model->hand[0]]), wrist,
                         0.005);
        root[k] = state_of(&rig, 0).pose.root_pos;
        tr_scenario_run_destroy(&rig);
    }
    assert_true(root[1].z < 0.9);
    assert_near_vec3(root[0], root[1], 0.02);
}
