#include "cmocka_test.h"

#include "control/graph/control_graph.h"
#include "learn/train/borrow.h"
#include "model/mjcf.h"
#include "unit/learn/graph/two_skills.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

static tr_controller *lender; /* a graph, whose fragments have different gains */
static tr_ensemble *ensemble;

FIXTURE(load) {
    two_skills_load(given);
    lender = two_skills_build(1, &(two_skills_tale){0});
    ensemble = sway_ensemble(two_skills_model, 2);
    tr_bank *bank = &tr_graph_of(lender)->bank;
    for (int k = 0; k < bank->fragment_count; k++)
        bank->fragment[k].policy.m[3][4] = 1e-4 * (k + 1);
}

static int unload(void **state) {
    tr_ensemble_destroy(ensemble);
    tr_controller_destroy(lender);
    return two_skills_unload(state);
}

static tr_status borrow(const tr_controller *loop, const tr_model *of, tr_borrowed *out) {
    return tr_borrow_gains(ensemble, loop, lender, of, 1, out);
}

TEST(the_gains_are_those_of_a_skill_and_answer_deviations_alone) {
    const tr_control_graph *graph = tr_graph_of(lender);
    tr_borrowed got = {0};
    assert_int_equal(borrow(two_skills[1], two_skills_model, &got), TR_OK);
    const int node = tr_control_graph_find(graph, got.skill);
    assert_true(node >= 0 && got.hold.held == got.hold.trials);
    const tr_graph_node *from = &graph->node[node];
    const tr_bank *bank = tr_controller_bank(got.controller);
    for (int k = 0; k < bank->fragment_count; k++) {
        const tr_fragment *fragment = &bank->fragment[k];
        const double least = graph->bank.fragment[from->first].policy.m[3][4];
        double action[TR_ACTION_MAX];
        assert_true(fragment->policy.m[3][4] >= least);
        assert_true(fragment->policy.m[3][4] < least + 1e-4 * from->count);
        const tr_features at = tr_features_at(two_skills_model, &fragment->start);
        tr_policy_evaluate(&fragment->policy, bank->action.size, &at, action);
        for (int i = 0; i < bank->action.size; i++)
            assert_near(action[i], 0, 1e-12);
    }
    assert_int_equal(tr_controller_check(got.controller, two_skills_model, NULL), TR_OK);
    tr_controller_destroy(got.controller);
}

TEST(only_skills_of_the_same_limbs_gains_and_action_lend) {
    tr_borrowed got = {0};
    tr_model *tall = NULL;
    assert_int_equal(tr_mjcf_load(TR_MODEL_DIR "/humanoid_long_legs.xml", &tall, NULL), TR_OK);
    assert_int_equal(borrow(two_skills[0], tall, &got), TR_NOT_FOUND);
    tr_model_destroy(tall);
    assert_int_equal(
        tr_borrow_gains(ensemble, two_skills[0], two_skills[1], two_skills_model, 1, &got),
        TR_NOT_FOUND);
    tr_controller *paper = sway_stander(two_skills_model, false);
    assert_int_equal(borrow(paper, two_skills_model, &got), TR_NOT_FOUND);
    tr_controller_destroy(paper);
    assert_null(got.controller);
}

SUITE_FIXTURE(load, unload);
