#include "cmocka_test.h"

#include "math/random.h"
#include "unit/proto/dequantise.h"

#include <math.h>

static void unit_quaternion(tr_random *random, float out[4]) {
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = tr_random_normal(random);
        square += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] = (float)(q[i] / sqrt(square));
}

/* Angle between two rotations. */
static double angle(const float a[4], const float b[4]) {
    double d2 = 0, s2 = 0;
    for (int i = 0; i < 4; i++) {
        double d = (double)a[i] - (double)b[i], s = (double)a[i] + (double)b[i];
        d2 += d * d, s2 += s * s;
    }
    return 4 * asin(fmin(1, 0.5 * sqrt(fmin(d2, s2))));
}

TEST(rotations_come_back) {
    tr_random random = tr_random_seed(1);
    double worst = 0;
    for (int i = 0; i < 100000; i++) {
        float q[4], back[4];
        uint8_t bytes[TR_QUANTISED_SIZE];
        unit_quaternion(&random, q);
        tr_quantise_rotation(q, bytes);
        dequantise_rotation(bytes, back);
        worst = fmax(worst, angle(q, back));
    }
    assert_true(worst < 2e-4);
    assert_true(worst > 1e-5); /* it does measure */
}

TEST(axes_come_back) {
    for (int axis = 0; axis < 4; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            float q[4] = {0}, back[4];
            uint8_t bytes[TR_QUANTISED_SIZE];
            q[axis] = (float)sign;
            tr_quantise_rotation(q, bytes);
            dequantise_rotation(bytes, back);
            assert_true(angle(q, back) < 2e-4);
        }
}

TEST(vectors_come_back_or_saturate) {
    float v[3] = {1.2345f, -6.5f, 100}, back[3];
    uint8_t bytes[TR_QUANTISED_SIZE];
    tr_quantise_vector(v, TR_QUANTISED_POSITION_M, bytes);
    dequantise_vector(bytes, TR_QUANTISED_POSITION_M, back);
    assert_float_equal(back[0], v[0], 0.0001001);
    assert_float_equal(back[1], v[1], 0.0001001);
    assert_float_equal(back[2], 32767 * TR_QUANTISED_POSITION_M, 1e-5);
    v[0] = (float)NAN, v[1] = (float)-INFINITY, v[2] = (float)INFINITY;
    tr_quantise_vector(v, 1, bytes);
    dequantise_vector(bytes, 1, back);
    assert_true(back[0] == 0 && back[1] == -32768 && back[2] == 32767);
}
