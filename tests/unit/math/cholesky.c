/* controllers/math/cholesky.h: factors and solutions satisfy their definitions, with fixed bits. */
#include "cmocka_test.h"

#include "math/cholesky.h"
#include "math/hash.h"
#include "math/random.h"

#include <math.h>
#include <string.h>

enum { SIZE = 37, COLUMNS = 5 };

static void make_spd(double a[SIZE][SIZE]) {
    tr_random r = tr_random_seed(11);
    static double b[SIZE][SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            b[i][j] = tr_random_normal(&r);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = i == j ? 0.5 : 0;
            for (int k = 0; k < SIZE; k++)
                a[i][j] += b[i][k] * b[j][k];
        }
}

static void make_columns(double b[SIZE][COLUMNS]) {
    tr_random r = tr_random_seed(12);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < COLUMNS; j++)
            b[i][j] = tr_random_normal(&r);
}

TEST(test_factor_squared_is_the_matrix) {
    static double a[SIZE][SIZE], r[SIZE][SIZE];
    make_spd(a);
    memcpy(r, a, sizeof a);
    for (int i = 0; i < SIZE; i++) /* the lower triangle is not read */
        for (int j = 0; j < i; j++)
            r[i][j] = NAN;
    assert_int_equal(tr_cholesky_factor(SIZE, r[0]), TR_OK);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            double sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += r[k][i] * r[k][j];
            assert_true(fabs(sum - a[i][j]) < 1e-11);
            assert_true(j >= i || r[i][j] == 0);
        }
}

TEST(test_solution_satisfies_the_system) {
    static double a[SIZE][SIZE], r[SIZE][SIZE], b[SIZE][COLUMNS], x[SIZE][COLUMNS];
    make_spd(a);
    make_columns(b);
    memcpy(r, a, sizeof a);
    memcpy(x, b, sizeof b);
    assert_int_equal(tr_cholesky_factor(SIZE, r[0]), TR_OK);
    tr_cholesky_solve(SIZE, r[0], COLUMNS, x[0]);
    for (int i = 0; i < SIZE; i++)
        for (int c = 0; c < COLUMNS; c++) {
            double sum = 0;
            for (int j = 0; j < SIZE; j++)
                sum += a[i][j] * x[j][c];
            assert_true(fabs(sum - b[i][c]) < 1e-10);
        }
}

TEST(test_lower_inverse_gives_the_quadratic_form) {
    static double r[SIZE][SIZE], inverse[SIZE][SIZE], b[SIZE][COLUMNS], x[SIZE][COLUMNS],
        half[SIZE][COLUMNS];
    make_spd(r);
    make_columns(b);
    assert_int_equal(tr_cholesky_factor(SIZE, r[0]), TR_OK);
    tr_cholesky_invert_lower(SIZE, r[0], inverse[0]);
    memcpy(x, b, sizeof b);
    tr_cholesky_solve(SIZE, r[0], COLUMNS, x[0]);
    memcpy(half, b, sizeof b);
    tr_cholesky_solve_lower(SIZE, r[0], COLUMNS, half[0]);
    for (int c = 0; c < COLUMNS; c++) {
        double form = 0, square = 0, half_square = 0;
        for (int i = 0; i < SIZE; i++) {
            double z = 0;
            for (int j = 0; j <= i; j++)
                z += inverse[i][j] * b[j][c];
            square += z * z;
            half_square += half[i][c] * half[i][c];
            form += b[i][c] * x[i][c];
        }
        assert_true(fabs(square - form) < 1e-9 * form);
        assert_true(fabs(half_square - form) < 1e-9 * form);
    }
}

/* The same at -O0 and -O2, with gcc and clang, on every processor. */
TEST(test_bits_are_fixed) {
    static double r[SIZE][SIZE], b[SIZE][COLUMNS];
    make_spd(r);
    make_columns(b);
    assert_int_equal(tr_cholesky_factor(SIZE, r[0]), TR_OK);
    tr_cholesky_solve(SIZE, r[0], COLUMNS, b[0]);
    uint64_t hash = tr_hash_add(TR_HASH_START, r, sizeof r);
    hash = tr_hash_add(hash, b, sizeof b);
    assert_true(hash == 0x47773349b608cc12);
}

TEST(test_indefinite_matrices_are_refused) {
    double indefinite[4] = {1, 2, 2, 1}, unknown[4] = {NAN, 0, 0, 1};
    assert_int_equal(tr_cholesky_factor(2, indefinite), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_cholesky_factor(2, unknown), TR_FAILED_PRECONDITION);
}
