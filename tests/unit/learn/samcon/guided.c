#include "cmocka_test.h"

#include "control/chain/chain.h"
#include "learn/samcon/guided.h"
#include "math/random.h"
#include "unit/learn/near.h"

#include <stdlib.h>

enum { VISITS = 300, SIZE = 3 };

static double true_gain(int fragment, int i, int j) {
    return 0.1 * fragment + 0.02 * i - 0.01 * j;
}

/* A walk whose actions follow a known policy with noise; pushed steps act at random. */
static tr_walk known_walk(double noise) {
    tr_walk walk = {.count = 2 * VISITS};
    walk.step = calloc(2 * VISITS, sizeof *walk.step);
    for (int q = 0; q < walk.count; q++) {
        tr_random random = tr_random_split(7, (uint64_t)q, 0);
        tr_walk_step *step = &walk.step[q];
        step->fragment = q % 2;
        step->pushed = q % 10 == 3 || q % 10 == 6;
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            step->features.s[j] = tr_random_normal(&random) + j;
        for (int i = 0; i < SIZE; i++) {
            step->action[i] = 0.5 * i + noise * tr_random_normal(&random);
            for (int j = 0; j < TR_FEATURE_COUNT; j++)
                step->action[i] += true_gain(step->fragment, i, j) * step->features.s[j];
            if (step->pushed)
                step->action[i] += 100;
        }
    }
    return walk;
}

static tr_controller *two_fragments(void) {
    tr_controller *controller = NULL;
    assert_int_equal(tr_chain_create(2, 2, 18, &controller), TR_OK);
    tr_controller_bank(controller)->action.size = SIZE;
    return controller;
}

TEST(a_known_policy_is_recovered) {
    tr_walk walk = known_walk(0);
    OWN(tr_controller) *controller = two_fragments();
    tr_guided_def def = {.lambda = 1e-9, .sigma_floor_rad = 0.01, .blend = 1};
    tr_guided_result result;
    assert_int_equal(tr_guided_regress(&walk, &def, tr_controller_bank(controller), &result),
                     TR_OK);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < SIZE; i++) {
            const tr_policy *policy = &tr_controller_bank(controller)->fragment[k].policy;
            assert_near(policy->offset[i], 0.5 * i, 1e-8);
            assert_near(policy->sigma[i], 0.01, 1e-12);
            for (int j = 0; j < TR_FEATURE_COUNT; j++)
                assert_near(policy->m[i][j], true_gain(k, i, j), 1e-9);
        }
    assert_near(result.r2, 1, 1e-9);
    tr_walk_deinit(&walk);
}

TEST(the_residual_becomes_the_exploration) {
    tr_walk walk = known_walk(0.2);
    OWN(tr_controller) *controller = two_fragments();
    tr_guided_def def = {.lambda = 1e-6, .sigma_floor_rad = 0.01, .blend = 1};
    tr_guided_result result;
    assert_int_equal(tr_guided_regress(&walk, &def, tr_controller_bank(controller), &result),
                     TR_OK);
    assert_in_range((int)(1000 * result.sigma_rad), 180, 215);
    assert_true(result.r2 > 0.5 && result.r2 < 1);
    tr_walk_deinit(&walk);
}

TEST(a_blend_goes_part_of_the_way) {
    tr_walk walk = known_walk(0);
    OWN(tr_controller) *controller = two_fragments();
    tr_guided_def def = {.lambda = 1e-9, .sigma_floor_rad = 0.01, .blend = 0.25};
    tr_guided_result result;
    tr_controller_bank(controller)->fragment[1].policy.m[2][3] = 1;
    tr_controller_bank(controller)->fragment[1].policy.offset[2] = 3;
    assert_int_equal(tr_guided_regress(&walk, &def, tr_controller_bank(controller), &result),
                     TR_OK);
    const tr_policy *policy = &tr_controller_bank(controller)->fragment[1].policy;
    assert_near(policy->m[2][3], 0.75 * 1 + 0.25 * true_gain(1, 2, 3), 1e-9);
    assert_near(policy->offset[2], 0.75 * 3 + 0.25 * 1, 1e-8);
    tr_walk_deinit(&walk);
}

TEST(too_few_visits_change_nothing) {
    tr_walk walk = known_walk(0);
    OWN(tr_controller) *controller = two_fragments();
    tr_controller_bank(controller)->fragment[0].policy.offset[0] = 42;
    walk.count = 3; /* fragment 1 is visited once */
    tr_guided_def def = {.lambda = 1e-6, .blend = 1};
    tr_guided_result result;
    assert_int_equal(tr_guided_regress(&walk, &def, tr_controller_bank(controller), &result),
                     TR_FAILED_PRECONDITION);
    assert_true(tr_controller_bank(controller)->fragment[0].policy.offset[0] == 42);
    tr_walk_deinit(&walk);
}
