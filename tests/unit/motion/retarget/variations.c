/* One motion as many tools would write it: other names, axes, units, zero poses, headings. All of
 * them import to the same motion, or are refused with a remedy. */
#include "cmocka_test.h"

#include "math/random.h"
#include "model/mjcf.h"
#include "motion/clips/bvh.h"
#include "motion/retarget/import.h"
#include "unit/motion/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STILL = 20, BLEND = 20, STEPS = 60 };
static const double DT_S = 0.02;

/* Stands still, then marches; without the standing, only marches. */
static tr_clip *clip_of(const tr_model *model, bool stands) {
    OWN(tr_motion) *march = scratch_march(model, STEPS, DT_S, 0.4), *whole = NULL;
    int before = stands ? STILL + BLEND : 0;
    assert_int_equal(tr_motion_create(model, before + march->frame_count, DT_S, &whole), TR_OK);
    tr_pose rest = tr_pose_rest(model);
    for (int i = 0; i < before; i++)
        whole->poses[i] = tr_pose_between(&rest, &march->poses[0], model->body_count,
                                          i < STILL ? 0 : (double)(i - STILL) / BLEND);
    memcpy(whole->poses + before, march->poses, (size_t)march->frame_count * sizeof *march->poses);
    tr_clip *clip = NULL;
    assert_int_equal(tr_clip_from_motion(model, whole, 1, &clip), TR_OK);
    return clip;
}

/* ---- Variations ---- */

static size_t joint_frames(const tr_clip *clip) {
    return (size_t)clip->frame_count * (size_t)clip->joint_count;
}

/* Turns the world, and makes it larger. The zero pose goes with the root's rotation, as where a
 * tool has another up axis in its rotations only. */
static void turn_world(tr_clip *clip, tr_quat turn, double scale) {
    for (size_t i = 0; i < joint_frames(clip); i++) {
        clip->pos[i] = tr_vec3_scale(tr_quat_rotate(turn, clip->pos[i]), scale);
        clip->rot[i] = tr_quat_mul(turn, clip->rot[i]);
    }
    for (int i = 0; i < clip->joint_count; i++)
        clip->joints[i].offset = tr_vec3_scale(clip->joints[i].offset, scale);
}

static void mirror_world(tr_clip *clip) {
    for (size_t i = 0; i < joint_frames(clip); i++) {
        clip->pos[i] = tr_vec3_mirror(clip->pos[i]);
        clip->rot[i] = tr_quat_mirror(clip->rot[i]);
    }
    for (int i = 0; i < clip->joint_count; i++)
        clip->joints[i].offset = tr_vec3_mirror(clip->joints[i].offset);
}

/* Gives a joint another frame, and with it the skeleton another zero pose. */
static void turn_joint(tr_clip *clip, int joint, tr_quat turn) {
    for (int f = 0; f < clip->frame_count; f++) {
        tr_quat *rot = &clip->rot[(size_t)f * (size_t)clip->joint_count + (size_t)joint];
        *rot = tr_quat_mul(*rot, turn);
    }
    for (int i = 0; i < clip->joint_count; i++) {
        if (clip->joints[i].parent == joint)
            clip->joints[i].offset = tr_quat_rotate_inverse(turn, clip->joints[i].offset);
        if (clip->joints[i].is_end && clip->joints[i].parent == joint)
            turn_joint(clip, i, turn);
    }
}

static void turn_all_joints(tr_clip *clip, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    for (int i = 0; i < clip->joint_count; i++) {
        tr_vec3 v = {tr_random_normal(&random), tr_random_normal(&random),
                     tr_random_normal(&random)};
        if (!clip->joints[i].is_end)
            turn_joint(clip, i, tr_quat_exp(v));
    }
}

static void rename_joint(tr_clip *clip, const char *from, const char *to) {
    int joint = tr_clip_find_joint(clip, from);
    assert_true(joint >= 0);
    snprintf(clip->joints[joint].name, sizeof clip->joints[joint].name, "%s", to);
}

/* ---- Importing ---- */

static const char *save(const tr_clip *clip) {
    const char *path = scratch_path(".bvh");
    assert_int_equal(tr_bvh_save(clip, path, NULL), TR_OK);
    return path;
}

static tr_motion *import(const tr_model *model, const tr_clip *clip, const tr_import *how,
                         tr_import_account *account) {
    tr_motion *motion = NULL;
    tr_error error = {0};
    if (tr_import_run(save(clip), model, how, &motion, account, &error))
        fail_msg("%s", error.message);
    return motion;
}

