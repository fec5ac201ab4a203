#include "cmocka_test.h"

#include "math/random.h"
#include "motion/made/limb.h"
#include "unit/motion/scratch.h"

#include <math.h>

FIXTURE(load) {
    *given = scratch_model("humanoid.xml");
}

FIXTURE(unload) {
    tr_model_destroy(*given);
}

static tr_limb limb_of(const tr_model *model, const char *name) {
    tr_limb limb;
    assert_int_equal(tr_limb_find(model, tr_model_find_body(model, name), &limb), TR_OK);
    return limb;
}

static void state_of(const tr_model *model, const tr_pose *pose, tr_body_state *bodies) {
    tr_pose_forward(model, pose, bodies);
}

/* Where the limb's last body is once its joints are bent at random. */
static tr_limb_goal goal_of_random_bends(const tr_model *model, const tr_limb *limb,
                                         tr_random *random) {
    tr_pose pose = tr_pose_rest(model);
    tr_body_state bodies[TR_BODY_MAX];
    int last = limb->body[2];
    tr_limb_goal goal = {.point = {0.05, 0.02, -0.08}, .turned = true};
    for (int j = 0; j < TR_LIMB_JOINTS; j++) {
        const tr_body *body = &model->body[limb->body[j]];
        double side = body->range[0] + body->range[1] < 0 ? -1 : 1;
        tr_vec3 turn = {tr_random_normal(random), tr_random_normal(random),
                        tr_random_normal(random)};
        turn = tr_vec3_scale(turn, 0.25);
        if (body->joint == TR_JOINT_HINGE)
            turn = tr_vec3_scale(body->axis, side * (0.3 + tr_random_uniform(random)));
        pose.joint[limb->body[j]] = tr_quat_exp(turn);
    }
    state_of(model, &pose, bodies);
    goal.pos = tr_body_point(model, last, goal.point, &bodies[last]);
    goal.rot = bodies[last].rot;
    return goal;
}

static void check_reached(const tr_model *model, const char *name, int angles) {
    tr_limb limb = limb_of(model, name);
    tr_random random = tr_random_seed(5);
    int last = limb.body[2];
    assert_int_equal(limb.angles, angles);
    for (int i = 0; i < 20; i++) {
        tr_limb_goal goal = goal_of_random_bends(model, &limb, &random);
        tr_pose pose = tr_pose_rest(model);
        tr_body_state bodies[TR_BODY_MAX];
        double v[TR_LIMB_ANGLES_MAX];
        tr_limb_bend(model, &limb, 0.5, v);
        assert_true(tr_limb_reach(model, &limb, &goal, &pose, v) < 1e-4);
        state_of(model, &pose, bodies);
        tr_vec3 at = tr_body_point(model, last, goal.point, &bodies[last]);
        assert_true(tr_vec3_distance(at, goal.pos) < 1e-4);
        assert_true(fabs(tr_quat_dot(bodies[last].rot, goal.rot)) > 1 - 1e-6);
    }
}

TEST(a_foot_gets_where_bends_can_bring_it) {
    check_reached(*given, "lfoot", 7);
    check_reached(*given, "rfoot", 7);
}

TEST(a_hand_gets_where_bends_can_bring_it) {
    check_reached(*given, "rhand", 7);
}

TEST(knees_stay_bent_forwards_and_what_is_too_far_is_missed) {
    const tr_model *model = *given;
    tr_limb limb = limb_of(model, "lfoot");
    tr_pose pose = tr_pose_rest(model);
    tr_limb_goal goal = {.pos = {0, 0.09, -1}};
    double v[TR_LIMB_ANGLES_MAX];
    tr_limb_bend(model, &limb, 0.5, v);
    double miss = tr_limb_reach(model, &limb, &goal, &pose, v);
    assert_true(miss > 0.5 && isfinite(miss));
    assert_true(v[3] >= 0.02);
}

TEST(a_limb_has_three_joints) {
    const tr_model *model = *given;
    tr_limb limb;
    assert_int_equal(tr_limb_find(model, 0, &limb), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_limb_find(model, tr_model_find_body(model, "lshank"), &limb),
                     TR_INVALID_ARGUMENT);
}

SUITE_FIXTURE(load, unload);
