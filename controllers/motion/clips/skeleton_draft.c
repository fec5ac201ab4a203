#include "motion/clips/skeleton_draft.h"

#include "motion/clips/joint_name.h"
#include "motion/clips/skeleton_detect.h"

#include <stdio.h>
#include <string.h>

const char *const TR_SKELETON_DRAFTED = "drafted";

enum { WORD_MAX = 8 };

/* Words for the left and right parts, best first. "Leg" is a shank beside "UpLeg" and a thigh
 * beside "Knee"; "shoulder" is an upper arm unless there is another word for it. */
static const struct {
    tr_part part;
    const char *words[WORD_MAX];
} LIMBS[] = {
    {TR_PART_LEFT_KNEE, {"knee", "shin", "calf", "lowerleg", "lowleg", "tibia", "shank", "leg"}},
    {TR_PART_LEFT_HIP, {"upleg", "upperleg", "thigh", "femur", "hip", "leg"}},
    {TR_PART_LEFT_ANKLE, {"ankle", "foot"}},
    {TR_PART_LEFT_TOE, {"toe", "toebase", "toes", "toe0", "ball", "foot"}},
    {TR_PART_LEFT_SHOULDER, {"upperarm", "uparm", "uarm", "humerus", "shldr", "arm", "shoulder"}},
    {TR_PART_LEFT_ELBOW, {"forearm", "lowerarm", "lowarm", "farm", "elbow", "radius"}},
    {TR_PART_LEFT_WRIST, {"wrist", "hand"}},
};

/* Whether a name means this word on this side; "lfemur" and "RUArm" have the side as a letter. */
static bool means(const tr_joint_name *name, const char *word, tr_side side) {
    char letter = side == TR_SIDE_LEFT ? 'l' : 'r';
    if (name->side == side)
        return strcmp(name->noun, word) == 0;
    return name->side == TR_SIDE_NONE && name->key[0] == letter && strcmp(name->key + 1, word) == 0;
}

typedef struct draft {
    const tr_clip *clip;
    tr_joint_name name[TR_CLIP_JOINT_MAX];
    bool taken[TR_CLIP_JOINT_MAX];
} draft;

/* The first joint not yet taken that a word of the list means; better words go first. */
static int find_word(const draft *d, const char *const words[WORD_MAX], tr_side side) {
    for (int w = 0; w < WORD_MAX && words[w]; w++)
        for (int i = 0; i < d->clip->joint_count; i++)
            if (!d->taken[i] && !d->clip->joints[i].is_end && means(&d->name[i], words[w], side))
                return i;
    return -1;
}

static void take(draft *d, int joint, tr_skeleton *out, int part) {
    if (joint < 0)
        return;
    d->taken[joint] = true;
    snprintf(out->joint[part], sizeof out->joint[part], "%s", d->clip->joints[joint].name);
}

/* The lowest joint from which a left part and its counterpart hang; -1: none. */
static int branching_of(const tr_skeleton *skeleton, const tr_clip *clip, tr_part left) {
    int a = tr_skeleton_joint(skeleton, clip, left),
        b = tr_skeleton_joint(skeleton, clip, left + 1);
    while (a >= 0 && !tr_clip_hangs(clip, b, a))
        a = clip->joints[a].parent;
    return a;
}

void tr_skeleton_draft(const tr_clip *clip, tr_skeleton *out) {
    draft d = {.clip = clip};
    char space[TR_CLIP_NAME_MAX];
    tr_joint_name_space(clip, space);
    for (int i = 0; i < clip->joint_count; i++)
        d.name[i] = tr_joint_name_read(clip->joints[i].name, space);
    *out = (tr_skeleton){.forward = "+z"};
    snprintf(out->name, sizeof out->name, "%s", TR_SKELETON_DRAFTED);
    for (int part = 0; part < TR_PART_COUNT; part++)
        out->calibration[part] = tr_quat_identity();
    for (size_t i = 0; i < sizeof LIMBS / sizeof *LIMBS; i++)
        for (int side = 0; side < 2; side++)
            take(&d, find_word(&d, LIMBS[i].words, side ? TR_SIDE_RIGHT : TR_SIDE_LEFT), out,
                 (int)LIMBS[i].part + side);
    static const char *const head[WORD_MAX] = {"head"};
    take(&d, find_word(&d, head, TR_SIDE_NONE), out, TR_PART_HEAD);
    take(&d, branching_of(out, clip, TR_PART_LEFT_HIP), out, TR_PART_HIPS);
    take(&d, branching_of(out, clip, TR_PART_LEFT_SHOULDER), out, TR_PART_CHEST);
    tr_skeleton_resolve(out, clip);
}
