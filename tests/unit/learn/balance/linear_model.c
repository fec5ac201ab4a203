#include "cmocka_test.h"

#include "learn/balance/linear_model.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 200 };

static const double H = 0.1, PUSH = 0.02;

/* A mass that is pushed: x' = x + h v, v' = v + h u + PUSH, seen at random places. */
static tr_linear_samples pushed_mass(void) {
    tr_linear_samples samples;
    tr_random random = tr_random_seed(3);
    assert_int_equal(tr_linear_samples_init(&samples, 2, 1, ROWS), TR_OK);
    for (int i = 0; i < ROWS; i++) {
        double *row = tr_linear_samples_add(&samples);
        assert_non_null(row);
        row[0] = tr_random_normal(&random);
        row[1] = 5 * tr_random_normal(&random);
        row[2] = 0.1 * tr_random_normal(&random);
        row[3] = row[0] + H * row[1];
        row[4] = row[1] + H * row[2] + PUSH;
    }
    assert_null(tr_linear_samples_add(&samples));
    return samples;
}

TEST(the_model_of_exact_samples_is_exact) {
    OWN_BY(tr_linear_samples_deinit) tr_linear_samples samples = pushed_mass();
    tr_linear_model model;
    assert_int_equal(tr_linear_model_fit(&samples, 1e-12, true, &model), TR_OK);
    const double a[] = {0, H, 0, 0}, b[] = {0, H}, c[] = {0, PUSH};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(model.a[i] - a[i]) < 1e-6);
    for (int i = 0; i < 2; i++)
        assert_true(fabs(model.b[i] - b[i]) < 1e-6 && fabs(model.c[i] - c[i]) < 1e-6);
}

/* x' = 1.1 x + u with costs of 1: P = 1 + 1.21 P - (1.1 P)^2 / (1 + P). */
TEST(the_gain_of_one_state_solves_its_riccati_equation) {
    const tr_linear_model model = {.states = 1, .actions = 1, .a = {0.1}, .b = {1}};
    const double cost = 1;
    double gain, offset, p = (1.21 + sqrt(1.21 * 1.21 + 4)) / 2;
    assert_int_equal(tr_linear_regulator(&model, &cost, 1, 200, &gain, &offset), TR_OK);
    assert_true(fabs(gain - 1.1 * p / (1 + p)) < 1e-9);
    assert_true(offset == 0);
}

TEST(the_regulator_holds_the_mass_against_the_push) {
    OWN_BY(tr_linear_samples_deinit) tr_linear_samples samples = pushed_mass();
    tr_linear_model model;
    const double cost[] = {10, 0.1};
    double gain[2], offset, x = 1, v = 0;
    assert_int_equal(tr_linear_model_fit(&samples, 1e-12, true, &model), TR_OK);
    assert_int_equal(tr_linear_regulator(&model, cost, 0.01, 400, gain, &offset), TR_OK);
    for (int i = 0; i < 400; i++) {
        double u = -gain[0] * x - gain[1] * v - offset;
        x += H * v;
        v += H * u + PUSH;
    }
    assert_true(fabs(x) < 1e-3 && fabs(v) < 1e-3);
}

TEST(too_few_samples_are_refused) {
    tr_linear_samples samples;
    tr_linear_model model;
    assert_int_equal(tr_linear_samples_init(&samples, TR_LINEAR_STATE_MAX + 1, 1, 9),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_linear_samples_init(&samples, 2, 1, 9), TR_OK);
    assert_int_equal(tr_linear_model_fit(&samples, 1e-6, true, &model), TR_INVALID_ARGUMENT);
    tr_linear_samples_deinit(&samples);
}
