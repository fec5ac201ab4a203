#include "cmocka_test.h"

#include "proto/quantise.h"

#include <math.h>

/* The bits from `at` on. */
static unsigned bits_of(const uint8_t bytes[TR_QUANTISED_SIZE], int at, int count) {
    uint64_t all = 0;
    for (int i = 0; i < TR_QUANTISED_SIZE; i++)
        all |= (uint64_t)bytes[i] << (8 * i);
    return (unsigned)(all >> at & ((1u << count) - 1));
}

/* Of four unit components the largest is left out, whatever its sign; the others keep 15 bits. */
TEST(a_rotation_keeps_its_smaller_components) {
    for (int largest = 0; largest < 4; largest++)
        for (int sign = -1; sign <= 1; sign += 2) {
            float q[4] = {0.1F, -0.2F, 0.3F, 0.05F};
            uint8_t bytes[TR_QUANTISED_SIZE];
            q[largest] = (float)sign * 0.9F;
            tr_quantise_rotation(q, bytes);
            assert_int_equal(bits_of(bytes, 45, 2), largest);
            for (int i = 0, shift = 0; i < 4; i++) {
                if (i == largest)
                    continue;
                const double level = bits_of(bytes, shift, 15);
                const double value = (level / 32767 * 2 - 1) * sqrt(0.5);
                assert_true(fabs(value - (double)q[i] * sign) < 3e-5);
                shift += 15;
            }
        }
    static const float wide[4] = {1, -1, 1, 1}; /* no rotation: clamped */
    uint8_t bytes[TR_QUANTISED_SIZE];
    tr_quantise_rotation(wide, bytes);
    assert_int_equal(bits_of(bytes, 0, 15), 0);
    assert_int_equal(bits_of(bytes, 15, 15), 32767);
}

TEST(a_vector_is_rounded_and_clamped) {
    static const struct {
        float value;
        int16_t step;
    } cases[] = {{0.5F, 64},         {-0.5F, -64}, {1e9F, INT16_MAX},
                 {-1e9F, INT16_MIN}, {NAN, 0},     {0.004F, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float v[3] = {cases[i].value, 0, cases[i].value};
        uint8_t bytes[TR_QUANTISED_SIZE];
        tr_quantise_vector(v, 1.0F / 128, bytes);
        assert_int_equal((int16_t)bits_of(bytes, 0, 16), cases[i].step);
        assert_int_equal((int16_t)bits_of(bytes, 32, 16), cases[i].step);
    }
}
