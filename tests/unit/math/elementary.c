/* controllers/math/elementary.h against the C library's long double functions, and against its own
 * golden bits. */
#include "cmocka_test.h"

#include "math/elementary.h"
#include "math/hash.h"
#include "math/random.h"

#include <stdio.h>

#define TOLERANCE 2.5e-16L
#define GOLDEN 0xfd2c9b73f9c5c117ULL

static long double error_of(double got, long double expected) {
    long double scale = fabsl(expected) > 1 ? fabsl(expected) : 1;
    return fabsl((long double)got - expected) / scale;
}

static double spread(tr_random *r, double scale) {
    return scale * (2.0 * tr_random_uniform(r) - 1.0);
}

TEST(test_accuracy) {
    tr_random r = tr_random_seed(11);
    long double worst[5] = {0};
    for (int i = 0; i < 200000; i++) {
        double x = spread(&r, i % 2 ? 7.0 : 1000.0), y = spread(&r, 2.0), e = spread(&r, 20.0);
        long double errors[5] = {error_of(tr_sin(x), sinl((long double)x)),
                                 error_of(tr_cos(x), cosl((long double)x)),
                                 error_of(tr_atan2(y, x), atan2l((long double)y, (long double)x)),
                                 error_of(tr_exp(e), expl((long double)e)),
                                 error_of(tr_tanh(e / 4), tanhl((long double)(e / 4)))};
        for (int k = 0; k < 5; k++)
            worst[k] = errors[k] > worst[k] ? errors[k] : worst[k];
        assert_true(error_of(tr_log(exp(e)), logl((long double)exp(e))) < TOLERANCE);
    }
    printf("largest errors: sin %.2Lg cos %.2Lg atan2 %.2Lg exp %.2Lg tanh %.2Lg\n", worst[0],
           worst[1], worst[2], worst[3], worst[4]);
    assert_true(worst[0] < TOLERANCE && worst[1] < TOLERANCE);
    assert_true(worst[2] < 2 * TOLERANCE);
    assert_true(worst[3] < 4 * TOLERANCE);
    assert_true(worst[4] < 2 * TOLERANCE);
}

TEST(test_special_values) {
    assert_true(tr_sin(0) == 0 && tr_cos(0) == 1);
    assert_true(tr_atan2(0, 0) == 0 && tr_atan2(0, 1) == 0 && tr_atan2(0, -1) > 3.14);
    assert_true(tr_atan2(1, 0) == 1.57079632679489661923 &&
                tr_atan2(-1, 0) == -1.57079632679489661923);
    assert_true(tr_acos(2) == 0 && tr_asin(2) == 1.57079632679489661923);
    assert_true(tr_log(1) == 0 && isinf(tr_log(0)) && isnan(tr_log(-1)));
    assert_true(tr_exp(0) == 1 && tr_exp(-1e9) == 0 && isinf(tr_exp(1e9)));
    assert_true(tr_tanh(0) == 0 && tr_tanh(1e9) == 1 && tr_tanh(-INFINITY) == -1);
    assert_true(isnan(tr_sin(INFINITY)) && isnan(tr_cos(NAN)) && isnan(tr_atan2(NAN, 1)));
    assert_true(fabs(tr_sin(1e300)) <= 1.0);
}

/* Any machine, compiler or option that changes a bit is found here first. */
TEST(test_golden_bits) {
    tr_random r = tr_random_seed(12);
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < 10000; i++) {
        double x = spread(&r, 100.0), y = spread(&r, 100.0);
        double values[5] = {tr_sin(x), tr_cos(x), tr_atan2(y, x), tr_log(fabs(x) + 1e-9),
                            tr_exp(0.1 * y)};
        hash = tr_hash_add(hash, values, sizeof values);
    }
    printf("hash %016llx\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN);
}
