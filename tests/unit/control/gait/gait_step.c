#include "cmocka_test.h"

#include "control/gait/felt_force.h"
#include "control/gait/gait_step.h"
#include "control/parts/falls.h"
#include "math/random.h"
#include "model/mjcf.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <string.h>

/* --- the published walk in a world --- */

static tr_gait *published(const tr_model *model) {
    tr_gait_curve curve;
    tr_gait *gait = NULL;
    tr_error error = {0};
    const tr_gait_def def = {.force = &curve, .own_mps = 0.4};
    assert_int_equal(tr_gait_curve_init(&curve, 0, 0, 1), TR_OK);
    tr_gait_parameters_published(curve.row[0]);
    if (tr_gait_create(model, &def, &gait, &error))
        fail_msg("%s", error.message);
    tr_gait_curve_deinit(&curve);
    return gait;
}

typedef struct walker {
    tr_model *model;
    tr_gait *gait;
    tr_world *world;
    tr_entity_id id;
    tr_gait_state state;
} walker;

static void begin(walker *w, double heading_rad) {
    tr_world_def def = tr_world_def_default();
    memset(w, 0, sizeof *w);
    w->model = puppet_model();
    w->gait = published(w->model);
    tr_pose rest = tr_pose_rest(w->model);
    tr_state state = tr_state_at_rest(w->model, &rest);
    state.root_vel.x = 0.5;
    state = tr_state_place(&state, heading_rad, (tr_vec3){0, 0, 0});
    assert_int_equal(tr_world_create(&def, &w->world), TR_OK);
    assert_int_equal(tr_world_add_character(w->world, w->model, &state, &w->id), TR_OK);
}

static void end(walker *w) {
    tr_world_destroy(w->world);
    tr_gait_destroy(w->gait);
    tr_model_destroy(w->model);
}

static void apply(walker *w, const tr_gait_servos *servos) {
    assert_int_equal(tr_world_set_targets(w->world, w->id, servos->target), TR_OK);
    assert_int_equal(tr_world_set_gains(w->world, w->id, servos->kp, servos->kd), TR_OK);
    assert_int_equal(tr_world_set_feedforward(w->world, w->id, servos->torque, 1), TR_OK);
    assert_int_equal(tr_world_step(w->world), TR_OK);
}

static void step(walker *w, const tr_gait_sight *steered) {
    tr_gait_sight sight;
    tr_gait_servos servos;
    assert_int_equal(tr_gait_look(w->world, w->id, &sight), TR_OK);
    sight.has_target = steered->has_target;
    sight.speed_mps = steered->speed_mps;
    if (steered->has_target)
        sight.turn_rad = tr_angle_wrap(steered->turn_rad - tr_quat_heading(sight.bodies[0].rot));
    tr_gait_step(w->gait, &w->state, &sight, &servos);
    apply(w, &servos);
}

TEST(the_published_gait_walks) {
    walker w;
    tr_gait_sight straight = {0};
    begin(&w, 0);
    for (int i = 0; i < 2000; i++)
        step(&w, &straight);
    tr_state at;
    assert_int_equal(tr_world_get_state(w.world, w.id, &at), TR_OK);
    assert_false(tr_falls_is_down(w.world, w.id, false));
    assert_true(at.pose.root_pos.z > 0.75);
    assert_true(at.pose.root_pos.x > 2);
    assert_true(w.state.strikes > 10);
    end(&w);
}

/* To the left and back: the gait frame follows the wanted heading, the root the gait frame. */
TEST(the_walk_follows_a_wanted_heading) {
    walker w;
    tr_gait_sight left = {.has_target = true, .turn_rad = 1.5};
    begin(&w, 1.0);
    for (int i = 0; i < 1600; i++)
        step(&w, &left);
    tr_state at;
    assert_int_equal(tr_world_get_state(w.world, w.id, &at), TR_OK);
    assert_false(tr_falls_is_down(w.world, w.id, false));
    assert_true(fabs(w.state.heading_rad - 1.5) < 1e-9);
    assert_true(fabs(tr_angle_wrap(tr_quat_heading(at.pose.root_rot) - 1.5)) < 0.3);
    end(&w);
}

