#include "cmocka_test.h"

#include "motion/clips/clip.h"
#include "unit/motion/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_at(const tr_clip *clip, int frame, const char *joint, tr_vec3 expected) {
    int i = tr_clip_find_joint(clip, joint);
    assert_true(i >= 0);
    tr_vec3 pos = tr_clip_pos(clip, frame, i);
    if (tr_vec3_distance(pos, expected) > 1e-8)
        fail_msg("%s in frame %d: %g %g %g, expected %g %g %g", joint, frame, pos.x, pos.y, pos.z,
                 expected.x, expected.y, expected.z);
}

/* Frame 1 lifts the left knee by 30 and bends it by 60 degrees, and bends the right elbow by 90. */
TEST(puts_joints_where_rows_say) {
    OWN(tr_clip) *clip = NULL;
    assert_int_equal(tr_clip_load(SAMPLE("figure.txt"), NULL, &clip, NULL), TR_OK);
    double s = 0.5, c = sqrt(0.75), thigh = 0.421546, shank = 0.409870;
    assert_string_equal(clip->found.skeleton, "humanoid3d");
    scratch_near(clip->dt_s, 0.04, 0);
    assert_at(clip, 0, "right_ankle", tr_vec3_make(0, -0.084887, 0.9 - thigh - shank));
    assert_at(clip, 1, "left_knee", tr_vec3_make(0.1 + s * thigh, 0.084887, 0.9 - c * thigh));
    assert_at(clip, 1, "left_ankle",
              tr_vec3_make(0.1 + s * (thigh - shank), 0.084887, 0.9 - c * (thigh + shank)));
    double shoulder = 0.9 + 0.236151 + 0.2435;
    assert_at(clip, 1, "right_wrist",
              tr_vec3_make(0.1 - 0.02405 + 0.258947, -0.18311, shoulder - 0.274788));
}

static void fails(const char *text, size_t size, const char *expected) {
    tr_clip *clip = NULL;
    tr_error error = {0};
    const char *path = scratch_write(".txt", text, size);
    assert_int_equal(tr_clip_load(path, NULL, &clip, &error), TR_INVALID_ARGUMENT);
    assert_null(clip);
    scratch_told(&error, path, expected);
}

TEST(every_truncation_fails) {
    size_t size;
    OWN_MEMORY char *text = scratch_read(SAMPLE("figure.txt"), &size);
    for (size_t n = 0; n + 1 < size; n++)
        fails(text, n, "");
}

static void fails_when_replaced(const char *from, const char *to, const char *expected) {
    size_t size;
    OWN_MEMORY char *text = scratch_read(SAMPLE("figure.txt"), &size);
    OWN_MEMORY char *broken = scratch_replace(text, from, to);
    fails(broken, strlen(broken), expected);
}

TEST(the_broken_field_is_named) {
    fails_when_replaced("[0.04, 0.1, ", "[0.04, ", "Frames[1]: expected 44 numbers, found 43");
    fails_when_replaced("[0.04, 0.1, ", "[0.04, \"x\", ", "Frames[1][1]: expected a number");
    fails_when_replaced("[0.04, 0.1, ", "[0.04, 1e999, ", "");
    fails_when_replaced("[0.04, 0.0, 0.9, 0, 1,", "[0.04, 0.0, 0.9, 0, 0,",
                        "expected a unit quaternion");
    fails_when_replaced("[0.04, 0.0,", "[0, 0.0,", "Frames[0][0]: expected a frame time");
    fails_when_replaced("\"Frames\"", "\"frames\"", "unknown key 'frames'; did you mean 'Frames'?");
    fails_when_replaced("[0.04, 0.1, ", "[0.02, 0.1, ",
                        "Frames[1][0]: lasts 0.02 s, Frames[0] 0.04 s");
    fails_when_replaced("\"Loop\": \"none\",", "\"Loop\": none,", ":2:");
}

TEST(depth_is_capped) {
    enum { DEPTH = 1000000 };
    OWN_MEMORY char *text = malloc(DEPTH);
    memset(text, '[', DEPTH);
    fails(text, DEPTH, "");
}

TEST(a_file_of_another_format_is_named) {
    fails("HIERARCHY\nROOT Hips\n", 20,
          "it begins as a BVH file; expected a name that ends in .bvh");
    fails("PK\3\4", 4, "a ZIP file; expected a name that ends in .npz");
}
