#include "cmocka_test.h"

#include "model/mjcf.h"
#include "motion/clips/bvh.h"
#include "motion/retarget/import_options.h"
#include "motion/retarget/retarget.h"
#include "unit/motion/scratch.h"

#include <stdlib.h>
#include <string.h>

/* A motion of the model, shown on its own skeleton and retargeted to the model, is the motion:
 * root, trunk, head and limbs. (Toes and hands are not followed.) */
static void a_model_is_its_own_source(const char *file) {
    tr_model *model = scratch_model(file);
    tr_motion *march = scratch_march(model, 50, 0.02, 1.2), *again = NULL;
    tr_clip *clip = NULL;
    tr_error error = {0};
    assert_int_equal(tr_clip_from_motion(model, march, 1, &clip), TR_OK);
    assert_int_equal(tr_bvh_save(clip, scratch_path(".bvh"), NULL), TR_OK);
    tr_clip_destroy(clip);
    tr_skeleton skeleton;
    assert_int_equal(tr_skeleton_load("troupe", NULL, &skeleton, NULL), TR_OK);
    assert_int_equal(tr_clip_load(scratch_path(".bvh"), NULL, &clip, NULL), TR_OK);
    if (tr_retarget(clip, &skeleton, model, &again, &error))
        fail_msg("%s", error.message);
    int pelvis_to_trunk = tr_model_find_body(model, "ltorso");
    for (int f = 0; f < march->frame_count; f++) {
        const tr_pose *a = &march->poses[f], *b = &again->poses[f];
        scratch_near(tr_vec3_distance(a->root_pos, b->root_pos), 0, 2e-5);
        scratch_near(tr_quat_angle(a->root_rot, b->root_rot), 0, 1e-5);
        for (int i = 1; i < model->body_count; i++) {
            bool spread = i == pelvis_to_trunk || i == model->trunk;
            if (!spread && tr_quat_angle(a->joint[i], b->joint[i]) > 1e-4)
                fail_msg("%s in frame %d is off by %g rad", model->body[i].name, f,
                         tr_quat_angle(a->joint[i], b->joint[i]));
        }
        /* The turn of the trunk is spread evenly over the two joints of the waist. */
        tr_quat whole = tr_quat_mul(a->joint[pelvis_to_trunk], a->joint[model->trunk]);
        tr_quat sum = tr_quat_mul(b->joint[pelvis_to_trunk], b->joint[model->trunk]);
        scratch_near(tr_quat_angle(whole, sum), 0, 1e-5);
        scratch_near(tr_quat_angle(b->joint[pelvis_to_trunk], b->joint[model->trunk]), 0, 1e-5);
    }
    tr_motion_destroy(again);
    tr_motion_destroy(march);
    tr_clip_destroy(clip);
    tr_model_destroy(model);
}

TEST(humanoid_is_its_own_source) {
    a_model_is_its_own_source("humanoid.xml");
}

TEST(humanoid51_is_its_own_source) {
    a_model_is_its_own_source("humanoid51.xml");
}

/* The samples lift the left thigh by 30 degrees and bend the knee by 60, the right elbow by 90, in
 * frame 1, and turn by 20 in frame 2. */
static void limbs_follow_the_source(const char *path) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_clip) *clip = NULL;
    OWN(tr_motion) *motion = NULL;
    tr_skeleton skeleton;
    tr_error error = {0};
    assert_int_equal(tr_clip_load(path, NULL, &clip, NULL), TR_OK);
    assert_int_equal(tr_skeleton_load(clip->found.skeleton, NULL, &skeleton, NULL), TR_OK);
    if (tr_retarget(clip, &skeleton, model, &motion, &error))
        fail_msg("%s", error.message);
    tr_vec3 thigh = tr_quat_log(motion->poses[1].joint[tr_model_find_body(model, "lthigh")]);
    tr_vec3 shank = tr_quat_log(motion->poses[1].joint[tr_model_find_body(model, "lshank")]);
    tr_vec3 elbow = tr_quat_log(motion->poses[1].joint[tr_model_find_body(model, "rlarm")]);
    scratch_near(thigh.y, -30 * TR_PI / 180, 1e-6);
    scratch_near(shank.y, 60 * TR_PI / 180, 1e-6);
    scratch_near(elbow.y, -90 * TR_PI / 180, 1e-6);
    scratch_near(tr_vec3_length(thigh), 30 * TR_PI / 180, 1e-6);
    scratch_near(tr_quat_heading(motion->poses[2].root_rot), 20 * TR_PI / 180, 1e-6);
    /* Lengths are scaled by the legs: hips over ankles as in the source. */
    double scale = 0.82 / clip->found.leg_m;
    int hip = tr_skeleton_joint(&skeleton, clip, TR_PART_LEFT_HIP);
    scratch_near(motion->poses[0].root_pos.z - 0.05, scale * tr_clip_pos(clip, 0, hip).z, 1e-9);
}