static void refuses(const tr_model *model, const tr_clip *clip, const tr_import *how,
                    const char *complaint, const char *remedy) {
    tr_motion *motion = NULL;
    tr_error error = {0};
    assert_int_equal(tr_import_run(save(clip), model, how, &motion, NULL, &error),
                     TR_FAILED_PRECONDITION);
    assert_null(motion);
    if (!strstr(error.message, complaint) || !strstr(error.message, remedy))
        fail_msg("'%s' does not say '%s' and '%s'", error.message, complaint, remedy);
}

/* The largest angle between a joint of two motions over all frames, rad; trunk and limbs. */
static double difference(const tr_motion *a, const tr_motion *b) {
    double most = 0;
    assert_int_equal(a->frame_count, b->frame_count);
    for (int f = 0; f < a->frame_count; f++) {
        double turn = tr_quat_angle(a->poses[f].root_rot, b->poses[f].root_rot);
        most = turn > most ? turn : most;
        for (int i = 1; i < a->body_count; i++) {
            double angle = tr_quat_angle(a->poses[f].joint[i], b->poses[f].joint[i]);
            most = angle > most ? angle : most;
        }
    }
    return most;
}

/* A model, a clip of it and the motion that the unchanged clip imports to. */
typedef struct stage {
    tr_model *model;
    tr_clip *clip;
    tr_motion *motion;
    tr_import how;
} stage;

static stage open_stage(bool stands) {
    stage s = {.model = scratch_model("humanoid.xml"), .how = tr_import_default()};
    s.clip = clip_of(s.model, stands);
    s.motion = import(s.model, s.clip, &s.how, NULL);
    return s;
}

static void close_stage(stage *s) {
    tr_motion_destroy(s->motion);
    tr_clip_destroy(s->clip);
    tr_model_destroy(s->model);
}

/* The clip of the stage, varied, imports to the motion of the stage. */
static void imports_alike(stage *s, double tolerance_rad, tr_import_account *account) {
    tr_motion *varied = import(s->model, s->clip, &s->how, account);
    double worst = difference(s->motion, varied);
    tr_motion_destroy(varied);
    if (!(worst <= tolerance_rad))
        fail_msg("differs by %g rad, expected at most %g", worst, tolerance_rad);
}

/* ---- Axes, units, headings ---- */

TEST(any_axis_may_be_up) {
    static const struct {
        tr_vec3 axis;
        double turns;
        char up;
    } cases[] = {{{0, 1, 0}, 0.25, 'z'},
                 {{0, 1, 0}, -0.25, 'Z'},
                 {{1, 0, 0}, 0.5, 'Y'},
                 {{1, 0, 0}, 0.25, 'X'},
                 {{1, 0, 0}, -0.25, 'x'}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWN_BY(close_stage) stage s = open_stage(true);
        OWN_BY(tr_import_account_deinit) tr_import_account account = {0};
        double angle = 2 * TR_PI * cases[i].turns;
        turn_world(s.clip, tr_quat_from_axis_angle(cases[i].axis, angle), 1);
        imports_alike(&s, 1e-4, &account);
        assert_int_equal(account.clip->found.up, cases[i].up);
    }
}

TEST(any_customary_unit_will_do) {
    static const double units[] = {0.01, 0.001, 0.0254, 0.3048};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        OWN_BY(close_stage) stage s = open_stage(true);
        OWN_BY(tr_import_account_deinit) tr_import_account account = {0};
        turn_world(s.clip, tr_quat_identity(), 1 / units[i]);
        imports_alike(&s, 1e-3, &account);
        scratch_near(account.clip->found.unit_m, units[i], 1e-9);
    }
}

TEST(an_uncustomary_unit_is_refused) {
    OWN_BY(close_stage) stage s = open_stage(true);
    tr_motion *motion = NULL;
    tr_error error = {0};
    turn_world(s.clip, tr_quat_identity(), 8);
    assert_int_equal(tr_import_run(save(s.clip), s.model, &s.how, &motion, NULL, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "--unit"));
    assert_non_null(strstr(error.message, " makes them 0.82 m, as a person's"));
    s.how.clip.unit_m = 0.125;
    imports_alike(&s, 1e-3, NULL);
}

