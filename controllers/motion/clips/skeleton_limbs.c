#include "motion/clips/skeleton_limbs.h"

#include "motion/clips/skeleton_detect.h"

#include <math.h>
#include <stdio.h>

enum { CHAIN_MAX = 32 };

/* A branch of the tree, followed from child to child by the longest way down.
 *   length  of the bones: from joint i to joint i + 1
 *   upper   where its two longest bones in a row begin */
typedef struct branch {
    int joint[CHAIN_MAX], count;
    double length[CHAIN_MAX];
    int upper;
    double span; /* of these two bones */
} branch;

/* Two equal branches of one joint. */
typedef struct pair {
    int from; /* -1: none */
    branch side[2];
} pair;

static double bone(const tr_clip *clip, int joint) {
    return tr_vec3_length(clip->joints[joint].offset);
}

/* The longest way from a joint down to a leaf. */
static double reach(const tr_clip *clip, int joint) {
    double longest = 0;
    for (int i = joint + 1; i < clip->joint_count; i++)
        if (clip->joints[i].parent == joint)
            longest = fmax(longest, bone(clip, i) + reach(clip, i));
    return longest;
}

static int longest_child(const tr_clip *clip, int joint) {
    int best = -1;
    double longest = -1;
    for (int i = joint + 1; i < clip->joint_count; i++) {
        double length = bone(clip, i) + reach(clip, i);
        if (clip->joints[i].parent == joint && length > longest) {
            longest = length;
            best = i;
        }
    }
    return best;
}

static branch follow(const tr_clip *clip, int joint) {
    branch b = {0};
    for (; joint >= 0 && b.count < CHAIN_MAX; joint = longest_child(clip, joint)) {
        if (b.count > 0)
            b.length[b.count - 1] = bone(clip, joint);
        b.joint[b.count++] = joint;
    }
    for (int i = 0; i + 2 < b.count; i++)
        if (b.length[i] + b.length[i + 1] > b.span) {
            b.span = b.length[i] + b.length[i + 1];
            b.upper = i;
        }
    return b;
}

/* Do two branches have equal lengths, bone by bone, down to the end of the limb? */
static bool are_alike(const branch *a, const branch *b) {
    static const double tolerance = 0.1;
    if (a->upper != b->upper || a->count < a->upper + 3 || b->count < b->upper + 3)
        return false;
    for (int i = 0; i < a->upper + 2; i++)
        if (fabs(a->length[i] - b->length[i]) > tolerance * a->span)
            return false;
    return true;
}

/* The pair of equal branches with the greatest span, none of whose joints hangs from the pair
 * `but`. */
static pair find_pair(const tr_clip *clip, const pair *but) {
    pair best = {.from = -1};
    for (int i = 0; i < clip->joint_count; i++)
        for (int k = i + 1; k < clip->joint_count; k++) {
            if (clip->joints[i].parent < 0 || clip->joints[i].parent != clip->joints[k].parent)
                continue;
            if (but && (tr_clip_hangs(clip, i, but->side[0].joint[0]) ||
                        tr_clip_hangs(clip, i, but->side[1].joint[0]) ||
                        tr_clip_hangs(clip, but->from, i) || tr_clip_hangs(clip, but->from, k)))
                continue;
            branch a = follow(clip, i), b = follow(clip, k);
            if (are_alike(&a, &b) && (best.from < 0 || a.span > best.side[0].span))
                best = (pair){clip->joints[i].parent, {a, b}};
        }
    return best;
}

static tr_vec3 at(const tr_clip *clip, const branch *b, int step) {
    return tr_clip_pos(clip, 0, b->joint[b->upper + step]);
}

/* Where the body faces in the first frame: where the feet point, or the knees, which are ahead of the
 * line from hip to ankle. */
static tr_vec3 facing(const tr_clip *clip, const pair *legs) {
    tr_vec3 sum = {0};
    for (int side = 0; side < 2; side++) {
        const branch *leg = &legs->side[side];
        tr_vec3 hip = at(clip, leg, 0), knee = at(clip, leg, 1), ankle = at(clip, leg, 2);
        tr_vec3 ahead = leg->count > leg->upper + 3
                            ? tr_vec3_sub(at(clip, leg, 3), ankle)
                            : tr_vec3_sub(knee, tr_vec3_lerp(hip, ankle, 0.5));
        sum = tr_vec3_add(sum, ahead);
    }
    return sum;
}

/* Exchanges the branches of both pairs unless the first is the left one. */
static void put_left_first(const tr_clip *clip, pair *legs, pair *arms) {
    tr_vec3 hips = tr_clip_pos(clip, 0, legs->from), chest = tr_clip_pos(clip, 0, arms->from);
    tr_vec3 left = tr_vec3_cross(tr_vec3_sub(chest, hips), facing(clip, legs));
    pair *const both[] = {legs, arms};
    for (int i = 0; i < 2; i++) {
        branch *side = both[i]->side;
        if (tr_vec3_dot(tr_vec3_sub(at(clip, &side[0], 0), at(clip, &side[1], 0)), left) >= 0)
            continue;
        branch first = side[0];
        side[0] = side[1];
        side[1] = first;
    }
}

static int count_children(const tr_clip *clip, int joint) {
    int count = 0;
    for (int i = joint + 1; i < clip->joint_count; i++)
        count += clip->joints[i].parent == joint;
    return count;
}

/* The end of the longest branch of the chest that is not an arm, as far as it does not divide into
 * eyes and other small parts; -1: none. */
static int find_head(const tr_clip *clip, const pair *arms) {
    int neck = -1;
    double longest = 0;
    for (int i = 0; i < clip->joint_count; i++) {
        double length = bone(clip, i) + reach(clip, i);
        bool is_arm = i == arms->side[0].joint[0] || i == arms->side[1].joint[0];
        if (clip->joints[i].parent == arms->from && !is_arm && length > longest) {
            longest = length;
            neck = i;
        }
    }
    int head = neck;
    while (head >= 0 && count_children(clip, head) == 1 &&
           !clip->joints[longest_child(clip, head)].is_end)
        head = longest_child(clip, head);
    return head;
}

static void name(const tr_clip *clip, int joint, int part, tr_skeleton *draft) {
    if (joint >= 0 && !draft->joint[part][0])
        snprintf(draft->joint[part], sizeof draft->joint[part], "%s", clip->joints[joint].name);
}

void tr_skeleton_draft_limbs(const tr_clip *clip, tr_skeleton *draft) {
    pair legs = find_pair(clip, NULL);
    pair arms = legs.from >= 0 ? find_pair(clip, &legs) : legs;
    if (arms.from < 0)
        return;
    put_left_first(clip, &legs, &arms);
    for (int side = 0; side < 2; side++) {
        const branch *leg = &legs.side[side], *arm = &arms.side[side];
        for (int step = 0; step < 3; step++) {
            name(clip, leg->joint[leg->upper + step], TR_PART_LEFT_HIP + 2 * step + side, draft);
            name(clip, arm->joint[arm->upper + step], TR_PART_LEFT_SHOULDER + 2 * step + side,
                 draft);
        }
        if (leg->count > leg->upper + 3)
            name(clip, leg->joint[leg->upper + 3], TR_PART_LEFT_TOE + side, draft);
    }
    name(clip, legs.from, TR_PART_HIPS, draft);
    name(clip, arms.from, TR_PART_CHEST, draft);
    name(clip, find_head(clip, &arms), TR_PART_HEAD, draft);
    tr_skeleton_resolve(draft, clip);
}
