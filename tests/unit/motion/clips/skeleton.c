#include "cmocka_test.h"

#include "motion/clips/calibration.h"
#include "unit/motion/scratch.h"

#include <stdlib.h>
#include <string.h>

TEST(shipped_maps_load) {
    static const char *const names[] = {"cmu", "cmu16", "humanoid3d", "mass", "troupe", "wd2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tr_skeleton skeleton;
        tr_error error = {0};
        if (tr_skeleton_load(names[i], NULL, &skeleton, &error))
            fail_msg("%s", error.message);
        assert_string_equal(skeleton.name, names[i]);
        for (int part = 0; part < TR_PART_COUNT; part++) {
            tr_quat q = skeleton.calibration[part];
            scratch_near(tr_quat_dot(q, q), 1, 1e-12);
        }
    }
}

/* Helper joints by either end of their names. */
TEST(ignores_by_pattern) {
    tr_skeleton skeleton;
    assert_int_equal(tr_skeleton_load("mass", NULL, &skeleton, NULL), TR_OK);
    assert_true(tr_skeleton_shows(&skeleton, "Character1_Spine"));
    assert_false(tr_skeleton_shows(&skeleton, "Spine"));
    assert_false(tr_skeleton_shows(&skeleton, "Spine_RIGMESH"));
    assert_false(tr_skeleton_shows(&skeleton, "L_Foot"));
    assert_false(tr_skeleton_shows(&skeleton, "character1_righthand_END"));
}

static char *map_text(size_t *size) {
    return scratch_read(TR_SKELETON_DIR "/wd2.json", size);
}

static void fails(const char *text, size_t size, const char *expected) {
    tr_skeleton skeleton;
    memset(&skeleton, 0x5a, sizeof skeleton);
    tr_error error = {0};
    const char *path = scratch_write(".json", text, size);
    assert_int_equal(tr_skeleton_load(path, NULL, &skeleton, &error), TR_INVALID_ARGUMENT);
    assert_int_equal(skeleton.name[0], 0x5a);
    if (!strstr(error.message, path) || !strstr(error.message, expected))
        fail_msg("'%s' does not say '%s' and '%s'", error.message, path, expected);
}

TEST(every_truncation_fails) {
    size_t size;
    OWN_MEMORY char *text = map_text(&size);
    for (size_t n = 0; n + 2 < size; n++)
        fails(text, n, ":");
}

TEST(the_broken_field_is_named) {
    static const char *const cases[][3] = {
        {"\"+z\"", "\"+y\"", "forward: expected"},
        {"\"hips\"", "\"hip\"", "parts: unknown key 'hip'; did you mean 'hips'?"},
        {"\"parts\": {", "\"unit\": 0.01, \"parts\": {", "unknown key 'unit'"},
        {"\"hips\": \"Hips\",", "", "'hips' is missing"},
        {"\"left_ankle\": [0.97158,", "\"left_ankle\": [0.2,", "expected a unit quaternion"},
        {"\"left_ankle\": [0.97158,", "\"left_ankle\": [", "expected a unit quaternion"},
        {"\"parts\": {", "\"unit_m\": -1.0, \"parts\": {", "unit_m"},
        {"\"parts\": {", "\"up\": \"w\", \"parts\": {", "up: expected"},
        {"\"parts\": {", "\"ignore\": [1], \"parts\": {", "ignore[0]"},
        {"\"name\"", "\"nam\"", "name"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        OWN_MEMORY char *text = map_text(&size);
        OWN_MEMORY char *broken = scratch_replace(text, cases[i][0], cases[i][1]);
        fails(broken, strlen(broken), cases[i][2]);
    }
}

TEST(an_unknown_map_is_not_found) {
    tr_skeleton skeleton;
    tr_error error = {0};
    assert_int_equal(tr_skeleton_load("octopus", NULL, &skeleton, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "octopus.json"));
}

/* A map that does not belong to the clip is refused by the joint it lacks. */
TEST(a_wrong_map_is_refused) {
    tr_clip_options options = {.skeleton = "cmu16"};
    tr_clip *clip = NULL;
    tr_error error = {0};
    assert_int_equal(tr_clip_load(SAMPLE("figure.bvh"), &options, &clip, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "no joint 'Spine2'"));
}

/* Frame 2 of the sample stands, turned left by 20 degrees: its calibration corrects nothing but
 * slopes of the feet. */
TEST(calibrates_from_a_standing_frame) {
    OWN(tr_clip) *clip = NULL;
    tr_skeleton skeleton;
    assert_int_equal(tr_clip_load(SAMPLE("figure.bvh"), NULL, &clip, NULL), TR_OK);
    assert_int_equal(tr_skeleton_load("wd2", NULL, &skeleton, NULL), TR_OK);
    assert_int_equal(tr_skeleton_calibrate(&skeleton, clip, 2, 3), TR_OUT_OF_RANGE);
    assert_int_equal(tr_skeleton_calibrate(&skeleton, clip, 2, 2), TR_OK);
    static const tr_part parts[] = {TR_PART_HIPS, TR_PART_CHEST, TR_PART_LEFT_ANKLE};
    for (size_t i = 0; i < 3; i++)
        assert_true(tr_quat_angle(skeleton.calibration[parts[i]], tr_quat_identity()) < 1e-6);
}
