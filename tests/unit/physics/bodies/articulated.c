/* The articulated stepper against analytic mechanics. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

#include <stdlib.h>
#include <string.h>

static tr_world_def flight(double h, double gravity) {
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    def.step_s = h;
    def.gravity.z = gravity;
    return def;
}

/* A chain hanging from a body of 10^7 kg that is held against gravity. */
static tr_entity_id hang(tr_world *world, const tr_model *model, double angle, int steps) {
    tr_pose pose = {.root_rot = {1, 0, 0, 0}};
    for (int i = 0; i < TR_BODY_MAX; i++)
        pose.joint[i] = tr_quat_identity();
    pose.joint[1] = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, angle);
    tr_state state = tr_state_at_rest(model, &pose);
    tr_entity_id id;
    assert_int_equal(tr_world_add_character(world, model, &state, &id), TR_OK);
    double g = tr_world_definition(world)->gravity.z;
    tr_push hold = {.entity = id, .force = {0, 0, -g * model->body[0].mass}, .steps = steps};
    assert_int_equal(tr_world_push(world, &hold), TR_OK);
    return id;
}

static double hinge_angle(const tr_world *world, tr_entity_id id) {
    tr_state s;
    assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
    return tr_quat_log(s.pose.joint[1]).y;
}

/* Half a period of a pendulum with m = l = 1, I = 1.01 and amplitude 0.1 rad. */
static double half_period(tr_joint_kind joint, double h) {
    OWN_MEMORY tr_model *model = calloc(1, sizeof *model);
    scene_chain(model, 2, joint, 1e7);
    tr_world_def def = flight(h, -9.81);
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = hang(world, model, 0.1, 1 << 20);
    double before = 0.1, time = 0;
    bool falling = true;
    for (int k = 1; time == 0 && k < 10000; k++) {
        scene_step(world, 1);
        double now = hinge_angle(world, id), rate = now - before;
        if (falling && rate > 0 && now < 0)
            time = k * h - 0.5 * h; /* the turning point, to within a step */
        before = now;
    }
    return time;
}

TEST(pendulum_has_its_period) {
    double omega = sqrt(9.81 / 1.01), amplitude = 0.1;
    double want = TR_PI / omega * (1 + amplitude * amplitude / 16);
    for (int joint = TR_JOINT_BALL; joint <= TR_JOINT_HINGE; joint++)
        assert_near(half_period((tr_joint_kind)joint, 0.0005), want, 0.002);
}

/* Largest relative change of energy of a double pendulum let go at 1.5 rad, in 2 s. */
static double energy_error(tr_joint_kind joint, double h) {
    OWN_MEMORY tr_model *model = calloc(1, sizeof *model);
    scene_chain(model, 3, joint, 1e7);
    tr_world_def def = flight(h, -9.81);
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = hang(world, model, 1.5, 1 << 20);
    /* The root's own energy would hide the rest. */
    double root = 0, first = 0, worst = 0;
    for (int k = 0; k * h < 2; k++) {
        const tr_body_state *b = tr_world_bodies(world, id);
        root = 1e7 * (9.81 * b[0].com_pos.z + 0.5 * tr_vec3_dot(b[0].com_vel, b[0].com_vel));
        double e = scene_energy(world, id) - root;
        if (k == 0)
            first = e;
        worst = fmax(worst, fabs(e - first) / 30.0);
        scene_step(world, 1);
    }
    return worst;
}

TEST(double_pendulum_keeps_energy_as_h_shrinks) {
    for (int joint = TR_JOINT_BALL; joint <= TR_JOINT_HINGE; joint++) {
        double coarse = energy_error((tr_joint_kind)joint, 0.004);
        double fine = energy_error((tr_joint_kind)joint, 0.001);
        assert_true(coarse < 0.05);
        assert_true(fine < 0.4 * coarse);
    }
}

/* Ballistic flight with working servos, with and without a thrown start. */
static void fly(const tr_model *model) {
    for (int ms = 5; ms <= 10; ms += 5) {
        double h = ms * 0.001;
        tr_world_def def = flight(h, -9.81);
        OWN(tr_world) *world = scene_world(&def);
        tr_entity_id id = scene_stand(world, model, 0, 0, 5);
        tr_state s;
        assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
        s.root_vel = (tr_vec3){1, 2, 3};
        s.root_omega = (tr_vec3){1, 3, -2};
        assert_int_equal(tr_world_set_state(world, id, &s), TR_OK);
        tr_momentum before = tr_body_momentum(model, tr_world_bodies(world, id));
        int steps = (int)(0.5 / h + 0.5);
        for (int k = 0; k < steps; k++) {
            scene_swing(world, id, (k + 1) * h);
            scene_step(world, 1);
        }
        tr_momentum after = tr_body_momentum(model, tr_world_bodies(world, id));
        before.com_vel.z -= 9.81 * h * steps;
        double speed = tr_vec3_length(before.com_vel), spin = tr_vec3_length(before.angular);
        assert_true(tr_vec3_distance(after.com_vel, before.com_vel) < 1e-12 * speed);
        assert_true(tr_vec3_distance(after.angular, before.angular) < 1e-5 * spin);
    }
}

