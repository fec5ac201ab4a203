/* controllers/math/minimise.h: minima of known functions, and what stops a search. */
#include "cmocka_test.h"

#include "math/minimise.h"

#include <math.h>
#include <string.h>

enum { SIZE = 11 }; /* no multiple of a vector's length */

/* Rosenbrock's chained valley: the minimum 0 lies at (1, ..., 1). */
static double valley(void *context, const double *x, double *out_gradient) {
    (void)context;
    double value = 0;
    memset(out_gradient, 0, SIZE * sizeof *out_gradient);
    for (int i = 0; i + 1 < SIZE; i++) {
        double a = 1 - x[i], b = x[i + 1] - x[i] * x[i];
        value += a * a + 100 * b * b;
        out_gradient[i] += -2 * a - 400 * x[i] * b;
        out_gradient[i + 1] += 200 * b;
    }
    return value;
}

static tr_minimise_problem valley_problem(void) {
    return (tr_minimise_problem){
        .size = SIZE, .memory = 10, .iterations = 1000, .tolerance = 1e-9, .evaluate = valley};
}

TEST(test_finds_the_bottom_of_a_valley) {
    double x[SIZE] = {-1.2, 1, -1.2, 1, 0, 0, 2, 2, 2, 2, -1};
    tr_minimise_problem problem = valley_problem();
    tr_minimise_progress end;
    assert_int_equal(tr_minimise(&problem, x, &end), TR_OK);
    for (int i = 0; i < SIZE; i++)
        assert_true(fabs(x[i] - 1) < 1e-6);
    assert_true(end.value < 1e-12);
    assert_true(end.evaluations >= end.iterations && end.iterations > 10);
}

TEST(test_iterations_end_the_search) {
    double y[SIZE] = {0};
    tr_minimise_problem problem = valley_problem();
    tr_minimise_progress end;
    problem.iterations = 3;
    assert_int_equal(tr_minimise(&problem, y, &end), TR_OK);
    assert_int_equal(end.iterations, 3);
}

/* x - log x, not defined at or below 0: its minimum lies at 1. */
static double barrier(void *context, const double *x, double *out_gradient) {
    (void)context;
    if (!(x[0] > 0))
        return (double)INFINITY;
    out_gradient[0] = 1 - 1 / x[0];
    return x[0] - log(x[0]);
}

TEST(test_steps_out_of_the_domain_are_halved) {
    double x = 40;
    tr_minimise_progress end;
    const tr_minimise_problem problem = {
        .size = 1, .memory = 3, .iterations = 100, .tolerance = 1e-10, .evaluate = barrier};
    assert_int_equal(tr_minimise(&problem, &x, &end), TR_OK);
    assert_true(fabs(x - 1) < 1e-6);
}

TEST(test_bad_problems_are_refused) {
    double x = -1;
    tr_minimise_progress end;
    tr_minimise_problem problem = {
        .size = 1, .memory = 3, .iterations = 100, .tolerance = 1e-10, .evaluate = barrier};
    assert_int_equal(tr_minimise(&problem, &x, &end), TR_FAILED_PRECONDITION);
    assert_true(x == -1);
    problem.memory = 2;
    assert_int_equal(tr_minimise(&problem, &x, &end), TR_INVALID_ARGUMENT);
    problem.memory = 3, problem.size = 0;
    assert_int_equal(tr_minimise(&problem, &x, &end), TR_INVALID_ARGUMENT);
}
