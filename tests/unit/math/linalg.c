/* controllers/math/linalg.h: the regression recovers what made the data; inverses, eigenvectors and
 * products satisfy their definitions. */
#include "cmocka_test.h"

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

TEST(test_regression_recovers_an_affine_map) {
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

TEST(test_residual_is_the_noise) {
    static regression_case k;
    make_case(&k, 0.05);
    tr_regression data = regression_of(&k, 1e-6);
    double m[ACTIONS][STATES], c[ACTIONS], residual[ACTIONS];
    assert_int_equal(tr_linalg_regress(&data, m[0], c, residual), TR_OK);
    for (int i = 0; i < ACTIONS; i++)
        assert_true(residual[i] > 0.04 && residual[i] < 0.06);
}

TEST(test_large_lambda_leaves_the_mean) {
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

TEST(test_bad_problems_are_refused) {
    static regression_case k;
    make_case(&k, 0.0);
    tr_regression data = regression_of(&k, 1e-6);
    double m[ACTIONS][STATES], c[ACTIONS], residual[ACTIONS];
    data.count = 1;
    assert_int_equal(tr_linalg_regress(&data, m[0], c, residual), TR_INVALID_ARGUMENT);
    double indefinite[4] = {1, 2, 2, 1}, b[2] = {1, 1}, log_det;
    assert_int_equal(tr_linalg_solve_spd(2, indefinite, 1, b), TR_FAILED_PRECONDITION);
    double indefinite_too[4] = {1, 2, 2, 1};
    assert_int_equal(tr_linalg_invert_spd(2, indefinite_too, &log_det), TR_FAILED_PRECONDITION);
    data = regression_of(&k, 0.0);
    memset(k.s, 0, sizeof k.s);
    assert_int_equal(tr_linalg_regress(&data, m[0], c, residual), TR_FAILED_PRECONDITION);
}

enum { SIZE = 60 };

/* B B^T + 1/10, of random B. */
static void make_spd(double a[SIZE][SIZE]) {
    tr_random r = tr_random_seed(3);
    static double b[SIZE][SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            b[i][j] = tr_random_normal(&r);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = i == j ? 0.1 : 0;
            for (int k = 0; k < SIZE; k++)
                a[i][j] += b[i][k] * b[j][k];
        }
}

TEST(test_inverse_times_matrix_is_the_identity) {
    static double a[SIZE][SIZE], inverse[SIZE][SIZE], product[SIZE][SIZE];
    double log_det;
    make_spd(a);
    memcpy(inverse, a, sizeof a);
    for (int i = 0; i < SIZE; i++) /* the upper triangle is not read */
        for (int j = i + 1; j < SIZE; j++)
            inverse[i][j] = NAN;
    assert_int_equal(tr_linalg_invert_spd(SIZE, inverse[0], &log_det), TR_OK);
    tr_product times = {SIZE, SIZE, SIZE, a[0], inverse[0], SIZE, SIZE, SIZE, false, false, 1, 0};
    tr_linalg_multiply(&times, product[0]);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            assert_true(fabs(product[i][j] - (i == j)) < 1e-9);
}

TEST(test_determinant_is_the_product_of_the_eigenvalues) {
    static double a[SIZE][SIZE], vectors[SIZE][SIZE];
    double values[SIZE], log_det, sum = 0;
    make_spd(a);
    memcpy(vectors, a, sizeof a);
    assert_int_equal(tr_linalg_eigen_symmetric(SIZE, vectors[0], values), TR_OK);
    assert_int_equal(tr_linalg_invert_spd(SIZE, a[0], &log_det), TR_OK);
    for (int i = 0; i < SIZE; i++)
        sum += log(values[i]);
    assert_true(fabs(sum - log_det) < 1e-8);
}

TEST(test_eigenvectors_are_rows_with_their_values) {
    static double a[SIZE][SIZE], vectors[SIZE][SIZE];
    double values[SIZE];
    make_spd(a);
    memcpy(vectors, a, sizeof a);
    assert_int_equal(tr_linalg_eigen_symmetric(SIZE, vectors[0], values), TR_OK);
    for (int v = 0; v < SIZE; v++) {
        assert_true(v == 0 || values[v - 1] <= values[v]);
        for (int i = 0; i < SIZE; i++) {
            double image = 0;
            for (int j = 0; j < SIZE; j++)
                image += a[i][j] * vectors[v][j];
            assert_true(fabs(image - values[v] * vectors[v][i]) < 1e-9);
        }
    }
}

TEST(test_products_transpose_scale_and_keep) {
    const double a[2][3] = {{1, 2, 3}, {4, 5, 6}}, b[2][2] = {{1, 0}, {2, 1}};
    double out[3][4] = {{1, 1, 9, 9}, {1, 1, 9, 9}, {1, 1, 9, 9}};
    tr_product times = {.rows = 3,
                        .inner = 2,
                        .columns = 2,
                        .a = a[0],
                        .b = b[0],
                        .a_stride = 3,
                        .b_stride = 2,
                        .out_stride = 4,
                        .a_transposed = true,
                        .b_transposed = true,
                        .scale = 2,
                        .keep = 1};
    tr_linalg_multiply(&times, out[0]);
    const double expected[3][4] = {{3, 13, 9, 9}, {5, 19, 9, 9}, {7, 25, 9, 9}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            assert_true(out[i][j] == expected[i][j]);
}