/* --- symmetry --- */

static tr_gait_sight sight_of(const tr_model *model, const tr_body_state *bodies,
                              const tr_vec3 *torque) {
    return (tr_gait_sight){
        .model = model, .bodies = bodies, .torque = torque, .stiffness = 1, .step_s = 0.005};
}

TEST(mirrored_sights_give_mirrored_servos) {
    OWN(tr_model) *model = puppet_model();
    OWN(tr_gait) *gait = published(model);
    tr_random random = tr_random_seed(4);
    tr_body_state bodies[TR_BODY_MAX], image_bodies[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX] = {{0, 0, 0}};
    for (int trial = 0; trial < 20; trial++) {
        tr_state at = puppet_state(model, &random, 0, 0.3);
        tr_state image = tr_state_mirror(model, &at);
        tr_state_forward(model, &at, bodies);
        tr_state_forward(model, &image, image_bodies);
        tr_gait_sight sight = sight_of(model, bodies, torque);
        tr_gait_sight image_sight = sight_of(model, image_bodies, torque);
        sight.felt = (tr_vec3){50, 30, 5};
        image_sight.felt = (tr_vec3){50, -30, 5};
        tr_gait_state one = {.keyframe = trial % 4}, two = {.keyframe = (trial + 2) % 4};
        tr_gait_servos servos, image_servos;
        tr_gait_step(gait, &one, &sight, &servos);
        tr_gait_step(gait, &two, &image_sight, &image_servos);
        for (int i = 1; i < model->body_count; i++) {
            int other = model->body[i].mirror;
            tr_quat wanted = tr_quat_mirror(servos.target[i]);
            assert_true(tr_quat_angle(wanted, image_servos.target[other]) < 1e-7);
            assert_true(fabs(servos.kp[i] - image_servos.kp[other]) < 1e-9);
            tr_vec3 turned = tr_vec3_mirror_axial(servos.torque[i]);
            assert_true(tr_vec3_distance(turned, image_servos.torque[other]) < 1e-6);
        }
    }
}

/* --- balance feedback --- */

/* Where the centroid is from the left ankle, and its velocity: the gait frame is the world's. */
typedef struct balance {
    double ahead, left, ahead_mps, left_mps;
} balance;

static balance balance_of(const tr_model *model, const tr_body_state *bodies) {
    int ankle = model->foot[0];
    tr_momentum momentum = tr_body_momentum(model, bodies);
    tr_vec3 off = tr_vec3_sub(momentum.com_pos, tr_body_origin(model, ankle, &bodies[ankle]));
    return (balance){off.x, off.y, momentum.com_vel.x, momentum.com_vel.y};
}

/* In keyframe 0, where the left leg stands. Pitches turn about y in the joint, rolls about x in the
 * pelvis. */
