#include "cmocka_test.h"

#include "control/torque/ground/disturbance.h"
#include "unit/control/puppet.h"

static const double STEP_S = 0.005, TIME_S = 0.1;

/* Steps in which a force acts on a body whose plan counts on the estimate. */
static void act(tr_disturbance *disturbance, tr_momenta *momenta, tr_vec3 force, int steps) {
    for (int k = 0; k < steps; k++) {
        tr_disturbance_observe(disturbance, momenta, TIME_S);
        const tr_momenta planned = {{1, 2, 3}, {4, 5, 6}};
        const tr_vec3 unforeseen = tr_vec3_sub(force, disturbance->force);
        tr_disturbance_expect(disturbance, momenta, &planned, STEP_S);
        *momenta = disturbance->expected;
        momenta->linear = tr_vec3_add_scaled(momenta->linear, STEP_S, unforeseen);
    }
}

/* In the time T it has seen 1 - 1/e of the force. */
TEST(a_force_is_noticed_and_fades) {
    tr_disturbance disturbance = {0};
    tr_momenta momenta = {0};
    act(&disturbance, &momenta, (tr_vec3){50, -20, 0}, 1 + (int)(TIME_S / STEP_S));
    assert_near(disturbance.force.x, 50 * 0.632, 1);
    act(&disturbance, &momenta, (tr_vec3){50, -20, 0}, 200);
    assert_near(disturbance.force.x, 50, 0.01);
    assert_near(disturbance.force.y, -20, 0.01);
    act(&disturbance, &momenta, (tr_vec3){0, 0, 0}, 200);
    assert_near(tr_vec3_length(disturbance.force), 0, 0.01);
    assert_near(tr_vec3_length(disturbance.moment), 0, 1e-9);
}

TEST(an_estimate_is_bounded) {
    tr_disturbance disturbance = {0};
    tr_momenta momenta = {0};
    act(&disturbance, &momenta, (tr_vec3){3000, 4000, 0}, 100);
    assert_near(disturbance.force.x, 90, 1e-9);
    assert_near(disturbance.force.y, 120, 1e-9);
}

/* A restored or new state has nothing to compare with. */
TEST(nothing_expected_is_nothing_observed) {
    tr_disturbance disturbance = {0};
    const tr_momenta moving = {{60, 0, 0}, {0, 5, 0}};
    tr_disturbance_observe(&disturbance, &moving, TIME_S);
    assert_near(tr_vec3_length(disturbance.force), 0, 0);
}
