#include "cmocka_test.h"

#include "math/quat.h"
#include "math/random.h"
#include "proto/pose_bits.h"

#include <math.h>
#include <string.h>

enum { SIZE = 64 };

static tr_quat taken_rotation(tr_quat q, size_t *out_bits) {
    uint8_t bytes[SIZE] = {0};
    double back[4];
    tr_pose_bits writer = {.bytes = bytes, .size = SIZE}, reader = writer;
    tr_pose_put_rotation(&writer, (const double[]){q.w, q.x, q.y, q.z});
    tr_pose_take_rotation(&reader, back);
    assert_int_equal(reader.at, writer.at);
    assert_false(reader.ended || writer.ended);
    *out_bits = writer.at;
    return (tr_quat){back[0], back[1], back[2], back[3]};
}

TEST(rotations_come_back) {
    tr_random random = tr_random_seed(1);
    double worst = 0;
    size_t bits;
    for (int i = 0; i < 100000; i++) {
        tr_vec3 turn = {tr_random_normal(&random), tr_random_normal(&random),
                        tr_random_normal(&random)};
        tr_quat q = tr_quat_exp(tr_vec3_scale(turn, exp(-3 * tr_random_uniform(&random))));
        if (i % 2)
            q = (tr_quat){-q.w, -q.x, -q.y, -q.z};
        tr_quat back = taken_rotation(q, &bits);
        assert_in_range(bits, 3, TR_POSE_ROTATION_BITS);
        worst = fmax(worst, tr_quat_angle(q, back));
    }
    assert_true(worst < 0.0125);
    assert_true(worst > 0.005); /* it does measure */
}

TEST(small_turns_take_few_bits) {
    size_t none, small, large;
    (void)taken_rotation(tr_quat_identity(), &none);
    (void)taken_rotation(tr_quat_exp((tr_vec3){0.05, -0.02, 0}), &small);
    (void)taken_rotation(tr_quat_exp((tr_vec3){0, 3, 0.1}), &large);
    assert_int_equal(none, 3);
    assert_int_equal(small, 3 + 3 * 4);
    assert_int_equal(large, TR_POSE_ROTATION_BITS);
}

TEST(angles_and_numbers_come_back) {
    for (int i = -900; i < 900; i++) {
        const double rad = 0.01 * i;
        uint8_t bytes[SIZE] = {0};
        tr_pose_bits writer = {.bytes = bytes, .size = SIZE}, reader = writer;
        double whole = round(exp(fabs(rad) * 2) * rad);
        tr_pose_put_angle(&writer, rad);
        tr_pose_put_number(&writer, whole);
        assert_true(fabs(tr_angle_wrap(tr_pose_take_angle(&reader) - rad)) < 3.1e-3);
        assert_true(tr_pose_take_number(&reader) == whole);
        assert_int_equal(reader.at, writer.at);
    }
}

TEST(numbers_out_of_range_become_the_nearest) {
    static const double in[] = {1e300, -INFINITY, NAN};
    static const double out[] = {1073741823, -1073741823, 0};
    for (int i = 0; i < 3; i++) {
        uint8_t bytes[SIZE] = {0};
        tr_pose_bits writer = {.bytes = bytes, .size = SIZE}, reader = writer;
        tr_pose_put_number(&writer, in[i]);
        tr_pose_put_angle(&writer, in[i]);
        tr_pose_put_rotation(&writer, (const double[]){in[i], 1, NAN, 0});
        assert_true(tr_pose_take_number(&reader) == out[i]);
        assert_false(writer.ended);
    }
}

/* Any bytes are a pose, or end too early. */
TEST(a_reader_stops_at_the_end) {
    tr_random random = tr_random_seed(2);
    for (int i = 0; i < 10000; i++) {
        uint8_t bytes[8];
        double q[4];
        tr_pose_bits reader = {.bytes = bytes, .size = (size_t)(i % 9)};
        uint64_t draw = tr_random_next(&random);
        memcpy(bytes, &draw, sizeof bytes);
        while (!reader.ended) {
            tr_pose_take_rotation(&reader, q);
            assert_true(fabs(q[0]) < 1.1);
            (void)tr_pose_take_number(&reader);
        }
        assert_in_range(reader.at, 0, 8 * reader.size);
    }
}