TEST(each_feedback_coefficient_turns_its_joint) {
    OWN(tr_model) *model = puppet_model();
    tr_random random = tr_random_seed(9);
    const tr_vec3 x = {1, 0, 0}, y = {0, 1, 0};
    const int left = tr_model_find_body(model, "lthigh"),
              right = tr_model_find_body(model, "rthigh");
    const double felt_n = 40, speed_mps = 0.7, step = 0.03;
    for (int trial = 0; trial < 5; trial++) {
        tr_body_state bodies[TR_BODY_MAX];
        tr_vec3 torque[TR_BODY_MAX] = {{0, 0, 0}};
        tr_state at = puppet_state(model, &random, 0, 0.2);
        at.pose.root_rot = tr_quat_identity();
        tr_state_forward(model, &at, bodies);
        const balance b = balance_of(model, bodies);
        const struct {
            int parameter, joint;
            tr_vec3 axis;
            double turn; /* for a coefficient of 1, rad */
        } rows[] = {
            {TR_GAIT_ANKLE_POS, model->foot[0], y, b.ahead},
            {TR_GAIT_ANKLE_VEL, model->foot[0], y, b.ahead_mps},
            {TR_GAIT_ANKLE_SIDE_POS, model->foot[0], x, b.left},
            {TR_GAIT_ANKLE_SIDE_VEL, model->foot[0], x, b.left_mps},
            {TR_GAIT_SIDE_ANKLE, model->foot[0], x, felt_n / 100},
            {TR_GAIT_HIP_POS, right, y, -b.ahead},
            {TR_GAIT_HIP_VEL, right, y, -b.ahead_mps},
            {TR_GAIT_HIP_SIDE_POS, right, x, b.left},
            {TR_GAIT_HIP_SIDE_VEL, right, x, b.left_mps},
            {TR_GAIT_SIDE_HIP, right, x, felt_n / 100},
            {TR_GAIT_LEAN_VEL, left, y, b.ahead_mps - speed_mps},
        };
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            tr_quat target[2];
            for (int on = 0; on < 2; on++) {
                OWN(tr_gait) *gait = published(model);
                for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
                    gait->force.row[0][rows[k].parameter] = 0;
                gait->force.row[0][rows[i].parameter] = on * step;
                tr_gait_sight sight = sight_of(model, bodies, torque);
                sight.felt = (tr_vec3){0, felt_n, 0};
                sight.speed_mps = speed_mps;
                tr_gait_state phase = {
                    .begun = true, .speed_mps = speed_mps, .felt_n = {0, felt_n}};
                tr_gait_servos servos;
                tr_gait_step(gait, &phase, &sight, &servos);
                target[on] = servos.target[rows[i].joint];
            }
            bool pitches = rows[i].axis.y > 0 && rows[i].parameter != TR_GAIT_LEAN_VEL;
            tr_quat turn = pitches ? tr_quat_mul(tr_quat_conj(target[0]), target[1])
                                   : tr_quat_mul(target[1], tr_quat_conj(target[0]));
            tr_vec3 wanted = tr_vec3_scale(rows[i].axis, step * rows[i].turn);
            if (tr_vec3_distance(tr_quat_log(turn), wanted) > 1e-6)
                fail_msg("%s turns %g %g %g, not %g %g %g",
                         tr_gait_parameter_row(rows[i].parameter)->name, tr_quat_log(turn).x,
                         tr_quat_log(turn).y, tr_quat_log(turn).z, wanted.x, wanted.y, wanted.z);
        }
    }
}

TEST(arms_hang_out_with_bent_elbows) {
    OWN(tr_model) *model = puppet_model();
    OWN(tr_gait) *gait = published(model);
    double *parameter = gait->force.row[0];
    assert_true(parameter[TR_GAIT_ARM_OUT] > 0); /* free of the trunk */
    parameter[TR_GAIT_ARM_SWING] = 0;
    parameter[TR_GAIT_ARM] = 0.2;
    parameter[TR_GAIT_ARM_OUT] = 0.3;
    parameter[TR_GAIT_ELBOW] = 0.4;
    tr_pose rest = tr_pose_rest(model);
    tr_body_state bodies[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX] = {{0, 0, 0}};
    tr_pose_forward(model, &rest, bodies);
    tr_gait_sight sight = sight_of(model, bodies, torque);
    tr_gait_state phase = {0};
    tr_gait_servos servos;
    tr_gait_step(gait, &phase, &sight, &servos);
    const tr_quat forwards = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, -0.2);
    const tr_quat bent = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, -0.4);
    const char *const arm[2][2] = {{"luarm", "llarm"}, {"ruarm", "rlarm"}};
    for (int side = 0; side < 2; side++) {
        int shoulder = tr_model_find_body(model, arm[side][0]),
            elbow = tr_model_find_body(model, arm[side][1]);
        assert_true(shoulder > 0 && elbow > 0);
        tr_quat out = tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, side ? -0.3 : 0.3);
        assert_true(tr_quat_angle(servos.target[shoulder], tr_quat_mul(out, forwards)) < 1e-7);
        assert_true(tr_quat_angle(servos.target[elbow], bent) < 1e-7);
    }
}

