/* Which joint map a clip gets: by its names, by their meaning, by its shape. */
#include "cmocka_test.h"

#include "model/mjcf.h"
#include "motion/clips/bvh.h"
#include "motion/clips/joint_name.h"
#include "motion/clips/skeleton_detect.h"
#include "motion/clips/skeleton_draft.h"
#include "motion/clips/skeleton_limbs.h"
#include "motion/clips/skeleton_shape.h"
#include "unit/motion/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_name(const char *name, const char *space, const char *noun, tr_side side) {
    tr_joint_name read = tr_joint_name_read(name, space);
    assert_string_equal(read.noun, noun);
    assert_int_equal(read.side, side);
}

TEST(names_are_read_as_words) {
    assert_name("LeftUpLeg", "", "upleg", TR_SIDE_LEFT);
    assert_name("mixamorig:RightForeArm", "", "forearm", TR_SIDE_RIGHT);
    assert_name("thigh_l", "", "thigh", TR_SIDE_LEFT);
    assert_name("L_Hip", "", "hip", TR_SIDE_LEFT);
    assert_name("rShldr", "", "shldr", TR_SIDE_RIGHT);
    assert_name("LThigh", "", "thigh", TR_SIDE_LEFT);
    assert_name("Bip01 R Calf", "Bip01 ", "calf", TR_SIDE_RIGHT);
    assert_name("UpperArm.R", "", "upperarm", TR_SIDE_RIGHT);
    assert_name("Spine2", "", "spine2", TR_SIDE_NONE);
    assert_name("lowerback", "", "lowerback", TR_SIDE_NONE);
}

/* A march on the model's skeleton, raw. */
static tr_clip *march_clip(void) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *march = scratch_march(model, 20, 0.05, 1);
    tr_clip *clip = NULL;
    assert_int_equal(tr_clip_from_motion(model, march, 1, &clip), TR_OK);
    return clip;
}

/* The model's bodies in the order of its joints, as other tools name them. */
enum { BODY_COUNT = 18 };
typedef struct naming {
    const char *map; /* that is to be found */
    const char *names[BODY_COUNT];
} naming;

