/* controllers/math/random.h: reference values, independence of streams, moments. */
#include "cmocka_test.h"

#include "math/random.h"

/* First outputs of SplitMix64 for seed 1234567, as published with the generator. */
TEST(test_generator_matches_its_reference) {
    tr_random r = tr_random_seed(1234567);
    assert_true(tr_random_next(&r) == 6457827717110365317ULL);
    assert_true(tr_random_next(&r) == 3203168211198807973ULL);
    assert_true(tr_random_next(&r) == 9817491932198370423ULL);
}

TEST(test_streams_differ_in_every_argument) {
    tr_random base = tr_random_split(1, 2, 3);
    assert_true(base.state == tr_random_split(1, 2, 3).state);
    assert_true(base.state != tr_random_split(2, 2, 3).state);
    assert_true(base.state != tr_random_split(1, 3, 3).state);
    assert_true(base.state != tr_random_split(1, 2, 4).state);
    assert_true(base.state != tr_random_split(1, 3, 2).state);
}

TEST(test_moments) {
    enum { N = 200000 };
    double mean = 0, square = 0, uniform = 0, lag = 0, last = 0;
    tr_random r = tr_random_seed(9);
    for (int i = 0; i < N; i++) {
        double x = tr_random_normal(&r);
        mean += x / N;
        square += x * x / N;
        lag += x * last / N;
        last = x;
        double u = tr_random_uniform(&r);
        assert_true(u >= 0.0 && u < 1.0);
        uniform += u / N;
    }
    assert_true(fabs(mean) < 0.01);
    assert_true(fabs(square - 1.0) < 0.02);
    assert_true(fabs(lag) < 0.01);
    assert_true(fabs(uniform - 0.5) < 0.005);
}