/* On hands and feet as a dog stands: refused whatever its unit, unless a map is named. */
TEST(a_body_on_four_legs_is_refused) {
    static const char *const limbs[] = {"lthigh", "rthigh", "luarm", "ruarm"};
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    tr_motion *stands = NULL, *motion = NULL;
    tr_import how = tr_import_default();
    tr_error error = {0};
    const char *path = scratch_path(".bvh");
    assert_int_equal(tr_motion_create(model, 20, 0.02, &stands), TR_OK);
    for (int i = 0; i < 20; i++) {
        tr_pose *pose = &stands->poses[i];
        pose->root_rot = tr_quat_from_axis_angle(tr_vec3_make(0, 1, 0), 0.5 * TR_PI);
        for (int k = 0; k < 4; k++)
            pose->joint[tr_model_find_body(model, limbs[k])] =
                tr_quat_from_axis_angle(tr_vec3_make(0, 1, 0), -0.5 * TR_PI);
    }
    assert_int_equal(tr_bvh_save_motion(model, stands, path, NULL), TR_OK);
    how.clip.unit_m = 0.005;
    assert_int_equal(tr_import_run(path, model, &how, &motion, NULL, &error),
                     TR_FAILED_PRECONDITION);
    if (!strstr(error.message, "a body on four legs") ||
        !strstr(error.message, "--skeleton troupe"))
        fail_msg("%s", error.message);
    how.clip = (tr_clip_options){.skeleton = "troupe"};
    if (!tr_import_run(path, model, &how, &motion, NULL, &error))
        tr_motion_destroy(motion);
    else
        assert_null(strstr(error.message, "a body on four legs"));
    tr_motion_destroy(stands);
}

TEST(a_subject_may_face_anywhere) {
    for (int i = 1; i < 8; i++) {
        OWN_BY(close_stage) stage s = open_stage(true);
        turn_world(s.clip, tr_quat_from_heading(i * TR_PI / 4), 1);
        imports_alike(&s, 1e-4, NULL);
    }
}

/* ---- Zero poses ---- */

/* Arms stretched to the sides, and half way down. */
TEST(arms_of_the_zero_pose_do_not_matter) {
    for (int i = 1; i <= 2; i++) {
        OWN_BY(close_stage) stage s = open_stage(true);
        OWN_BY(tr_import_account_deinit) tr_import_account account = {0};
        tr_vec3 x = {1, 0, 0};
        turn_joint(s.clip, tr_clip_find_joint(s.clip, "luarm"),
                   tr_quat_from_axis_angle(x, -i * TR_PI / 4));
        turn_joint(s.clip, tr_clip_find_joint(s.clip, "ruarm"),
                   tr_quat_from_axis_angle(x, i * TR_PI / 4));
        imports_alike(&s, 1e-4, &account);
        assert_int_equal(account.calibration.trunk, TR_CALIBRATION_ZERO_POSE);
    }
}

/* Arbitrary joint frames: the frames in which the character stands calibrate them. */
TEST(a_senseless_zero_pose_is_replaced_by_standing_frames) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        OWN_BY(close_stage) stage s = open_stage(true);
        OWN_BY(tr_import_account_deinit) tr_import_account account = {0};
        turn_all_joints(s.clip, seed);
        imports_alike(&s, 0.06, &account);
        assert_int_equal(account.calibration.trunk, TR_CALIBRATION_STANDING);
        assert_true(account.calibration.frames.last < STILL + BLEND);
    }
}

/* Without them the bones show left, right, front and back, and the pitch of the trunk roughly. */
TEST(a_senseless_zero_pose_is_made_up_for_by_bones) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        OWN_BY(close_stage) stage s = open_stage(false);
        OWN_BY(tr_import_account_deinit) tr_import_account account = {0};
        turn_all_joints(s.clip, seed);
        imports_alike(&s, 0.4, &account);
        assert_int_equal(account.calibration.trunk, TR_CALIBRATION_BONES);
    }
}

TEST(frames_that_stand_can_be_named) {
    OWN_BY(close_stage) stage s = open_stage(true);
    tr_import_account account = {0};
    turn_all_joints(s.clip, 9);
    s.how.stand = (tr_frame_range){2, 9};
    imports_alike(&s, 2e-3, &account);
    assert_int_equal(account.calibration.trunk, TR_CALIBRATION_GIVEN);
    tr_import_account_deinit(&account);
    tr_motion *motion = NULL;
    tr_error error = {0};
    s.how.stand = (tr_frame_range){2, 100000};
    assert_int_equal(tr_import_run(save(s.clip), s.model, &s.how, &motion, NULL, &error),
                     TR_OUT_OF_RANGE);
    assert_non_null(strstr(error.message, "stand"));
}