/* pelvis ltorso utorso head, left arm, right arm, left leg, right leg */
static const naming NAMINGS[] = {
    {"mixamo",
     {"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine2", "mixamorig:Head",
      "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand", "mixamorig:RightArm",
      "mixamorig:RightForeArm", "mixamorig:RightHand", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg",
      "mixamorig:LeftFoot", "mixamorig:LeftToeBase", "mixamorig:RightUpLeg", "mixamorig:RightLeg",
      "mixamorig:RightFoot", "mixamorig:RightToeBase"}},
    {"xsens",
     {"Hips", "Chest", "Chest4", "Head", "LeftShoulder", "LeftElbow", "LeftWrist", "RightShoulder",
      "RightElbow", "RightWrist", "LeftHip", "LeftKnee", "LeftAnkle", "LeftToe", "RightHip",
      "RightKnee", "RightAnkle", "RightToe"}},
    {"smpl",
     {"Pelvis", "Spine1", "Spine3", "Head", "L_Shoulder", "L_Elbow", "L_Wrist", "R_Shoulder",
      "R_Elbow", "R_Wrist", "L_Hip", "L_Knee", "L_Ankle", "L_Foot", "R_Hip", "R_Knee", "R_Ankle",
      "R_Foot"}},
    {"rokoko",
     {"Hips", "Spine1", "Spine4", "Head", "LeftArm", "LeftForeArm", "LeftHand", "RightArm",
      "RightForeArm", "RightHand", "LeftThigh", "LeftShin", "LeftFoot", "LeftToe", "RightThigh",
      "RightShin", "RightFoot", "RightToe"}},
    {"unreal",
     {"pelvis", "spine_01", "spine_03", "head", "upperarm_l", "lowerarm_l", "hand_l", "upperarm_r",
      "lowerarm_r", "hand_r", "thigh_l", "calf_l", "foot_l", "ball_l", "thigh_r", "calf_r",
      "foot_r", "ball_r"}},
    {"biped",
     {"Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Head", "Bip01 L UpperArm",
      "Bip01 L Forearm", "Bip01 L Hand", "Bip01 R UpperArm", "Bip01 R Forearm", "Bip01 R Hand",
      "Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot", "Bip01 L Toe0", "Bip01 R Thigh",
      "Bip01 R Calf", "Bip01 R Foot", "Bip01 R Toe0"}},
    {"lafan1",
     {"Hips", "Spine", "Spine2", "Head", "LeftArm", "LeftForeArm", "LeftHand", "RightArm",
      "RightForeArm", "RightHand", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToe", "RightUpLeg",
      "RightLeg", "RightFoot", "RightToe"}},
    {"motionbuilder",
     {"Hips", "Spine", "Spine1", "Head", "LeftArm", "LeftForeArm", "LeftHand", "RightArm",
      "RightForeArm", "RightHand", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "RightUpLeg",
      "RightLeg", "RightFoot", "RightToeBase"}},
    /* Known to no map: found by the words of the names. */
    {"drafted",
     {"J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_UpperChest", "J_Bip_C_Head", "J_Bip_L_UpperArm",
      "J_Bip_L_LowerArm", "J_Bip_L_Hand", "J_Bip_R_UpperArm", "J_Bip_R_LowerArm", "J_Bip_R_Hand",
      "J_Bip_L_UpperLeg", "J_Bip_L_LowerLeg", "J_Bip_L_Foot", "J_Bip_L_ToeBase", "J_Bip_R_UpperLeg",
      "J_Bip_R_LowerLeg", "J_Bip_R_Foot", "J_Bip_R_ToeBase"}},
    {"drafted",
     {"Root", "Ab", "Chest", "Head", "LUArm", "LFArm", "LHand", "RUArm", "RFArm", "RHand", "LThigh",
      "LShin", "LFoot", "LToe", "RThigh", "RShin", "RFoot", "RToe"}},
};

static void give_names(tr_clip *clip, const char *const names[BODY_COUNT]) {
    for (int i = 0; i < BODY_COUNT; i++)
        snprintf(clip->joints[i].name, sizeof clip->joints[i].name, "%s", names[i]);
}

/* The parts are those of the model, whatever their names. */
static void assert_parts(const tr_skeleton *skeleton, const tr_clip *clip) {
    static const int bodies[TR_PART_COUNT] = {0,  2,  3,  4,  7,  5,  8,  6, 9,
                                              10, 14, 11, 15, 12, 16, 13, 17};
    for (int part = 0; part < TR_PART_COUNT; part++)
        if (tr_skeleton_joint(skeleton, clip, (tr_part)part) != bodies[part])
            fail_msg("%s: '%s' plays %s", skeleton->name, skeleton->joint[part],
                     tr_part_name((tr_part)part));
}

TEST(common_sources_are_known) {
    for (size_t i = 0; i < sizeof NAMINGS / sizeof *NAMINGS; i++) {
        OWN(tr_clip) *clip = march_clip();
        tr_skeleton skeleton;
        tr_error error = {0};
        give_names(clip, NAMINGS[i].names);
        if (tr_skeleton_detect(TR_SKELETON_DIR, clip, &skeleton, &error))
            fail_msg("%s: %s", NAMINGS[i].map, error.message);
        assert_string_equal(skeleton.name, NAMINGS[i].map);
        assert_parts(&skeleton, clip);
        assert_int_equal(skeleton.fit.passed_count, skeleton.fit.test_count);
    }
}

/* Joints called a, b, c: drafted by shape, and only where a person asks for it. */
TEST(nameless_joints_are_drafted_by_shape) {
    OWN(tr_clip) *clip = march_clip();
    tr_skeleton skeleton;
    tr_error error = {0};
    for (int i = 0; i < clip->joint_count; i++)
        snprintf(clip->joints[i].name, sizeof clip->joints[i].name, "%c", 'a' + i);
    assert_int_equal(tr_skeleton_detect(TR_SKELETON_DIR, clip, &skeleton, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "troupe-train skeleton"));
    tr_skeleton_draft(clip, &skeleton);
    assert_true(tr_skeleton_lacking(&skeleton, clip) == TR_PART_HIPS);
    tr_skeleton_draft_limbs(clip, &skeleton);
    assert_parts(&skeleton, clip);
}

