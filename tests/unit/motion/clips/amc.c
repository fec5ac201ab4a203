#include "cmocka_test.h"

#include "motion/clips/clip.h"
#include "unit/motion/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double UNIT = 0.0254 / 0.45;

static tr_status load(const char *amc, const char *asf, tr_clip **out, tr_error *error) {
    tr_clip_options options = {.asf_path = asf};
    return tr_clip_load(amc, &options, out, error);
}

static void assert_near(tr_vec3 a, tr_vec3 b) {
    if (tr_vec3_distance(a, b) > 1e-9)
        fail_msg("%g %g %g, expected %g %g %g", a.x, a.y, a.z, b.x, b.y, b.z);
}

static tr_vec3 at(const tr_clip *clip, int frame, const char *joint) {
    int i = tr_clip_find_joint(clip, joint);
    assert_true(i >= 0);
    return tr_clip_pos(clip, frame, i);
}

/* The skeleton beside the motion is found; units and rate are the format's. */
TEST(finds_its_skeleton) {
    OWN(tr_clip) *clip = NULL;
    assert_int_equal(tr_clip_load(SAMPLE("figure.amc"), NULL, &clip, NULL), TR_OK);
    assert_string_equal(clip->found.skeleton, "cmu");
    assert_true(clip->found.unit_given);
    scratch_near(clip->found.unit_m, UNIT, 1e-15);
    scratch_near(clip->dt_s, 1.0 / 120, 1e-15);
    assert_int_equal(clip->frame_count, 3);
    scratch_near(clip->found.leg_m, 14.5 * UNIT, 1e-12);
}

/* Bones of frame 1 by the definition: turned in their axis frame C, M = C Rx C^-1 (file axes). */
TEST(bones_turn_in_their_axis_frame) {
    OWN(tr_clip) *clip = NULL;
    assert_int_equal(load(SAMPLE("figure.amc"), SAMPLE("figure.asf"), &clip, NULL), TR_OK);
    tr_vec3 x = {1, 0, 0}, z = {0, 0, 1}, down = {0, -1, 0};
    tr_quat c = tr_quat_from_axis_angle(z, 20 * TR_PI / 180);
    tr_quat m = tr_quat_from_axis_angle(x, -30 * TR_PI / 180);
    tr_quat femur = tr_quat_mul(tr_quat_mul(c, m), tr_quat_conj(c));
    tr_quat tibia = tr_quat_mul(femur, tr_quat_from_axis_angle(x, 60 * TR_PI / 180));
    tr_vec3 hip = {1.6, 16.5, 2};
    tr_vec3 knee = tr_vec3_add_scaled(hip, 7.5, tr_quat_rotate(femur, down));
    tr_vec3 ankle = tr_vec3_add_scaled(knee, 7, tr_quat_rotate(tibia, down));
    assert_near(at(clip, 1, "lfemur"), tr_vec3_scale(tr_vec3_make(hip.z, hip.x, hip.y), UNIT));
    assert_near(at(clip, 1, "ltibia"), tr_vec3_scale(tr_vec3_make(knee.z, knee.x, knee.y), UNIT));
    assert_near(at(clip, 1, "lfoot"), tr_vec3_scale(tr_vec3_make(ankle.z, ankle.x, ankle.y), UNIT));
    assert_near(at(clip, 0, "ltoes_end"),
                tr_vec3_scale(tr_vec3_make(0.8 * 2 + 1, 1.6, 16.5 - 14.5 - 0.6 * 2), UNIT));
}

static void amc_fails(const char *text, size_t size, const char *expected) {
    tr_clip *clip = NULL;
    tr_error error = {0};
    const char *path = scratch_write(".amc", text, size);
    assert_int_not_equal(load(path, SAMPLE("figure.asf"), &clip, &error), TR_OK);
    scratch_told(&error, path, expected);
}

static void asf_fails(const char *text, size_t size, const char *expected) {
    tr_clip *clip = NULL;
    tr_error error = {0};
    const char *path = scratch_write(".asf", text, size);
    assert_int_not_equal(load(SAMPLE("figure.amc"), path, &clip, &error), TR_OK);
    scratch_told(&error, path, expected);
}

/* A motion cut at the end of a frame is a shorter motion; cut anywhere else it is an error (except
 * within the last number of a frame, where the cut cannot be seen). */