/* The joint map of another subject: its calibration turns hips and feet about. It is not used, for
 * its bones are others. */
TEST(a_calibration_of_another_subject_is_not_used) {
    static const char *const names[][2] = {
        {"pelvis", "Hips"},       {"ltorso", "Spine"},       {"utorso", "Spine2"},
        {"head", "Head"},         {"luarm", "LeftArm"},      {"ruarm", "RightArm"},
        {"llarm", "LeftForeArm"}, {"rlarm", "RightForeArm"}, {"lhand", "LeftHand"},
        {"rhand", "RightHand"},   {"lthigh", "LeftUpLeg"},   {"rthigh", "RightUpLeg"},
        {"lshank", "LeftLeg"},    {"rshank", "RightLeg"},    {"lfoot", "LeftFoot"},
        {"rfoot", "RightFoot"},   {"ltoe", "LeftToe"},       {"rtoe", "RightToe"}};
    OWN_BY(close_stage) stage s = open_stage(true);
    tr_import_account account = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        rename_joint(s.clip, names[i][0], names[i][1]);
    imports_alike(&s, 1e-4, &account);
    assert_string_equal(account.clip->found.skeleton, "lafan1");
    tr_import_account_deinit(&account);
    s.how.clip.skeleton = "cmu16";
    imports_alike(&s, 1e-4, &account);
    assert_int_equal(account.calibration.trunk, TR_CALIBRATION_ZERO_POSE);
    tr_import_account_deinit(&account);
}

/* ---- Clips that are no motion ---- */

/* Converters put the zero pose into the first frame. */
TEST(a_first_frame_apart_is_left_out) {
    OWN_BY(close_stage) stage s = open_stage(false);
    OWN_BY(tr_import_account_deinit) tr_import_account account = {0};
    size_t row = (size_t)s.clip->joint_count;
    OWN(tr_clip) *again = clip_of(s.model, false);
    for (size_t i = 0; i < row; i++) {
        s.clip->rot[i] = tr_quat_identity();
        int parent = s.clip->joints[i].parent;
        s.clip->pos[i] = parent < 0 ? tr_vec3_make(3, 4, 0.9)
                                    : tr_vec3_add(s.clip->pos[parent], s.clip->joints[i].offset);
    }
    OWN(tr_motion) *motion = import(s.model, s.clip, &s.how, &account);
    assert_int_equal(account.first, 1);
    assert_int_equal(motion->source.first_frame, 1);
    s.how.first = 1;
    OWN(tr_motion) *expected = import(s.model, again, &s.how, NULL);
    assert_true(difference(motion, expected) < 1e-3);
}

static void exchange_frames(tr_clip *clip, int a, int b) {
    size_t row = (size_t)clip->joint_count;
    for (size_t i = 0; i < row; i++) {
        tr_vec3 pos = clip->pos[(size_t)a * row + i];
        tr_quat rot = clip->rot[(size_t)a * row + i];
        clip->pos[(size_t)a * row + i] = clip->pos[(size_t)b * row + i];
        clip->rot[(size_t)a * row + i] = clip->rot[(size_t)b * row + i];
        clip->pos[(size_t)b * row + i] = pos;
        clip->rot[(size_t)b * row + i] = rot;
    }
}

static bool finds(const tr_import_account *account, tr_check check) {
    for (int i = 0; i < account->finding_count; i++)
        if (account->finding[i].check == check)
            return true;
    return false;
}

TEST(a_break_is_reported) {
    OWN_BY(close_stage) stage s = open_stage(false);
    OWN_BY(tr_import_account_deinit) tr_import_account account = {0};
    exchange_frames(s.clip, 20, 50);
    tr_motion_destroy(import(s.model, s.clip, &s.how, &account));
    assert_true(finds(&account, TR_CHECK_BREAKS));
}

/* ---- Faults that must be reported ---- */

TEST(left_handed_axes_are_refused_and_can_be_stated) {
    OWN_BY(close_stage) stage s = open_stage(true);
    mirror_world(s.clip);
    refuses(s.model, s.clip, &s.how, "left and right are exchanged", "--left-handed");
    s.how.clip.left_handed = true;
    imports_alike(&s, 1e-4, NULL);
}

