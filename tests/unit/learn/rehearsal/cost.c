#include "cmocka_test.h"

#include "learn/rehearsal/cost.h"
#include "model/mjcf.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

#include <math.h>
#include <stdlib.h>

SUITE_OWN(tr_model, model);

BEFORE_ALL() {
    assert_int_equal(tr_mjcf_load(TR_SOURCE_DIR "/controllers/model/humanoid.xml", &model, NULL),
                     TR_OK);
}

static tr_cost_view look(const tr_state *state, double heading_start_rad) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_cost_view view;
    tr_state_forward(model, state, bodies);
    tr_cost_look(model, state, bodies, heading_start_rad, &view);
    return view;
}

/* A pose in motion, without symmetry, so that exchanged sides show. */
static tr_state lively(void) {
    tr_pose pose = tr_pose_rest(model);
    for (int i = 1; i < model->body_count; i++)
        if (model->body[i].joint == TR_JOINT_BALL)
            pose.joint[i] = tr_quat_exp((tr_vec3){0.05 * i, 0.1 - 0.02 * i, 0.03 * i});
    pose.root_rot = tr_quat_exp((tr_vec3){0.1, 0.2, 0.3});
    tr_state state = tr_state_at_rest(model, &pose);
    state.root_vel = (tr_vec3){1, 0.5, -0.2};
    state.root_omega = (tr_vec3){0.3, -0.4, 0.5};
    return state;
}

static double total(const tr_cost_weights *terms) {
    tr_cost_weights w = tr_cost_weights_default();
    return tr_cost_total(&w, terms, NULL, 0);
}

TEST(the_reference_costs_nothing) {
    tr_state s = lively();
    tr_cost_view view = look(&s, 0.1);
    tr_cost_weights terms = tr_cost_terms(model, &view, &view);
    assert_true(total(&terms) < 1e-6);
    assert_false(tr_cost_is_lost(&view, &view));
}

TEST(place_and_heading_cost_nothing) {
    tr_state s = lively(), moved = tr_state_place(&s, 1.3, (tr_vec3){5, -3, 0});
    tr_cost_view view = look(&moved, 0.1 + 1.3), reference = look(&s, 0.1);
    tr_cost_weights terms = tr_cost_terms(model, &view, &reference);
    assert_true(total(&terms) < 1e-5);
}

TEST(each_term_measures_its_own) {
    tr_state s = lively(), other = s;
    tr_cost_view reference = look(&s, 0), view;
    other.root_vel.y += 0.25;
    view = look(&other, 0);
    tr_cost_weights terms = tr_cost_terms(model, &view, &reference);
    assert_near(terms.velocity, 0.25, 1e-12);
    assert_near(terms.pose + terms.root + terms.effector + terms.balance + terms.centroid, 0, 1e-6);

    other = s;
    other.pose.root_pos.z += 0.1;
    view = look(&other, 0);
    terms = tr_cost_terms(model, &view, &reference);
    assert_near(terms.effector, 0.1, 1e-12);
    assert_near(terms.centroid, 0.1, 1e-12);
    assert_near(terms.balance, 0, 1e-12);

    other = s;
    int head = model->head;
    tr_quat turn = tr_quat_exp((tr_vec3){0, 0.32, 0});
    other.pose.joint[head] = tr_quat_mul(turn, other.pose.joint[head]);
    view = look(&other, 0);
    terms = tr_cost_terms(model, &view, &reference);
    int joints = model->body_count - 1 - 2; /* toes do not count */
    assert_near(terms.pose, 0.32 / joints, 1e-9);
}

TEST(toes_do_not_count) {
    tr_state s = lively(), other = s;
    other.pose.joint[model->toe[1]] = tr_quat_exp((tr_vec3){0, 0.5, 0});
    tr_cost_view view = look(&other, 0), reference = look(&s, 0);
    assert_near(tr_cost_terms(model, &view, &reference).pose, 0, 1e-7);
}

TEST(the_action_is_regularised) {
    tr_cost_weights none = {0}, weights = tr_cost_weights_default();
    double action[2] = {0.3, -0.4};
    assert_near(tr_cost_total(&weights, &none, action, 2), 0.5 * 0.5, 1e-12);
}

TEST(a_lost_motion_is_noticed) {
    tr_state s = lively(), other = s;
    tr_cost_view reference = look(&s, 0), view;
    other.pose.root_pos.z += 0.29;
    view = look(&other, 0);
    assert_false(tr_cost_is_lost(&view, &reference));
    other.pose.root_pos.z += 0.02;
    view = look(&other, 0);
    assert_true(tr_cost_is_lost(&view, &reference));
    other = s;
    other.pose.root_rot = tr_quat_mul(tr_quat_exp((tr_vec3){1.01, 0, 0}), s.pose.root_rot);
    view = look(&other, 0);
    assert_true(tr_cost_is_lost(&view, &reference));
    view.root_height = (double)NAN;
    assert_true(tr_cost_is_lost(&view, &reference));
}

TEST(references_are_the_ends_of_the_fragments) {
    OWN(tr_controller) *stander = sway_stander(model, false);
    tr_bank *bank = tr_controller_bank(stander);
    OWN_MEMORY tr_cost_view *seen = calloc((size_t)bank->fragment_count, sizeof *seen);
    assert_non_null(seen);
    bank->fragment[1].end = lively();
    tr_cost_references(model, bank, seen);
    for (int k = 0; k < bank->fragment_count; k++) {
        tr_cost_view expected = look(&bank->fragment[k].end, 0);
        tr_cost_weights terms = tr_cost_terms(model, &seen[k], &expected);
        assert_true(total(&terms) < 1e-6);
    }
    tr_cost_weights apart = tr_cost_terms(model, &seen[0], &seen[1]);
    assert_true(total(&apart) > 1);
}