/* --- the state machine --- */

TEST(a_foot_strike_ends_the_second_keyframe) {
    OWN(tr_model) *model = puppet_model();
    OWN(tr_gait) *gait = published(model);
    tr_pose rest = tr_pose_rest(model);
    tr_body_state bodies[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX] = {{0, 0, 0}};
    tr_gait_servos servos;
    tr_pose_forward(model, &rest, bodies);
    tr_gait_sight sight = sight_of(model, bodies, torque);
    tr_gait_state phase = {.keyframe = 1, .begun = 1, .keyframe_s = 0.2};
    tr_gait_step(gait, &phase, &sight, &servos);
    assert_int_equal(phase.keyframe, 1);
    sight.load_n[0] = 400; /* the leg that stands all along */
    tr_gait_step(gait, &phase, &sight, &servos);
    assert_int_equal(phase.keyframe, 1);
    sight.load_n[1] = 400;
    tr_gait_step(gait, &phase, &sight, &servos);
    assert_int_equal(phase.keyframe, 2);
    assert_int_equal(phase.strikes, 1);
}

TEST(without_a_strike_the_second_keyframe_ends_late) {
    OWN(tr_model) *model = puppet_model();
    OWN(tr_gait) *gait = published(model);
    tr_pose rest = tr_pose_rest(model);
    tr_body_state bodies[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX] = {{0, 0, 0}};
    tr_gait_servos servos;
    tr_pose_forward(model, &rest, bodies);
    tr_gait_sight sight = sight_of(model, bodies, torque);
    tr_gait_state phase = {.keyframe = 1, .begun = 1};
    int steps = 0;
    while (phase.keyframe == 1 && steps < 1000) {
        tr_gait_step(gait, &phase, &sight, &servos);
        steps++;
    }
    assert_in_range(steps, 160, 162); /* 2 x 0.3 s + 0.2 s */
}

/* --- the force that is felt --- */

TEST(a_constant_push_is_felt_in_the_gait_frame) {
    walker w;
    tr_gait_sight straight = {0};
    begin(&w, TR_PI / 2);
    for (int i = 0; i < 60; i++) {
        const tr_push push = {
            .entity = w.id, .body = w.model->trunk, .force = {0, -40, 0}, .steps = 1};
        assert_int_equal(tr_world_push(w.world, &push), TR_OK);
        step(&w, &straight);
    }
    assert_true(fabs(w.state.felt_n[0] + 40) < 0.01);
    assert_true(fabs(w.state.felt_n[1]) < 0.01);
    end(&w);
}

/* A ball that hits the trunk, made before the character or after it: the force is what the ball
 * loses in the step. The same ball on a foot is not felt: feet carry the walk. */
