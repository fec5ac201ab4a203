/* controllers/math/linalg.h: the regression recovers what made the data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/linalg.h"
#include "math/random.h"

#include <string.h>

enum { COUNT = 400, STATES = 18, ACTIONS = 11 };

typedef struct regression_case {
    double m[ACTIONS][STATES], c[ACTIONS], s[COUNT][STATES], a[COUNT][ACTIONS];
} regression_case;

static void make_case(regression_case *k, double noise) {
    tr_random r = tr_random_seed(7);
    for (int i = 0; i < ACTIONS; i++) {
        k->c[i] = tr_random_normal(&r);
        for (int j = 0; j < STATES; j++)
            k->m[i][j] = tr_random_normal(&r);
    }
    for (int n = 0; n < COUNT; n++) {
        for (int j = 0; j < STATES; j++)
            k->s[n][j] = 0.1 * tr_random_normal(&r) + j;
        for (int i = 0; i < ACTIONS; i++) {
            k->a[n][i] = k->c[i] + noise * tr_random_normal(&r);
            for (int j = 0; j < STATES; j++)
                k->a[n][i] += k->m[i][j] * k->s[n][j];
        }
    }
}

static tr_regression regression_of(const regression_case *k, double lambda) {
    return (tr_regression){.count = COUNT,
                           .state_size = STATES,
                           .action_size = ACTIONS,
                           .s = k->s[0],
                           .a = k->a[0],
                           .lambda = lambda};
}

static void test_regression_recovers_an_affine_map(void **state) {
    (void)state;
    static regression_case k;
    make_case(&k, 0.0);
    tr_regression data = regression_of(&k, 1e-12);
    double m[ACTIONS][STATES], c[ACTIONS], residual[ACTIONS];
    assert_int_equal(tr_linalg_regress(&data, m[0], c, residual), TR_OK);
    for (int i = 0; i < ACTIONS; i++) {
        assert_true(fabs(c[i] - k.c[i]) < 1e-6);
        assert_true(residual[i] < 1e-8);
        for (int j = 0; j < STATES; j++)
            assert_true(fabs(m[i][j] - k.m[i][j]) < 1e-7);
    }
}

static void test_residual_is_the_noise(void **state) {
    (void)state;
    static regression_case k;
    make_case(&k, 0.05);
    tr_regression data = regression_of(&k, 1e-6);
    double m[ACTIONS][STATES], c[ACTIONS], residual[ACTIONS];
    assert_int_equal(tr_linalg_regress(&data, m[0], c, residual), TR_OK);
    for (int i = 0; i < ACTIONS; i++)
        assert_true(residual[i] > 0.04 && residual[i] < 0.06);
}

static void test_large_lambda_leaves_the_mean(void **state) {
    (void)state;
    static regression_case k;
    make_case(&k, 0.0);
    tr_regression data = regression_of(&k, 1e12);
    double m[ACTIONS][STATES], c[ACTIONS], residual[ACTIONS], mean = 0;
    assert_int_equal(tr_linalg_regress(&data, m[0], c, residual), TR_OK);
    for (int n = 0; n < COUNT; n++)
        mean += k.a[n][0] / COUNT;
    assert_true(fabs(m[0][0]) < 1e-9);
    assert_true(fabs(c[0] - mean) < 1e-6);
}

static void test_bad_problems_are_refused(void **state) {
    (void)state;
    static regression_case k;
    make_case(&k, 0.0);
    tr_regression data = regression_of(&k, 1e-6);
    double m[ACTIONS][STATES], c[ACTIONS], residual[ACTIONS];
    data.count = 1;
    assert_int_equal(tr_linalg_regress(&data, m[0], c, residual), TR_INVALID_ARGUMENT);
    double indefinite[4] = {1, 2, 2, 1}, b[2] = {1, 1};
    assert_int_equal(tr_linalg_solve_spd(2, indefinite, 1, b), TR_FAILED_PRECONDITION);
    data = regression_of(&k, 0.0);
    memset(k.s, 0, sizeof k.s);
    assert_int_equal(tr_linalg_regress(&data, m[0], c, residual), TR_FAILED_PRECONDITION);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regression_recovers_an_affine_map),
        cmocka_unit_test(test_residual_is_the_noise),
        cmocka_unit_test(test_large_lambda_leaves_the_mean),
        cmocka_unit_test(test_bad_problems_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
