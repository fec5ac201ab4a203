#include "cmocka_test.h"

#include "learn/measure/noise.h"
#include "unit/learn/near.h"
#include "unit/learn/sway_suite.h"

#include <string.h>

enum { FRAMES = 400 };

/* The knee swings: offset + amplitude sin(cycles in all). */
static void swing(tr_pose *poses, double offset, double amplitude, int cycles) {
    int knee = tr_model_find_body(model, "lshank");
    for (int i = 0; i < FRAMES; i++) {
        double angle = offset + amplitude * sin(2 * TR_PI * cycles * i / FRAMES);
        tr_quat turn = tr_quat_exp((tr_vec3){0, angle, 0});
        poses[i].joint[knee] = tr_quat_mul(turn, poses[i].joint[knee]);
    }
}

static void rest(tr_pose *poses) {
    for (int i = 0; i < FRAMES; i++)
        poses[i] = tr_pose_rest(model);
}

/* Noise of amplitude a on a signal of amplitude A about one axis: NSR = 100 a^2 / A^2. */
TEST(the_ratio_is_that_of_variances) {
    static tr_pose clean[FRAMES], noisy[FRAMES];
    rest(clean);
    swing(clean, 0.4, 0.3, 2);
    for (int i = 0; i < FRAMES; i++)
        noisy[i] = clean[i];
    swing(noisy, 0, 0.06, 11);
    assert_near(tr_noise_ratio(model, noisy, clean, FRAMES), 100 * 0.06 * 0.06 / (0.3 * 0.3), 1e-6);
    assert_near(tr_noise_ratio(model, clean, clean, FRAMES), 0, 1e-9);
}

TEST(a_constant_offset_is_no_noise) {
    static tr_pose clean[FRAMES], moved[FRAMES];
    rest(clean);
    swing(clean, 0, 0.3, 2);
    for (int i = 0; i < FRAMES; i++)
        moved[i] = clean[i];
    swing(moved, 0.2, 0, 0);
    assert_near(tr_noise_ratio(model, moved, clean, FRAMES), 0, 1e-9);
}

/* Two joints that swing alike: the variances add up, above and below the line. */
TEST(joints_are_summed) {
    static tr_pose clean[FRAMES], noisy[FRAMES];
    int elbow = tr_model_find_body(model, "rlarm");
    rest(clean);
    swing(clean, 0, 0.3, 2);
    for (int i = 0; i < FRAMES; i++)
        clean[i].joint[elbow] = clean[i].joint[tr_model_find_body(model, "lshank")];
    for (int i = 0; i < FRAMES; i++)
        noisy[i] = clean[i];
    swing(noisy, 0, 0.06, 11);
    assert_near(tr_noise_ratio(model, noisy, clean, FRAMES), 50 * 0.06 * 0.06 / (0.3 * 0.3), 1e-6);
}

/* The same rotation has two quaternions. */
TEST(signs_do_not_matter) {
    static tr_pose clean[FRAMES], flipped[FRAMES];
    rest(clean);
    swing(clean, 0, 0.3, 2);
    for (int i = 0; i < FRAMES; i++) {
        flipped[i] = clean[i];
        for (int j = 1; j < model->body_count && i % 3 == 0; j++) {
            tr_quat q = flipped[i].joint[j];
            flipped[i].joint[j] = (tr_quat){-q.w, -q.x, -q.y, -q.z};
        }
    }
    assert_near(tr_noise_ratio(model, flipped, clean, FRAMES), 0, 1e-9);
    assert_near(tr_noise_ratio(model, clean, flipped, FRAMES), 0, 1e-9);
}

TEST(without_a_signal_there_is_no_ratio) {
    static tr_pose still[FRAMES];
    rest(still);
    assert_true(isnan(tr_noise_ratio(model, still, still, FRAMES)));
    swing(still, 0, 0.0005, 2); /* half a milliradian is not a motion */
    assert_true(isnan(tr_noise_ratio(model, still, still, FRAMES)));
    swing(still, 0, 0.3, 2);
    assert_true(isnan(tr_noise_ratio(model, still, still, 1)));
}

TEST(a_motionless_reference_has_no_ratio) {
    char text[TR_NOISE_TEXT_MAX];
    tr_noise_ratio_print((double)NAN, text);
    assert_string_equal(text, "none");
    tr_noise_ratio_print(0.336, text);
    assert_string_equal(text, "0.34");
    tr_noise_ratio_print(1e300, text); /* cut, not beyond its place */
    assert_int_equal(strlen(text), TR_NOISE_TEXT_MAX - 1);
}

SUITE_FIXTURE(load, unload);