TEST(a_blow_is_felt_but_not_on_a_foot) {
    OWN(tr_model) *model = puppet_model();
    for (int trial = 0; trial < 4; trial++) {
        bool ball_first = trial & 1, on_foot = trial & 2;
        OWN(tr_world) *world = puppet_void();
        tr_pose rest = tr_pose_rest(model);
        const tr_state at = tr_state_at_rest(model, &rest);
        tr_body_state bodies[TR_BODY_MAX];
        tr_state_forward(model, &at, bodies);
        tr_vec3 target = bodies[on_foot ? model->foot[0] : model->trunk].com_pos;
        const tr_object_def ball = {
            .geom_count = 1,
            .mass = 1,
            .geom[0] = {.kind = TR_GEOM_SPHERE, .size = {0.05, 0, 0}, .rot = {1, 0, 0, 0}}};
        tr_object_state thrown = {.pos = tr_vec3_add(target, (tr_vec3){0.5, 0.01, 0}),
                                  .rot = {1, 0, 0, 0},
                                  .vel = {-5, 0, 0}};
        tr_entity_id character = 0, id = 0;
        if (ball_first)
            assert_int_equal(tr_world_add_object(world, &ball, &thrown, &id), TR_OK);
        assert_int_equal(tr_world_add_character(world, model, &at, &character), TR_OK);
        if (!ball_first)
            assert_int_equal(tr_world_add_object(world, &ball, &thrown, &id), TR_OK);
        double most = 0;
        for (int i = 0; i < 60; i++) {
            tr_object_state before, after;
            assert_int_equal(tr_world_get_object(world, id, &before), TR_OK);
            assert_int_equal(tr_world_step(world), TR_OK);
            assert_int_equal(tr_world_get_object(world, id, &after), TR_OK);
            tr_vec3 lost = tr_vec3_sub(before.vel, after.vel);
            lost.z += tr_world_definition(world)->gravity.z * tr_world_definition(world)->step_s;
            double lost_n = tr_vec3_length(lost) / tr_world_definition(world)->step_s;
            tr_vec3 felt = tr_felt_force(world, character);
            double wanted = on_foot ? 0 : fmin(lost_n, TR_FELT_FORCE_MAX_N);
            assert_true(fabs(tr_vec3_length(felt) - wanted) < 1e-6 * (1 + wanted));
            assert_true(wanted < 1 || felt.x < -0.9 * wanted);
            most = fmax(most, lost_n);
        }
        assert_true(most > 100); /* it did hit */
    }
}

/* The gait learned for a force is the one used while that force is felt, along the heading and not
 * across it. */
TEST(the_felt_force_chooses_the_parameters) {
    OWN(tr_model) *model = puppet_model();
    OWN(tr_gait) *flat = published(model), *learned = NULL;
    tr_gait_curve curve;
    tr_error error = {0};
    const tr_gait_def def = {.force = &curve, .own_mps = 0.4};
    assert_int_equal(tr_gait_curve_init(&curve, -100, 100, 3), TR_OK);
    for (int row = 0; row < 3; row++) {
        tr_gait_parameters_published(curve.row[row]);
        curve.row[row][TR_GAIT_BEND] += 0.1 * row;
    }
    if (tr_gait_create(model, &def, &learned, &error))
        fail_msg("%s", error.message);
    tr_gait_curve_deinit(&curve);
    flat->force.row[0][TR_GAIT_BEND] += 0.2;
    tr_pose rest = tr_pose_rest(model);
    tr_body_state bodies[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX] = {{0, 0, 0}};
    tr_pose_forward(model, &rest, bodies);
    for (int across = 0; across < 2; across++) {
        tr_gait_sight sight = sight_of(model, bodies, torque);
        tr_gait_state one = {.begun = true}, two = one;
        tr_gait_servos a, b;
        one.felt_n[across] = two.felt_n[across] = 100;
        sight.felt = (tr_vec3){across ? 0 : 100, across ? 100 : 0, 0};
        tr_gait_step(learned, &one, &sight, &a);
        tr_gait_step(flat, &two, &sight, &b);
        double apart = 0;
        for (int i = 1; i < model->body_count; i++)
            apart = fmax(apart, tr_quat_angle(a.target[i], b.target[i]));
        assert_true(across ? apart > 0.02 : apart < 1e-9);
    }
}

TEST(all_published_parameters_are_set) {
    double value[2][TR_GAIT_SIZE];
    for (int i = 0; i < TR_GAIT_SIZE; i++) {
        value[0][i] = 7;
        value[1][i] = -7;
    }
    tr_gait_parameters_published(value[0]);
    tr_gait_parameters_published(value[1]);
    assert_memory_equal(value[0], value[1], sizeof value[0]);
}

BEFORE_ALL() {
    tr_physics_init();
}