TEST(flight_keeps_momentum) {
    fly(*given);
}

TEST(flight_with_slides_keeps_momentum) {
    tr_model *model = malloc(sizeof *model);
    *model = *(const tr_model *)*given;
    for (int i = 1; i < model->body_count; i++)
        if (model->body[i].joint == TR_JOINT_HINGE)
            model->body[i].joint = TR_JOINT_SLIDE;
    fly(model);
    free(model);
}

/* The pose after 0.3 s of a swing in flight converges at first order. */
static tr_vec3 end_of_flight(const tr_model *model, double h) {
    tr_world_def def = flight(h, -9.81);
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 5);
    int steps = (int)(0.3 / h + 0.5);
    for (int k = 0; k < steps; k++) {
        scene_swing(world, id, 0.5 + (k + 1) * h);
        scene_step(world, 1);
    }
    tr_vec3 hand = tr_world_bodies(world, id)[model->hand[0]].com_pos;
    return hand;
}

TEST(converges_as_h_shrinks) {
    const tr_model *model = *given;
    tr_vec3 limit = end_of_flight(model, 0.0005);
    double coarse = tr_vec3_distance(end_of_flight(model, 0.01), limit);
    double middle = tr_vec3_distance(end_of_flight(model, 0.005), limit);
    double fine = tr_vec3_distance(end_of_flight(model, 0.0025), limit);
    assert_true(coarse < 0.05);
    assert_true(middle < 0.7 * coarse);
    assert_true(fine < 0.7 * middle);
}

TEST(stands_at_both_steps) {
    const tr_model *model = *given;
    for (int swing = 0; swing < 2; swing++) {
        for (int ms = 5; ms <= 10; ms += 5) {
            double h = ms * 0.001;
            tr_world_def def = tr_world_def_default();
            def.step_s = h;
            OWN(tr_world) *world = scene_world(&def);
            tr_entity_id id = scene_stand(world, model, 0, 0, 0.01);
            for (int k = 0; k * h < 10; k++) {
                if (swing)
                    scene_swing(world, id, (k + 1) * h);
                scene_step(world, 1);
            }
            tr_state s;
            assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
            assert_near(s.pose.root_pos.z, 0.95, 0.01);
            assert_true(fabs(s.pose.root_pos.x) < 0.05 && fabs(s.pose.root_pos.y) < 0.05);
        }
    }
}

/* The other shipped model, whose toes and wrists are weak. */
TEST(humanoid51_stands_at_both_steps) {
    OWN(tr_model) *model = NULL;
    tr_error error;
    assert_int_equal(tr_mjcf_load(TR_MODEL_DIR "/humanoid51.xml", &model, &error), TR_OK);
    double rest = tr_pose_rest(model).root_pos.z;
    for (int ms = 5; ms <= 10; ms += 5) {
        tr_world_def def = tr_world_def_default();
        def.step_s = ms * 0.001;
        OWN(tr_world) *world = scene_world(&def);
        tr_entity_id id = scene_stand(world, model, 0, 0, 0.01);
        scene_step(world, 10000 / ms);
        tr_state s;
        assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
        assert_near(s.pose.root_pos.z, rest, 0.01);
    }
}

TEST(state_survives_reading_and_writing) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *straight = scene_world(&def), *broken = scene_world(&def);
    tr_entity_id a = scene_stand(straight, model, 0, 0, 0.3);
    tr_entity_id b = scene_stand(broken, model, 0, 0, 0.3);
    for (int k = 0; k < 200; k++) {
        scene_swing(straight, a, k * 0.01);
        scene_swing(broken, b, k * 0.01);
        scene_step(straight, 1);
        scene_step(broken, 1);
        tr_state s;
        assert_int_equal(tr_world_get_state(broken, b, &s), TR_OK);
        assert_int_equal(tr_world_set_state(broken, b, &s), TR_OK);
        assert_int_equal(tr_world_hash(straight), tr_world_hash(broken));
    }
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