TEST(exchanged_sides_are_refused) {
    OWN_BY(close_stage) stage s = open_stage(true);
    for (int i = 0; i < s.clip->joint_count; i++) {
        char *name = s.clip->joints[i].name;
        if (strcmp(name, "ltorso") != 0)
            name[0] = name[0] == 'l' ? 'r' : name[0] == 'r' ? 'l' : name[0];
    }
    refuses(s.model, s.clip, &s.how, "left and right are exchanged", "joint map");
    s.how.accepted = 1U << TR_CHECK_SIDES | 1U << TR_CHECK_CALIBRATION;
    tr_motion_destroy(import(s.model, s.clip, &s.how, NULL));
}

/* The body glides while its legs march: its feet slide. */
TEST(feet_that_never_stand_are_refused) {
    OWN_BY(close_stage) stage s = open_stage(false);
    size_t row = (size_t)s.clip->joint_count;
    for (size_t i = 0; i < joint_frames(s.clip); i++)
        s.clip->pos[i].x += 3 * DT_S * (double)(i / row);
    refuses(s.model, s.clip, &s.how, "never stand", "in place");
    s.how.accepted = 1U << TR_CHECK_STANDING;
    tr_motion_destroy(import(s.model, s.clip, &s.how, NULL));
}

/* Shanks turned about their thighs by half a turn. */
TEST(knees_that_bend_backwards_are_refused) {
    OWN_BY(close_stage) stage s = open_stage(true);
    OWN(tr_motion) *march = scratch_march(s.model, STEPS, DT_S, 1.0);
    static const char *const shanks[] = {"lshank", "rshank"};
    for (int f = 0; f < march->frame_count; f++)
        for (int i = 0; i < 2; i++) {
            tr_quat *knee = &march->poses[f].joint[tr_model_find_body(s.model, shanks[i])];
            *knee = tr_quat_conj(*knee);
        }
    tr_clip_destroy(s.clip);
    assert_int_equal(tr_clip_from_motion(s.model, march, 1, &s.clip), TR_OK);
    refuses(s.model, s.clip, &s.how, "knees bend backwards", "joint map");
}

/* A standing figure whose knees are always 8 degrees beyond straight. */
TEST(straight_knees_are_knees) {
    OWN_BY(close_stage) stage s = open_stage(true);
    OWN(tr_motion) *march = scratch_march(s.model, STEPS, DT_S, 1.0);
    static const char *const shanks[] = {"lshank", "rshank"};
    const tr_quat beyond = tr_quat_from_axis_angle(tr_vec3_make(0, 1, 0), -8 * TR_PI / 180);
    for (int f = 0; f < march->frame_count; f++)
        for (int i = 0; i < 2; i++)
            march->poses[f].joint[tr_model_find_body(s.model, shanks[i])] = beyond;
    tr_clip_destroy(s.clip);
    assert_int_equal(tr_clip_from_motion(s.model, march, 1, &s.clip), TR_OK);
    s.how.accepted = ~(1U << TR_CHECK_SIDES);
    tr_motion_destroy(import(s.model, s.clip, &s.how, NULL));
}

TEST(a_calibration_against_the_bones_is_refused) {
    OWN_BY(close_stage) stage s = open_stage(true);
    /* In frames 5 to 8 the zero pose lies on its side: as if the user named the wrong frames. */
    turn_all_joints(s.clip, 3);
    size_t row = (size_t)s.clip->joint_count;
    tr_quat over = tr_quat_from_axis_angle(tr_vec3_make(1, 0, 0), TR_PI / 2);
    for (size_t i = 5 * row; i < 9 * row; i++) {
        s.clip->pos[i] = tr_quat_rotate(over, s.clip->pos[i]);
        s.clip->rot[i] = tr_quat_mul(over, s.clip->rot[i]);
    }
    s.how.stand = (tr_frame_range){5, 8};
    refuses(s.model, s.clip, &s.how, "turned", "--stand");
}

