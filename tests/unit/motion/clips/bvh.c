#include "cmocka_test.h"

#include "model/mjcf.h"
#include "motion/clips/bvh.h"
#include "unit/motion/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tr_clip *load(const char *path) {
    tr_clip *clip = NULL;
    tr_error error = {0};
    if (tr_clip_load(path, NULL, &clip, &error))
        fail_msg("%s", error.message);
    return clip;
}

static void assert_at(const tr_clip *clip, int frame, const char *joint, tr_vec3 expected) {
    int i = tr_clip_find_joint(clip, joint);
    assert_true(i >= 0);
    tr_vec3 pos = tr_clip_pos(clip, frame, i);
    if (tr_vec3_distance(pos, expected) > 1e-9)
        fail_msg("%s in frame %d: %g %g %g, expected %g %g %g", joint, frame, pos.x, pos.y, pos.z,
                 expected.x, expected.y, expected.z);
}

TEST(finds_units_axes_and_skeleton) {
    OWN(tr_clip) *clip = load(SAMPLE("figure.bvh"));
    assert_string_equal(clip->name, "figure");
    assert_string_equal(clip->found.skeleton, "wd2");
    scratch_near(clip->found.unit_m, 0.01, 0);
    assert_false(clip->found.unit_given);
    assert_int_equal(clip->found.up, 'y');
    scratch_near(clip->found.leg_m, 0.84, 1e-12);
    scratch_near(clip->dt_s, 0.04, 0);
    assert_int_equal(clip->frame_count, 3);
    assert_int_equal(clip->joint_count, 18);
    assert_string_equal(clip->joints[0].order, "ZXY");
}

/* Frame 0 stands; frame 1 lifts the left knee by 30 and bends it by 60 degrees; frame 2 turns left
 * by 20. */
TEST(puts_joints_where_channels_say) {
    OWN(tr_clip) *clip = load(SAMPLE("figure.bvh"));
    double s = 0.5, c = sqrt(0.75), turn = 20 * TR_PI / 180;
    assert_at(clip, 0, "LeftFoot", tr_vec3_make(0, 0.09, 0.04));
    assert_at(clip, 0, "RightFoot_end", tr_vec3_make(0.09, -0.09, 0));
    assert_at(clip, 1, "LeftLeg", tr_vec3_make(0.1 + 0.44 * s, 0.09, 0.88 - 0.44 * c));
    assert_at(clip, 1, "LeftFoot", tr_vec3_make(0.1 + 0.04 * s, 0.09, 0.88 - 0.84 * c));
    assert_at(clip, 1, "RightForeArm_end", tr_vec3_make(0.1 + 0.25, -0.16, 0.97));
    assert_at(clip, 2, "LeftUpLeg", tr_vec3_make(0.2 - 0.09 * sin(turn), 0.09 * cos(turn), 0.88));
}

TEST(options_prevail) {
    tr_clip_options options = {.unit_m = 0.02, .rate_hz = 50, .up = 'y', .skeleton = "wd2"};
    OWN(tr_clip) *clip = NULL;
    assert_int_equal(tr_clip_load(SAMPLE("figure.bvh"), &options, &clip, NULL), TR_OK);
    scratch_near(clip->dt_s, 0.02, 0);
    scratch_near(clip->found.leg_m, 1.68, 1e-12);
    assert_true(clip->found.unit_given && clip->found.up_given && clip->found.rate_given);
}

static void refuses_option(tr_clip_options options, const char *expected) {
    tr_clip *clip = NULL;
    tr_error error = {0};
    assert_int_equal(tr_clip_load(SAMPLE("figure.bvh"), &options, &clip, &error),
                     TR_INVALID_ARGUMENT);
    assert_null(clip);
    assert_non_null(strstr(error.message, expected));
}

TEST(senseless_options_are_refused) {
    refuses_option((tr_clip_options){.up = 'q'}, "up: expected x, y or z");
    refuses_option((tr_clip_options){.rate_hz = -30}, "frame rate");
    refuses_option((tr_clip_options){.rate_hz = (double)NAN}, "frame rate");
    refuses_option((tr_clip_options){.unit_m = -1}, "unit");
    refuses_option((tr_clip_options){.unit_m = (double)INFINITY}, "unit");
}