TEST(every_truncation_of_a_motion) {
    size_t size;
    OWN_MEMORY char *text = scratch_read(SAMPLE("figure.amc"), &size);
    int shorter = 0;
    for (size_t n = 0; n + 2 < size; n++) {
        OWN(tr_clip) *clip = NULL;
        tr_error error = {0};
        const char *path = scratch_write(".amc", text, n);
        tr_status status = load(path, SAMPLE("figure.asf"), &clip, &error);
        if (status) {
            scratch_told(&error, path, "");
            continue;
        }
        assert_in_range(clip->frame_count, 1, 3);
        shorter++;
    }
    /* After frame 1: its first frame may also lack trailing bones, since the first frame says which
     * bones move. */
    assert_in_range(shorter, 2, 120);
}

TEST(every_truncation_of_a_skeleton_fails) {
    size_t size;
    OWN_MEMORY char *text = scratch_read(SAMPLE("figure.asf"), &size);
    char *last_bone = strstr(text, "rtoes\n");
    assert_non_null(last_bone);
    size_t hierarchy_end = size - 1 - strlen("  end");
    for (size_t n = 0; n < hierarchy_end - 1; n++) {
        OWN(tr_clip) *clip = NULL;
        tr_error error = {0};
        const char *path = scratch_write(".asf", text, n);
        tr_status status = load(SAMPLE("figure.amc"), path, &clip, &error);
        if (!status)
            fail_msg("cut after %zu bytes, the skeleton was taken for whole", n);
    }
}

typedef void (*failing)(const char *text, size_t size, const char *expected);

static void replaced(failing fails, const char *sample, const char *from, const char *to,
                     const char *expected) {
    size_t size;
    OWN_MEMORY char *text = scratch_read(sample, &size);
    OWN_MEMORY char *broken = scratch_replace(text, from, to);
    fails(broken, strlen(broken), expected);
}

TEST(the_broken_field_is_named) {
    const char *amc = SAMPLE("figure.amc"), *asf = SAMPLE("figure.asf");
    replaced(amc_fails, amc, "ltibia 0", "ltibia zero", "expected a number: found 'zero'");
    replaced(amc_fails, amc, "ltibia 0", "ltibia", "expected 1 values, found 0");
    replaced(amc_fails, amc, "ltibia 0", "ltibia 0 1", "more than 1 values");
    replaced(amc_fails, amc, "ltibia 60\n", "",
             "frame 2: bone 'ltibia' is missing, but is in the first");
    replaced(amc_fails, amc, "ltibia 0", "tail 0", "no bone 'tail'");
    replaced(amc_fails, amc, "\n3\n", "\n4\n", "expected frame 3, found '4'");
    replaced(amc_fails, amc, ":DEGREES", ":GRADS", "expected :FULLY-SPECIFIED");
    replaced(amc_fails, amc, "\n1\nroot 0", "\n1\nroot inf", "expected a number");
    replaced(asf_fails, asf, "direction 0 1 0", "direction 0 up 0", "direction: expected a number");
    replaced(asf_fails, asf, "XYZ\n    dof", "XYW\n    dof", "expected an order like XYZ");
    replaced(asf_fails, asf, "dof rx ry rz", "dof rx rx rz", "once each");
    replaced(asf_fails, asf, "name thorax", "name lowerback", "twice");
    replaced(asf_fails, asf, "  angle deg", "  angle deg\n  angle rad", "'angle' stands twice");
    replaced(asf_fails, asf, "    length 2", "    length 2\n    length 3", "'length' stands twice");
    replaced(asf_fails, asf, ":root", ":units\n:root", "':units' stands twice");
    replaced(asf_fails, asf, ":root", ":roots\n:root", "no section of a skeleton: ':roots'");
    replaced(amc_fails, amc, ":DEGREES", ":DEGREES\n:DEGREES", "':DEGREES' stands twice");
    replaced(asf_fails, asf, "    root lowerback", "    root", "hangs from nothing");
    replaced(asf_fails, asf, "    root lowerback", "    thorax lowerback", "its own ancestor");
    replaced(asf_fails, asf, "    root lowerback", "    root lowerback thorax", "two parents");
    replaced(asf_fails, asf, "order TX TY TZ RX RY RZ", "order TX TY TZ",
             "expected :root with an order");
    replaced(asf_fails, asf, "orientation 0 0 0", "orientation 0 90 0", "expected 0 0 0");
    replaced(asf_fails, asf, "  length 0.45", "  length 0", "expected a positive number");
}

