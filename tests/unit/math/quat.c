/* controllers/math/{vec3,quat,mat3}.h against identities and closed forms. */
#include "cmocka_test.h"

#include "math/quat.h"
#include "math/random.h"

static tr_vec3 random_vector(tr_random *r, double scale) {
    double x = tr_random_normal(r), y = tr_random_normal(r), z = tr_random_normal(r);
    return tr_vec3_make(scale * x, scale * y, scale * z);
}

static tr_quat random_rotation(tr_random *r) {
    tr_vec3 v = random_vector(r, 1.0);
    return tr_quat_exp(tr_vec3_scale(tr_vec3_normalize_or(v, v), TR_PI * tr_random_uniform(r)));
}

static void assert_near(tr_vec3 a, tr_vec3 b) {
    assert_true(tr_vec3_distance(a, b) < 1e-12 * (1.0 + tr_vec3_length(b)));
}

TEST(test_log_inverts_exp) {
    tr_random r = tr_random_seed(1);
    for (int i = 0; i < 1000; i++) {
        tr_quat q = random_rotation(&r);
        tr_vec3 v = tr_quat_log(q);
        assert_true(tr_vec3_length(v) <= TR_PI + 1e-12);
        assert_true(tr_quat_angle(tr_quat_exp(v), q) < 1e-7);
        tr_vec3 small = random_vector(&r, 1e-10);
        assert_near(tr_quat_log(tr_quat_exp(small)), small);
    }
}

TEST(test_matrix_and_quaternion_rotate_alike) {
    tr_random r = tr_random_seed(2);
    for (int i = 0; i < 1000; i++) {
        tr_quat q = random_rotation(&r);
        tr_vec3 v = random_vector(&r, 3.0);
        tr_mat3 m = tr_quat_to_mat3(q);
        assert_near(tr_quat_rotate(q, v), tr_mat3_apply(&m, v));
        assert_near(tr_quat_rotate_inverse(q, v), tr_mat3_apply_transposed(&m, v));
        assert_true(fabs(tr_mat3_determinant(&m) - 1.0) < 1e-12);
        assert_true(tr_quat_angle(tr_quat_from_mat3(&m), q) < 1e-7);
    }
}

TEST(test_composition_turns_by_the_right_factor_first) {
    tr_quat yaw = tr_quat_from_axis_angle(tr_vec3_make(0, 0, 1), TR_PI / 2);
    tr_quat roll = tr_quat_from_axis_angle(tr_vec3_make(1, 0, 0), TR_PI / 2);
    assert_near(tr_quat_rotate(tr_quat_mul(yaw, roll), tr_vec3_make(0, 1, 0)),
                tr_vec3_make(0, 0, 1));
    assert_near(tr_quat_rotate(tr_quat_mul(roll, yaw), tr_vec3_make(0, 1, 0)),
                tr_vec3_make(-1, 0, 0));
}

TEST(test_heading_is_the_twist_about_the_vertical) {
    tr_random r = tr_random_seed(3);
    for (int i = 0; i < 1000; i++) {
        double heading = TR_PI * (2.0 * tr_random_uniform(&r) - 1.0);
        tr_vec3 axis = tr_vec3_make(tr_random_normal(&r), tr_random_normal(&r), 0);
        tr_quat swing =
            tr_quat_from_axis_angle(tr_vec3_normalize_or(axis, axis), 2.0 * tr_random_uniform(&r));
        tr_quat q = tr_quat_mul(tr_quat_from_heading(heading), swing);
        assert_true(fabs(tr_angle_wrap(tr_quat_heading(q) - heading)) < 1e-12);
        tr_vec3 v = random_vector(&r, 1.0);
        assert_near(tr_vec3_to_heading(tr_vec3_from_heading(v, heading), heading), v);
    }
}

TEST(test_mirror_commutes_with_rotation) {
    tr_random r = tr_random_seed(4);
    for (int i = 0; i < 1000; i++) {
        tr_quat q = random_rotation(&r);
        tr_vec3 v = random_vector(&r, 1.0);
        assert_near(tr_vec3_mirror(tr_quat_rotate(q, v)),
                    tr_quat_rotate(tr_quat_mirror(q), tr_vec3_mirror(v)));
        assert_near(tr_vec3_mirror_axial(tr_quat_log(q)), tr_quat_log(tr_quat_mirror(q)));
    }
}

TEST(test_rate_is_the_constant_turning_between_two_orientations) {
    tr_random r = tr_random_seed(5);
    for (int i = 0; i < 100; i++) {
        tr_quat from = random_rotation(&r);
        tr_vec3 omega = random_vector(&r, 2.0);
        tr_quat to = tr_quat_mul(tr_quat_exp(tr_vec3_scale(omega, 0.01)), from);
        assert_true(tr_vec3_distance(tr_quat_rate(from, to, 0.01), omega) < 1e-10);
        tr_quat middle = tr_quat_mul(tr_quat_exp(tr_vec3_scale(omega, 0.005)), from);
        assert_true(tr_quat_angle(tr_quat_slerp(from, to, 0.5), middle) < 1e-7);
    }
}