TEST(a_map_with_its_limbs_in_disorder_is_refused) {
    OWN(tr_clip) *clip = march_clip();
    tr_skeleton skeleton;
    tr_error error = {0};
    assert_int_equal(tr_skeleton_load("troupe", NULL, &skeleton, &error), TR_OK);
    snprintf(skeleton.joint[TR_PART_LEFT_KNEE], TR_CLIP_NAME_MAX, "rshank");
    assert_int_equal(tr_skeleton_check(&skeleton, clip, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "'rshank' (left_knee) does not hang from 'lthigh'"));
}

/* Legs taken for arms are connected like arms, but no body has such proportions. */
TEST(the_shape_distinguishes_arms_from_legs) {
    static const int legs[] = {TR_PART_LEFT_HIP,   TR_PART_RIGHT_HIP,  TR_PART_LEFT_KNEE,
                               TR_PART_RIGHT_KNEE, TR_PART_LEFT_ANKLE, TR_PART_RIGHT_ANKLE};
    OWN(tr_clip) *clip = march_clip();
    tr_skeleton skeleton;
    assert_int_equal(tr_skeleton_load("troupe", NULL, &skeleton, NULL), TR_OK);
    assert_string_equal(tr_skeleton_judge(&skeleton, clip).complaint, "");
    for (int i = 0; i < 6; i++) {
        int arm = TR_PART_LEFT_SHOULDER + i;
        char name[TR_CLIP_NAME_MAX];
        memcpy(name, skeleton.joint[legs[i]], sizeof name);
        memcpy(skeleton.joint[legs[i]], skeleton.joint[arm], sizeof name);
        memcpy(skeleton.joint[arm], name, sizeof name);
    }
    for (int side = 0; side < 2; side++)
        skeleton.joint[TR_PART_LEFT_TOE + side][0] = '\0';
    tr_skeleton_shape shape = tr_skeleton_judge(&skeleton, clip);
    assert_true(shape.passed < shape.tests);
    assert_non_null(strstr(shape.complaint, "arm over leg"));
}

/* The calibration of a map applies to its bones, in any unit, and to no others. */
TEST(bones_identify_a_skeleton) {
    OWN(tr_clip) *clip = march_clip();
    tr_skeleton skeleton;
    assert_int_equal(tr_skeleton_load("troupe", NULL, &skeleton, NULL), TR_OK);
    assert_false(tr_skeleton_has_bones_of(&skeleton, clip));
    skeleton.has_bones = true;
    for (int part = TR_PART_CHEST; part < TR_PART_COUNT; part++) {
        int joint = tr_skeleton_joint(&skeleton, clip, (tr_part)part);
        skeleton.bone[part] = tr_vec3_scale(clip->joints[joint].offset, 100);
    }
    assert_true(tr_skeleton_has_bones_of(&skeleton, clip));
    skeleton.bone[TR_PART_LEFT_ANKLE].z *= 1.01;
    assert_false(tr_skeleton_has_bones_of(&skeleton, clip));
}

/* A drafted map, written and read, is the same map. */
TEST(a_map_is_written_and_read) {
    OWN(tr_clip) *clip = march_clip();
    tr_skeleton skeleton, again;
    give_names(clip, NAMINGS[8].names);
    tr_skeleton_draft(clip, &skeleton);
    const char *path = scratch_write(".json", "", 0);
    assert_int_equal(tr_skeleton_save(&skeleton, NULL, path, NULL), TR_OK);
    assert_int_equal(tr_skeleton_load(path, NULL, &again, NULL), TR_OK);
    assert_string_equal(again.name, skeleton.name);
    assert_memory_equal(again.joint, skeleton.joint, sizeof again.joint);
}
