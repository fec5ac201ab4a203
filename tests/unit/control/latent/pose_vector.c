/* controllers/control/latent/pose_vector.h: vectors keep all of a pose but its place. */
#include "cmocka_test.h"

#include "control/latent/pose_vector.h"
#include "math/random.h"
#include "model/mjcf.h"

#include <math.h>

SUITE_OWN(tr_model, model);

BEFORE_ALL() {
    assert_int_equal(tr_mjcf_load(TR_MODEL_DIR "/humanoid51.xml", &model, NULL), TR_OK);
}

static tr_vec3 random_vector(tr_random *r, double size) {
    double x = size * tr_random_normal(r), y = size * tr_random_normal(r);
    return (tr_vec3){x, y, size * tr_random_normal(r)};
}

static tr_pose random_pose(tr_random *r, const tr_pose_reference *reference) {
    tr_pose pose = tr_pose_rest(model);
    pose.root_pos = random_vector(r, 2);
    pose.root_rot = tr_quat_mul(tr_quat_from_heading(3 * tr_random_normal(r)),
                                tr_quat_exp(random_vector(r, 0.3)));
    for (int i = 1; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        pose.joint[i] = body->joint == TR_JOINT_HINGE
                            ? tr_quat_from_axis_angle(body->axis, tr_random_normal(r))
                            : tr_quat_mul(reference->joint[i], tr_quat_exp(random_vector(r, 0.4)));
    }
    return pose;
}

static tr_pose_reference random_reference(tr_random *r) {
    tr_pose_reference reference;
    for (int i = 0; i < TR_POSE_BODY_MAX; i++)
        reference.joint[i] = tr_quat_exp(random_vector(r, 0.5));
    return reference;
}

static void assert_same_pose(const tr_pose *a, const tr_pose *b) {
    assert_true(tr_vec3_distance(a->root_pos, b->root_pos) < 1e-12);
    assert_true(tr_quat_angle(a->root_rot, b->root_rot) < 1e-12);
    for (int i = 1; i < model->body_count; i++)
        assert_true(tr_quat_angle(a->joint[i], b->joint[i]) < 1e-12);
    for (int i = model->body_count; i < TR_BODY_MAX; i++)
        assert_true(b->joint[i].w == 1);
}

TEST(test_pose_returns_from_its_vector_and_place) {
    tr_random r = tr_random_seed(1);
    for (int n = 0; n < 200; n++) {
        tr_pose_reference reference = random_reference(&r);
        tr_pose pose = random_pose(&r, &reference);
        double vector[TR_POSE_VECTOR_MAX];
        tr_pose_vector_from(model, &reference, &pose, vector);
        tr_pose_place place = tr_pose_place_of(&pose);
        tr_pose back = tr_pose_vector_to(model, &reference, vector, &place);
        assert_same_pose(&pose, &back);
    }
}

TEST(test_place_and_heading_are_not_in_the_vector) {
    tr_random r = tr_random_seed(2);
    tr_pose_reference reference = random_reference(&r);
    tr_pose pose = random_pose(&r, &reference);
    double vector[TR_POSE_VECTOR_MAX], moved[TR_POSE_VECTOR_MAX];
    tr_state place = tr_state_at_rest(model, &pose);
    place = tr_state_place(&place, 1.7, (tr_vec3){3, -2, 0});
    tr_pose_vector_from(model, &reference, &pose, vector);
    tr_pose_vector_from(model, &reference, &place.pose, moved);
    for (int i = 0; i < tr_pose_vector_size(model); i++)
        assert_true(fabs(vector[i] - moved[i]) < 1e-12);
}

TEST(test_there_is_a_channel_for_each_freedom_but_travel_and_heading) {
    assert_int_equal(tr_pose_vector_size(model), model->dof_count - 3);
    assert_int_equal(tr_pose_vector_channel(model, 0), 0);
    assert_int_equal(tr_pose_vector_channel(model, 1), 3);
    int last = model->body_count - 1;
    int wide = model->body[last].joint == TR_JOINT_HINGE ? 1 : 3;
    assert_int_equal(tr_pose_vector_channel(model, last) + wide, tr_pose_vector_size(model));
}

TEST(test_root_step_leads_from_place_to_place) {
    const tr_pose_place from = {1, 2, 3}, to = {-0.5, 2.2, -3};
    tr_root_step step = tr_root_step_between(&from, &to);
    tr_pose_place moved = tr_pose_place_moved(&from, &step);
    assert_true(fabs(step.turn_rad - (2 * TR_PI - 6)) < 1e-12);
    assert_true(fabs(moved.x - to.x) < 1e-12 && fabs(moved.y - to.y) < 1e-12);
    assert_true(fabs(tr_angle_wrap(moved.heading_rad - to.heading_rad)) < 1e-12);
}

/* Forward is where the heading looks before the step. */
TEST(test_forward_steps_follow_the_heading) {
    const tr_pose_place from = {0, 0, TR_PI / 2};
    const tr_root_step step = {1, 2, 0.5};
    tr_pose_place moved = tr_pose_place_moved(&from, &step);
    assert_true(fabs(moved.x + 0.5) < 1e-12 && fabs(moved.y - 2) < 1e-12);
}