/* A jump: the whole body follows a parabola. */
static tr_clip *jump(const tr_model *model, double dt_s) {
    OWN(tr_motion) *motion = NULL;
    const double flight_s = 0.5, g = 9.81;
    int before = 30, count = (int)(flight_s / 0.01);
    assert_int_equal(tr_motion_create(model, 2 * before + count, 0.01, &motion), TR_OK);
    for (int i = 0; i < count; i++) {
        double t = i * 0.01;
        motion->poses[before + i].root_pos.z += 0.5 * g * t * (flight_s - t);
    }
    tr_clip *clip = NULL;
    motion->dt_s = dt_s;
    assert_int_equal(tr_clip_from_motion(model, motion, 1, &clip), TR_OK);
    return clip;
}

TEST(a_wrong_rate_shows_in_free_flight) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    tr_import how = tr_import_default();
    OWN(tr_clip) *right = jump(model, 0.01), *fast = jump(model, 0.01 / 4),
                 *slow = jump(model, 0.02);
    tr_motion_destroy(import(model, right, &how, NULL));
    refuses(model, fast, &how, "falls with 15", "--rate 100");
    refuses(model, slow, &how, "falls with 2.5", "--rate 100");
    how.clip.rate_hz = 100;
    tr_motion_destroy(import(model, fast, &how, NULL));
}

/* A walk that turns, and one whose second half does something else. */
TEST(an_asymmetric_walk_is_not_made_symmetric) {
    OWN_BY(close_stage) stage s = open_stage(false);
    s.how.symmetric = true;
    tr_motion_destroy(import(s.model, s.clip, &s.how, NULL));
    int half = s.clip->frame_count / 2;
    for (int f = half; f < s.clip->frame_count; f++)
        for (int i = 0; i < s.clip->joint_count; i++) {
            size_t row = (size_t)s.clip->joint_count;
            size_t at = (size_t)f * row + (size_t)i, then = (size_t)(f - half) * row + (size_t)i;
            s.clip->rot[at] = s.clip->rot[then];
        }
    refuses(s.model, s.clip, &s.how, "not mirror images", "--cyclic");
}

TEST(a_wide_gap_closed_in_no_time_is_reported) {
    OWN_BY(close_stage) stage s = open_stage(true);
    tr_import_account account = {0};
    s.how.last = 45;
    s.how.blend_s = 0.1;
    tr_motion_destroy(import(s.model, s.clip, &s.how, &account));
    assert_true(finds(&account, TR_CHECK_GAP));
    assert_true(account.gap.angle_rad > 0.3);
    tr_import_account_deinit(&account);
    s.how.blend_s = 0;
    s.how.return_s = 0.8;
    tr_motion_destroy(import(s.model, s.clip, &s.how, &account));
    assert_false(finds(&account, TR_CHECK_GAP));
    tr_import_account_deinit(&account);
}

TEST(a_stretch_is_reported) {
    OWN_BY(close_stage) stage s = open_stage(false);
    OWN_BY(tr_import_account_deinit) tr_import_account account = {0};
    s.how.frame_count = 265; /* of 241 */
    tr_motion_destroy(import(s.model, s.clip, &s.how, &account));
    scratch_near(account.stretch, 1.1, 1e-9);
    assert_true(finds(&account, TR_CHECK_STRETCH));
}

/* Recorded before drift was taken out: imported as then. */
TEST(a_drift_is_taken_out_unless_the_record_is_older) {
    OWN_BY(close_stage) stage s = open_stage(true);
    tr_import_account account = {0};
    for (size_t i = 0; i < joint_frames(s.clip); i++)
        s.clip->pos[i].z += 0.2 * (double)i / (double)joint_frames(s.clip);
    imports_alike(&s, 0.1, &account);
    assert_true(account.drift_m > 0.08);
    tr_import_account_deinit(&account);
    s.how.procedure = TR_IMPORT_PROCEDURE_THIRD;
    tr_motion_destroy(import(s.model, s.clip, &s.how, &account));
    assert_true(account.drift_m == 0);
    tr_import_account_deinit(&account);
}

/* Recorded before there were checks: imported as then. */
TEST(an_old_import_is_repeated_unchanged) {
    OWN_BY(close_stage) stage s = open_stage(true);
    OWN_BY(tr_import_account_deinit) tr_import_account account = {0};
    mirror_world(s.clip);
    s.how.procedure = TR_IMPORT_PROCEDURE_FIRST;
    tr_motion_destroy(import(s.model, s.clip, &s.how, &account));
    assert_int_equal(account.calibration.trunk, TR_CALIBRATION_MAP);
    assert_int_equal(account.finding_count, 0);
}
