#include "cmocka_test.h"

#include "draw/strip.h"
#include "model/mjcf.h"
#include "unit/motion/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count(const char *text, const char *word) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        n++;
    return n;
}

/* Every figure has a shape for each geom, in the colour of its side. */
TEST(a_row_draws_every_geom) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *march = scratch_march(model, 4, 0.1, 1);
    tr_strip_row row = {
        .label = "a < b & \"c\"", .model = model, .poses = march->poses, .figure_count = 5};
    tr_strip strip = {.title = "march", .rows = &row, .row_count = 1, .time_step_s = 0.1};
    OWN_MEMORY char *text = NULL;
    size_t size = 0;
    assert_int_equal(tr_strip_print(&strip, &text, &size), TR_OK);
    assert_int_equal(strlen(text), size);
    int boxes = 0, balls = 0, capsules = 0;
    for (int i = 0; i < model->geom_count; i++) {
        boxes += model->geom[i].kind == TR_GEOM_BOX;
        balls += model->geom[i].kind == TR_GEOM_SPHERE;
        capsules += model->geom[i].kind == TR_GEOM_CAPSULE;
    }
    assert_int_equal(count(text, "<path"), 5 * boxes);
    assert_int_equal(count(text, "<circle"), 5 * balls);
    assert_int_equal(count(text, "<line"), 5 * capsules + 1); /* and the ground */
    assert_int_equal(count(text, "#1f5fbf"), count(text, "#c0392b"));
    assert_non_null(strstr(text, "a &#60; b &#38; &#34;c&#34;"));
    assert_non_null(strstr(text, ">0.40 s<"));
    assert_null(strstr(text, "nan"));
}

/* The side view of a character that walks along y is that of one that walks along x. */
TEST(a_row_is_seen_from_its_own_side) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *march = scratch_march(model, 4, 0.1, 1);
    tr_strip_row row = {.model = model, .poses = march->poses, .figure_count = 5};
    tr_strip strip = {.rows = &row, .row_count = 1};
    OWN_MEMORY char *a = NULL, *b = NULL;
    size_t size;
    assert_int_equal(tr_strip_print(&strip, &a, &size), TR_OK);
    for (int i = 0; i < 5; i++) {
        tr_pose *pose = &march->poses[i];
        pose->root_pos = tr_vec3_from_heading(pose->root_pos, TR_PI / 2);
        pose->root_rot = tr_quat_mul(tr_quat_from_heading(TR_PI / 2), pose->root_rot);
    }
    row.heading_rad = TR_PI / 2;
    assert_int_equal(tr_strip_print(&strip, &b, &size), TR_OK);
    assert_int_equal(count(a, "<"), count(b, "<"));
    /* Equal to the printed digits, except the sign of zero and rounding. */
    const char *pa = strstr(a, "<circle"), *pb = strstr(b, "<circle");
    double xa, ya, xb, yb;
    assert_int_equal(sscanf(pa, "<circle cx=\"%lf\" cy=\"%lf\"", &xa, &ya), 2);
    assert_int_equal(sscanf(pb, "<circle cx=\"%lf\" cy=\"%lf\"", &xb, &yb), 2);
    scratch_near(xa, xb, 0.11);
    scratch_near(ya, yb, 0.11);
}

TEST(a_clip_is_drawn_by_its_skeleton) {
    OWN(tr_clip) *clip = NULL;
    tr_skeleton skeleton;
    int frames[2] = {0, 1};
    assert_int_equal(tr_clip_load(SAMPLE("figure.bvh"), NULL, &clip, NULL), TR_OK);
    assert_int_equal(tr_skeleton_load("wd2", NULL, &skeleton, NULL), TR_OK);
    tr_strip_row row = {.clip = clip, .skeleton = &skeleton, .frames = frames, .figure_count = 2};
    tr_strip strip = {.rows = &row, .row_count = 1};
    char *text = NULL;
    size_t size;
    assert_int_equal(tr_strip_print(&strip, &text, &size), TR_OK);
    assert_int_equal(count(text, "<line"), 2 * (clip->joint_count - 1) + 1);
    free(text);
    frames[1] = 3;
    assert_int_equal(tr_strip_print(&strip, &text, &size), TR_INVALID_ARGUMENT);
}

/* Only what hangs from the hips is drawn: a joint above them stays where the file put it. */
TEST(what_is_above_the_hips_is_not_drawn) {
    OWN(tr_clip) *clip = NULL;
    tr_skeleton skeleton;
    int frames[1] = {0};
    assert_int_equal(tr_clip_load(SAMPLE("figure.bvh"), NULL, &clip, NULL), TR_OK);
    assert_int_equal(tr_skeleton_load("wd2", NULL, &skeleton, NULL), TR_OK);
    int spine = clip->joints[tr_skeleton_joint(&skeleton, clip, TR_PART_CHEST)].parent;
    assert_true(tr_skeleton_draws(&skeleton, clip, 0));
    snprintf(skeleton.joint[TR_PART_HIPS], TR_CLIP_NAME_MAX, "%s", skeleton.joint[TR_PART_CHEST]);
    assert_false(tr_skeleton_draws(&skeleton, clip, 0) ||
                 tr_skeleton_draws(&skeleton, clip, spine));
    tr_strip_row row = {.clip = clip, .skeleton = &skeleton, .frames = frames, .figure_count = 1};
    tr_strip strip = {.rows = &row, .row_count = 1};
    OWN_MEMORY char *text = NULL;
    size_t size;
    assert_int_equal(tr_strip_print(&strip, &text, &size), TR_OK);
    assert_in_range(count(text, "<line"), 1, clip->joint_count - 2);
}

TEST(empty_strips_are_refused) {
    char *text = NULL;
    size_t size;
    tr_strip_row row = {.figure_count = 1};
    tr_strip strip = {.rows = &row};
    assert_int_equal(tr_strip_print(&strip, &text, &size), TR_INVALID_ARGUMENT);
    strip.row_count = 1;
    assert_int_equal(tr_strip_print(&strip, &text, &size), TR_INVALID_ARGUMENT);
    strip.row_count = TR_STRIP_ROW_MAX + 1;
    assert_int_equal(tr_strip_print(&strip, &text, &size), TR_INVALID_ARGUMENT);
    assert_null(text);
}