TEST(limbs_follow_bvh) {
    limbs_follow_the_source(SAMPLE("figure.bvh"));
}

TEST(limbs_follow_deepmimic) {
    limbs_follow_the_source(SAMPLE("figure.txt"));
}

/* A model without marks for its hands is refused before anything is made. */
TEST(a_model_without_marks_is_refused) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    tr_model bare = *model;
    OWN(tr_clip) *clip = NULL;
    tr_motion *motion = NULL;
    tr_skeleton skeleton;
    tr_error error = {0};
    assert_int_equal(tr_clip_load(SAMPLE("figure.bvh"), NULL, &clip, NULL), TR_OK);
    assert_int_equal(tr_skeleton_load("wd2", NULL, &skeleton, NULL), TR_OK);
    bare.hand[1] = -1;
    assert_int_equal(tr_retarget(clip, &skeleton, &bare, &motion, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "hand"));
    bare = *model;
    bare.trunk = -1;
    assert_int_equal(tr_retarget(clip, &skeleton, &bare, &motion, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "trunk"));
    assert_null(motion);
}

/* The march as a clip file. */
static const char *march_file(const tr_model *model) {
    OWN(tr_motion) *march = scratch_march(model, 50, 0.02, 1.2);
    OWN(tr_clip) *clip = NULL;
    assert_int_equal(tr_clip_from_motion(model, march, 1, &clip), TR_OK);
    assert_int_equal(tr_bvh_save(clip, scratch_path(".bvh"), NULL), TR_OK);
    return scratch_path(".bvh");
}

/* The march glides over the ground. */
static tr_import import_of_march(void) {
    tr_import import = tr_import_default();
    import.accepted = 1U << TR_CHECK_STANDING;
    return import;
}

TEST(an_import_is_grounded_and_symmetric) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    const char *path = march_file(model);
    tr_import import = import_of_march();
    import.symmetric = true;
    import.frame_count = 200;
    import.licence = "none needed";
    OWN(tr_motion) *motion = NULL;
    OWN_BY(tr_import_account_deinit) tr_import_account account = {0};
    tr_error error = {0};
    if (tr_import_run(path, model, &import, &motion, &account, &error))
        fail_msg("%s", error.message);
    assert_int_equal(motion->frame_count, 200);
    assert_true(motion->cyclic && motion->symmetric);
    assert_string_equal(motion->source.licence, "none needed");
    assert_string_equal(motion->source.clip, "scratch.bvh");
    assert_true(motion->source.hash == account.clip->hash);
    scratch_near(motion->cycle_shift.x, 1.2, 1e-3);
    scratch_near(motion->cycle_shift.y, 0, 1e-12);
    tr_motion_report report;
    assert_int_equal(tr_motion_describe(model, motion, &report), TR_OK);
    assert_true(report.foot_low_m > -0.02 && report.foot_low_m < 0.02);
    for (int i = 0; i < 100; i++) {
        tr_pose later = motion->poses[i + 100];
        later.root_pos.x -= 0.5 * motion->cycle_shift.x;
        tr_pose mirrored = tr_pose_mirror(model, &later);
        for (int b = 1; b < model->body_count; b++)
            scratch_near(tr_quat_angle(mirrored.joint[b], motion->poses[i].joint[b]), 0, 5e-5);
        scratch_near(tr_vec3_distance(mirrored.root_pos, motion->poses[i].root_pos), 0, 5e-5);
    }
}

/* The march with equal sides: each pose is its own mirror image, in two cycles. */
TEST(sides_can_be_made_alike) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    const char *path = march_file(model);
    tr_import import = tr_import_default(), read = tr_import_default();
    import.alike = true;
    import.return_s = 0.1;
    import.frame_count = 240;
    import.accepted = 1U << TR_CHECK_SYMMETRY; /* a march is far from it */
    OWN(tr_motion) *motion = NULL;
    tr_error error = {0};
    if (tr_import_run(path, model, &import, &motion, NULL, &error))
        fail_msg("%s", error.message);
    assert_int_equal(motion->frame_count, 240);
    assert_true(motion->cyclic && motion->symmetric);
    for (int i = 0; i < 120; i++) {
        tr_pose mirrored = tr_pose_mirror(model, &motion->poses[i]);
        for (int b = 1; b < model->body_count; b++) {
            scratch_near(tr_quat_angle(mirrored.joint[b], motion->poses[i].joint[b]), 0, 1e-4);
            scratch_near(tr_quat_angle(motion->poses[i + 120].joint[b], motion->poses[i].joint[b]),
                         0, 1e-4);
        }
    }
    assert_int_equal(tr_import_read_options(motion->source.options, &read, &error), TR_OK);
    assert_true(read.alike && !read.symmetric && read.frame_count == 240);
}

