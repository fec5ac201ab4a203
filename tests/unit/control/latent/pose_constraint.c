/* controllers/control/latent/pose_constraint.h: points reach their places, and stay out of
 * planes. */
#include "cmocka_test.h"

#include "control/latent/pose_constraint.h"
#include "unit/control/latent/loops.h"

SUITE_OWN(tr_model, model);

BEFORE_ALL() {
    model = loops_model();
}

static tr_vec3 point_of(const tr_pose *pose, const tr_pose_constraint *c) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, pose, bodies);
    return tr_body_point(model, c->body, c->point, &bodies[c->body]);
}

static tr_pose_constraint hand(int side) {
    return (tr_pose_constraint){.body = model->hand[side], .base = model->trunk};
}

TEST(test_hand_reaches_its_place_and_the_legs_stay) {
    tr_pose pose = tr_pose_rest(model), before = pose;
    tr_pose_constraint c = hand(1);
    c.target = tr_vec3_add(point_of(&pose, &c), (tr_vec3){0.15, -0.05, 0.2});
    double left = tr_pose_constrain(model, &c, 1, &pose);
    assert_true(left < 0.01);
    assert_true(tr_vec3_distance(point_of(&pose, &c), c.target) < 0.01);
    for (int i = 1; i < model->body_count; i++)
        if (i != c.body && i != model->body[c.body].parent &&
            i != model->body[model->body[c.body].parent].parent)
            assert_true(tr_quat_angle(pose.joint[i], before.joint[i]) < 1e-12);
}

TEST(test_plane_moves_what_is_behind_it_and_nothing_else) {
    for (int behind = 0; behind < 2; behind++) {
        tr_pose pose = tr_pose_rest(model), before = pose;
        tr_pose_constraint c = hand(0);
        c.normal = (tr_vec3){1, 0, 0};
        c.target = point_of(&pose, &c);
        c.target.x += behind ? 0.1 : -0.1;
        assert_true(tr_pose_constrain(model, &c, 1, &pose) < 2e-3);
        double moved = point_of(&pose, &c).x - point_of(&before, &c).x;
        assert_true(behind ? moved > 0.098 : moved == 0);
    }
}

TEST(test_both_hands_reach_at_the_same_time) {
    tr_pose pose = tr_pose_rest(model);
    tr_pose_constraint c[2] = {hand(0), hand(1)};
    for (int i = 0; i < 2; i++)
        c[i].target = tr_vec3_add(point_of(&pose, &c[i]), (tr_vec3){0.2, 0, 0.1});
    assert_true(tr_pose_constrain(model, c, 2, &pose) < 0.01);
}

TEST(test_an_unreachable_point_is_approached_calmly) {
    tr_pose pose = tr_pose_rest(model);
    tr_pose_constraint c = hand(0);
    tr_vec3 begin = point_of(&pose, &c);
    c.target = tr_vec3_add(begin, (tr_vec3){3, 0, 0.5});
    double off = tr_vec3_distance(begin, c.target);
    double left = tr_pose_constrain(model, &c, 1, &pose);
    assert_true(left < off && left > 1);
    for (int i = 1; i < model->body_count; i++)
        assert_true(tr_quat_is_finite(pose.joint[i]));
}

/* The sole of a leg whose knee is stretched beyond straight is to be nearer to the hip and aside. */
TEST(test_a_stretched_leg_bends_for_a_nearer_place) {
    tr_pose pose = tr_pose_rest(model);
    const int shank = tr_model_find_body(model, "lshank"), foot = model->foot[0];
    pose.joint[shank] = tr_quat_exp((tr_vec3){0, -0.05, 0});
    tr_pose_constraint c[] = {{.body = foot, .point = {-0.08, 0, -0.08}},
                              {.body = foot, .point = {0.12, 0, -0.08}}};
    for (int i = 0; i < 2; i++)
        c[i].target = tr_vec3_add(point_of(&pose, &c[i]), (tr_vec3){0, 0.1, 0.03});
    assert_true(tr_pose_constrain(model, c, 2, &pose) < 1e-3);
    assert_true(tr_quat_log(pose.joint[shank]).y > 0.2);
}