static tr_clip *with_head(const char *head) {
    size_t size;
    char begin[200];
    OWN_MEMORY char *text = scratch_read(SAMPLE("figure.amc"), &size);
    snprintf(begin, sizeof begin, "%s\n:DEGREES", head);
    OWN_MEMORY char *changed = scratch_replace(text, ":DEGREES", begin);
    tr_clip *clip = NULL;
    tr_error error = {0};
    if (load(scratch_write(".amc", changed, strlen(changed)), SAMPLE("figure.asf"), &clip, &error))
        fail_msg("%s", error.message);
    return clip;
}

TEST(the_head_states_rate_and_range) {
    tr_clip *clip = with_head(":SAMPLES-PER-SECOND 60\n:FRAME-RANGE 1 4\n:ASF-FILE C:\\a\\b c.asf");
    assert_near((tr_vec3){clip->dt_s, 0, 0}, (tr_vec3){1.0 / 60, 0, 0});
    assert_false(clip->found.rate_assumed);
    assert_int_equal(clip->found.announced_frames, 4);
    assert_int_equal(clip->frame_count, 3);
    tr_clip_destroy(clip);
    clip = with_head("");
    assert_true(clip->found.rate_assumed);
    tr_clip_destroy(clip);
    replaced(amc_fails, SAMPLE("figure.amc"), ":DEGREES", ":SAMPLES-PER-SECOND 0",
             "expected 1 to 10000");
    replaced(amc_fails, SAMPLE("figure.amc"), "\n2\n", "\n:RADIANS\n2\n", "after the first frame");
    replaced(asf_fails, SAMPLE("figure.asf"), "    length 2", "    lenght 2",
             "bonedata: unknown word 'lenght'");
}

TEST(bones_are_capped) {
    OWN_MEMORY char *text = calloc(1, 200 * 64);
    size_t size = (size_t)sprintf(text, ":root\norder TX TY TZ RX RY RZ\n:bonedata\n");
    for (int i = 0; i < 200; i++)
        size += (size_t)sprintf(text + size, "begin\nname b%d\nend\n", i);
    asf_fails(text, size, "more than 128 bones");
}

/* With many joints fewer frames are allowed: the product bounds memory before it is taken. */
TEST(joint_frames_are_capped) {
    enum { BONES = 120, FRAMES = TR_CLIP_VALUE_MAX / (2 * BONES + 1) + 1, LINE = 32 };
    OWN_MEMORY char *asf = calloc(BONES, 64), *amc = calloc(FRAMES, LINE);
    assert_true(asf && amc);
    size_t size = (size_t)sprintf(asf, ":root\norder TX TY TZ RX RY RZ\n:bonedata\n");
    for (int i = 0; i < BONES; i++)
        size += (size_t)sprintf(asf + size, "begin\nname b%d\nend\n", i);
    size += (size_t)sprintf(asf + size, ":hierarchy\nbegin\nroot");
    for (int i = 0; i < BONES; i++)
        size += (size_t)sprintf(asf + size, " b%d", i);
    size += (size_t)sprintf(asf + size, "\nend\n");
    const char *asf_path = scratch_write(".asf", asf, size);
    size = 0;
    for (int i = 0; i < FRAMES; i++)
        size += (size_t)sprintf(amc + size, "%d\nroot 0 0 0 0 0 0\n", i);
    tr_clip *clip = NULL;
    tr_error error = {0};
    const char *path = scratch_write(".amc", amc, size);
    assert_int_not_equal(load(path, asf_path, &clip, &error), TR_OK);
    scratch_told(&error, path, "frames of 241 joints");
    assert_null(clip);
}

TEST(a_motion_without_skeleton_is_not_found) {
    tr_clip *clip = NULL;
    tr_error error = {0};
    const char *path = scratch_write(".amc", "1\n", 2);
    remove(scratch_path(".asf"));
    assert_int_equal(tr_clip_load(path, NULL, &clip, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "no skeleton"));
}