TEST(an_import_is_deterministic) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    const char *path = march_file(model);
    tr_import import = import_of_march();
    import.cyclic = true;
    OWN(tr_motion) *a = NULL, *b = NULL;
    assert_int_equal(tr_import_run(path, model, &import, &a, NULL, NULL), TR_OK);
    assert_int_equal(tr_import_run(path, model, &import, &b, NULL, NULL), TR_OK);
    assert_memory_equal(a->poses, b->poses, (size_t)a->frame_count * sizeof *a->poses);
}

/* A name that is too long is cut between characters, so that its motion can be saved. */
TEST(a_long_name_is_cut_between_characters) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    const char *path = march_file(model);
    tr_import import = import_of_march();
    tr_motion *motion = NULL;
    tr_error error = {0};
    char name[2 * TR_MOTION_NAME_MAX] = "x";
    for (int i = 1; i + 2 < (int)sizeof name; i += 2)
        memcpy(name + i, "\xc3\xbc", 2);
    for (int skip = 0; skip < 2; skip++) {
        import.name = name + skip;
        assert_int_equal(tr_import_run(path, model, &import, &motion, NULL, NULL), TR_OK);
        assert_int_equal(strlen(motion->name), TR_MOTION_NAME_MAX - 1 - skip);
        if (tr_motion_save(motion, scratch_path(".json"), &error))
            fail_msg("%s", error.message);
        tr_motion_destroy(motion);
    }
}

static void refuse(const tr_model *model, const char *path, const tr_import *import,
                   const char *expected) {
    tr_motion *motion = NULL;
    tr_import_account account = {0};
    tr_error error = {0};
    assert_int_not_equal(tr_import_run(path, model, import, &motion, &account, &error), TR_OK);
    assert_null(motion);
    assert_null(account.clip);
    if (!strstr(error.message, expected))
        fail_msg("'%s' does not say '%s'", error.message, expected);
}

TEST(bad_imports_are_refused) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    const char *path = march_file(model);
    tr_import i = tr_import_default();
    i.last = 51;
    refuse(model, path, &i, "within 0 to 50");
    i = tr_import_default();
    i.first = 49;
    refuse(model, path, &i, "at least 3 frames");
    i = tr_import_default();
    i.symmetric = true;
    i.frame_count = 201;
    refuse(model, path, &i, "even number");
    i.frame_count = 200;
    i.return_s = 0.3;
    refuse(model, path, &i, "no return");
    i.return_s = 0;
    i.alike = true;
    refuse(model, path, &i, "not alike");
    i.symmetric = false;
    i.frame_count = 201;
    refuse(model, path, &i, "even number");
    i = tr_import_default();
    i.blend_s = 0.2;
    i.return_s = 0.3;
    refuse(model, path, &i, "blend");
    i = tr_import_default();
    i.frame_count = TR_MOTION_FRAME_MAX + 2;
    refuse(model, path, &i, "steps");
    i.frame_count = -5;
    refuse(model, path, &i, "frames");
    i = tr_import_default();
    i.dt_s = (double)NAN;
    refuse(model, path, &i, "time step");
    i = tr_import_default();
    i.ground = 101;
    refuse(model, path, &i, "ground");
}

/* The gap between the ends is spread over the last part alone: earlier frames do not change. */
TEST(a_blend_does_not_change_the_beginning) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    const char *path = march_file(model);
    tr_import import = import_of_march();
    import.last = 40;
    import.smooth_s = 0;
    import.stiff = true;
    OWN(tr_motion) *open = NULL, *closed = NULL;
    tr_error error = {0};
    assert_int_equal(tr_import_run(path, model, &import, &open, NULL, &error), TR_OK);
    import.blend_s = 0.1;
    assert_int_equal(tr_import_run(path, model, &import, &closed, NULL, &error), TR_OK);
    assert_true(closed->cyclic && !open->cyclic);
    int blended = (int)(0.1 / closed->dt_s) + 2, knee = tr_model_find_body(model, "lshank");
    for (int i = 0; i < closed->frame_count - blended; i++)
        assert_true(tr_quat_angle(closed->poses[i].joint[knee], open->poses[i].joint[knee]) < 1e-9);
    tr_pose after = tr_motion_pose(closed, tr_motion_duration(closed));
    assert_true(tr_quat_angle(after.joint[knee], closed->poses[0].joint[knee]) < 1e-6);
}