/* The same figure in a file with z up: the axis is found, and the figure turned upright. */
TEST(finds_z_up) {
    size_t size;
    OWN_MEMORY char *text = scratch_read(SAMPLE("figure.bvh"), &size);
    char *rows = strstr(text, "Frame Time:");
    char z_up[8192];
    /* Turning the root by 90 degrees about x carries y to z; one frame is enough. */
    snprintf(z_up, sizeof z_up, "%.*sFrame Time: 0.04\n0 0 93 0 90 0", (int)(rows - text), text);
    OWN_MEMORY char *one = scratch_replace(z_up, "Frames: 3", "Frames: 1");
    char line[4096];
    snprintf(line, sizeof line, "%s%s\n", one,
             " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
    OWN(tr_clip) *clip = load(scratch_write(".bvh", line, strlen(line)));
    assert_int_equal(clip->found.up, 'z');
    assert_at(clip, 0, "LeftFoot", tr_vec3_make(0, 0.09, 0.04));
}

static void fails(const char *text, size_t size, const char *expected) {
    tr_clip *clip = NULL;
    tr_error error = {0};
    const char *path = scratch_write(".bvh", text, size);
    tr_status status = tr_clip_load(path, NULL, &clip, &error);
    assert_int_not_equal(status, TR_OK);
    assert_int_equal(error.status, status);
    assert_null(clip);
    scratch_told(&error, path, expected);
}

/* Cut anywhere but within the last number, a file is an error that names its line. */
TEST(every_truncation_fails) {
    size_t size;
    OWN_MEMORY char *text = scratch_read(SAMPLE("figure.bvh"), &size);
    size_t last_row = (size_t)((char *)memrchr(text, '\n', size - 1) - text);
    for (size_t n = 0; n + 2 < size; n++)
        if (n != last_row && n != last_row + 1) /* whole frames, one fewer than announced */
            fails(text, n, "");
}

static void fails_when_replaced(const char *from, const char *to, const char *expected) {
    size_t size;
    OWN_MEMORY char *text = scratch_read(SAMPLE("figure.bvh"), &size);
    OWN_MEMORY char *broken = scratch_replace(text, from, to);
    fails(broken, strlen(broken), expected);
}

TEST(the_broken_field_is_named) {
    fails_when_replaced("HIERARCHY", "HIERARCHIE", ":1: expected 'HIERARCHY': found 'HIERARCHIE'");
    fails_when_replaced("OFFSET 0 12 0", "OFFSET 0 nan 0",
                        ":8: OFFSET: expected a number: found 'nan'");
    fails_when_replaced("OFFSET 0 12 0", "OFFSET 0 1e999 0", "expected a number");
    fails_when_replaced("OFFSET 0 12 0", "OFFSET 0 0x10 0", "expected a number");
    fails_when_replaced("CHANNELS 6", "CHANNELS 3", "expected");
    fails_when_replaced("CHANNELS 6", "CHANNELS 7", "expected an integer from 0 to 6");
    fails_when_replaced("CHANNELS 3 Zrotation", "CHANNELS 3 Wrotation",
                        "expected one like Xrotation");
    fails_when_replaced("CHANNELS 3 Zrotation", "CHANNELS 3 Xrotation", "twice");
    fails_when_replaced("OFFSET 0 12 0", "OFFSET 0 12 0\nOFFSET 0 13 0", "'OFFSET' stands twice");
    fails_when_replaced("Frames: 3", "Frames: 1000000000", "expected an integer from 1 to 1000000");
    fails_when_replaced("Frames: 3", "Frames: 1000000",
                        "3 frames, but 'Frames: 1000000' announces 1000000");
    fails_when_replaced("Frames: 3", "Frames: 1", "3 frames, but 'Frames: 1' announces 1");
    fails_when_replaced("Frames: 3", "Frames: -3", "expected an integer");
    fails_when_replaced("Frames: 3", "Frames: 5", "3 frames, but 'Frames: 5' announces 5");
    fails_when_replaced("Frame Time: 0.04", "Frame Time: 0", "expected 0.0001 to 1 s");
    fails_when_replaced("0 93 0", "0 93 x", "end of the file, found 'x'");
    fails_when_replaced("0 93 0", "0 9e300 0", "is not within 10000 m");
    fails_when_replaced("0 93 0", "0 9e6 0", "frame 0: joint 'Hips' is not within 10000 m");
    fails_when_replaced("OFFSET 0 12 0", "OFFSET 0 1e300 0", "is not within 10000 m");
    fails_when_replaced("0 93 0", "0 93 0 frames", "end of the file, found 'frames'");
    fails_when_replaced("JOINT Spine\n", "JOINT Spine1\n", "two joints are named 'Spine1'");
    fails_when_replaced("LeftUpLeg", "LeftUpLegOrSo", ""); /* no map fits: names the file */
}

static tr_clip *load_replaced(const char *from, const char *to) {
    size_t size;
    OWN_MEMORY char *text = scratch_read(SAMPLE("figure.bvh"), &size);
    OWN_MEMORY char *changed = scratch_replace(text, from, to);
    tr_clip *clip = load(scratch_write(".bvh", changed, strlen(changed)));
    return clip;
}

TEST(a_name_ends_with_its_line) {
    tr_clip *clip = load_replaced("JOINT Spine\n", "JOINT \tLower  Spine \r\n");
    assert_true(tr_clip_find_joint(clip, "Lower  Spine") >= 0);
    tr_clip_destroy(clip);
    clip = load_replaced("ROOT Hips\n{", "ROOT Hips {");
    assert_int_equal(tr_clip_find_joint(clip, "Hips"), 0);
    tr_clip_destroy(clip);
}

/* Exporters that count from zero are off by one. */
TEST(the_frames_that_are_there_count) {
    static const char *const announced[] = {"Frames: 2", "Frames: 4"};
    for (int i = 0; i < 2; i++) {
        OWN(tr_clip) *clip = load_replaced("Frames: 3", announced[i]);
        assert_int_equal(clip->frame_count, 3);
        assert_int_equal(clip->found.announced_frames, i ? 4 : 2);
    }
    fails_when_replaced("0 93 0", "0 93", "then 41 values: expected whole frames");
}

TEST(joints_without_channels_are_fixed) {
    static const char *const head[] = {"", "CHANNELS 0"};
    size_t size;
    OWN_MEMORY char *text = scratch_read(SAMPLE("figure.bvh"), &size);
    for (int i = 0; i < 2; i++) {
        char *at = strstr(text, "CHANNELS 6");
        OWN_MEMORY char *only = strdup(at ? text : "");
        char *rows = strstr(only, "MOTION");
        assert_non_null(rows);
        strcpy(rows, "MOTION\nFrames: 1\nFrame Time: 0.04\n0 93 0 0 0 0\n");
        /* Each joint but the root loses its channels. */
        for (char *c; (c = strstr(only, "CHANNELS 3 Zrotation Xrotation Yrotation"));) {
            memset(c, ' ', strlen("CHANNELS 3 Zrotation Xrotation Yrotation"));
            memcpy(c, head[i], strlen(head[i]));
        }
        OWN(tr_clip) *clip = load(scratch_write(".bvh", only, strlen(only)));
        assert_int_equal(clip->frame_count, 1);
        assert_at(clip, 0, "LeftFoot", tr_vec3_make(0, 0.09, 0.04));
    }
}

TEST(joints_are_capped) {
    enum { DEPTH = 100000 };
    OWN_MEMORY char *text = calloc(DEPTH, 40);
    size_t size = (size_t)sprintf(text, "HIERARCHY\nROOT a\n{\n");
    for (int i = 0; i < DEPTH; i++)
        size += (size_t)sprintf(text + size, "JOINT j%d\n{\n", i);
    fails(text, size, "more than 256 joints");
}

TEST(unknown_skeleton_lists_what_lacks) {
    const char *text =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition "
        "Zrotation Xrotation Yrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n";
    tr_clip *clip = NULL;
    tr_error error = {0};
    const char *path = scratch_write(".bvh", text, strlen(text));
    assert_int_equal(tr_clip_load(path, NULL, &clip, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "cmu16 lacks Hips"));
    assert_int_equal(tr_clip_load("/nowhere/x.bvh", NULL, &clip, &error), TR_NOT_FOUND);
    assert_int_equal(tr_clip_load(SAMPLE("figure.xyz"), NULL, &clip, &error), TR_INVALID_ARGUMENT);
}

/* Reading a written file gives the written digits. */
TEST(written_files_read_back_equal) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *march = scratch_march(model, 40, 0.025, 1.2);
    OWN(tr_clip) *clip = NULL;
    assert_int_equal(tr_clip_from_motion(model, march, 1, &clip), TR_OK);
    const char *path = scratch_path(".bvh");
    assert_int_equal(tr_bvh_save_motion(model, march, path, NULL), TR_OK);
    OWN(tr_clip) *again = load(path);
    assert_string_equal(again->found.skeleton, "troupe");
    assert_int_equal(again->frame_count, clip->frame_count);
    scratch_near(again->dt_s, clip->dt_s, 1e-9);
    for (int f = 0; f < clip->frame_count; f++)
        for (int i = 0; i < clip->joint_count; i++) {
            int k = tr_clip_find_joint(again, clip->joints[i].name);
            assert_true(k >= 0);
            assert_true(tr_vec3_distance(tr_clip_pos(clip, f, i), tr_clip_pos(again, f, k)) < 1e-5);
            if (!clip->joints[i].is_end)
                assert_true(tr_quat_angle(tr_clip_rot(clip, f, i), tr_clip_rot(again, f, k)) <
                            1e-6);
        }
}

TEST(a_motion_is_repeated_by_cycles) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *march = scratch_march(model, 40, 0.025, 1.2);
    tr_clip *clip = NULL;
    march->cyclic = true;
    march->cycle_shift = tr_vec3_make(1.2, 0, 0);
    assert_int_equal(tr_clip_from_motion(model, march, 3, &clip), TR_OK);
    assert_int_equal(clip->frame_count, 3 * march->frame_count);
    scratch_near(tr_clip_pos(clip, 2 * march->frame_count, 0).x, 2.4, 1e-9);
    tr_clip_destroy(clip);
    clip = NULL;
    assert_int_equal(tr_clip_from_motion(model, march, 0, &clip), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_clip_from_motion(model, march, INT32_MAX, &clip), TR_RESOURCE_EXHAUSTED);
    assert_null(clip);
    tr_error error = {0};
    assert_int_equal(tr_bvh_save_motion(model, march, "/nowhere/march.bvh", &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "/nowhere/march.bvh"));
}
