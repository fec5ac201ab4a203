#include "motion/clips/skeleton_shape.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct judge {
    const tr_skeleton *skeleton;
    const tr_clip *clip;
    tr_part_joints joints;
    tr_skeleton_shape *shape;
} judge;

static void test(judge *j, bool passes, const char *complaint, ...) TR_PRINTF(3, 4);

static void test(judge *j, bool passes, const char *complaint, ...) {
    j->shape->tests++;
    j->shape->passed += passes;
    if (passes || j->shape->complaint[0])
        return;
    va_list arguments;
    va_start(arguments, complaint);
    vsnprintf(j->shape->complaint, sizeof j->shape->complaint, complaint, arguments);
    va_end(arguments);
}

/* `low` hangs below `high`. A part that the skeleton lacks is not tested. */
static void test_hang(judge *j, tr_part low, tr_part high) {
    int a = j->joints.of[low], b = j->joints.of[high];
    if (a < 0 || b < 0)
        return;
    bool hangs = a != b && tr_clip_hangs(j->clip, a, b);
    j->shape->hangs &= hangs;
    test(j, hangs, "'%.60s' (%s) does not hang from '%.60s' (%s)", j->skeleton->joint[low],
         tr_part_name(low), j->skeleton->joint[high], tr_part_name(high));
}

/* Two parts on different branches. */
static void test_apart(judge *j, tr_part left, tr_part right) {
    bool apart = !tr_clip_hangs(j->clip, j->joints.of[left], j->joints.of[right]) &&
                 !tr_clip_hangs(j->clip, j->joints.of[right], j->joints.of[left]);
    j->shape->hangs &= apart;
    test(j, apart, "'%.60s' (%s) and '%.60s' (%s) lie on one branch", j->skeleton->joint[left],
         tr_part_name(left), j->skeleton->joint[right], tr_part_name(right));
}

static double length(const judge *j, tr_part from, tr_part to) {
    return tr_vec3_distance(tr_clip_pos(j->clip, 0, j->joints.of[from]),
                            tr_clip_pos(j->clip, 0, j->joints.of[to]));
}

/* The bone from one left part to the next is as long as the right one, to a quarter. */
static void test_sides(judge *j, tr_part from, tr_part to) {
    double left = length(j, from, to), right = length(j, from + 1, to + 1);
    test(j, left > 0 && right > 0 && fabs(left - right) <= 0.25 * fmax(left, right),
         "bones from %s and from %s differ: %.3g and %.3g units", tr_part_name(from),
         tr_part_name(from + 1), left, right);
}

static void test_ratio(judge *j, const char *what, double ratio, const double range[2]) {
    test(j, ratio >= range[0] && ratio <= range[1], "%s is %.2f: expected %.1f to %.1f", what,
         ratio, range[0], range[1]);
}

static void test_proportions(judge *j) {
    double thigh = length(j, TR_PART_LEFT_HIP, TR_PART_LEFT_KNEE);
    double shank = length(j, TR_PART_LEFT_KNEE, TR_PART_LEFT_ANKLE);
    double upper = length(j, TR_PART_LEFT_SHOULDER, TR_PART_LEFT_ELBOW);
    double fore = length(j, TR_PART_LEFT_ELBOW, TR_PART_LEFT_WRIST);
    test_ratio(j, "thigh over shank", thigh / shank, (const double[]){0.6, 1.7});
    test_ratio(j, "upper arm over forearm", upper / fore, (const double[]){0.6, 2.0});
    test_ratio(j, "arm over leg", (upper + fore) / (thigh + shank), (const double[]){0.4, 1.0});
    test_ratio(j, "width of the hips over leg",
               length(j, TR_PART_LEFT_HIP, TR_PART_RIGHT_HIP) / (thigh + shank),
               (const double[]){0.1, 0.6});
}

tr_skeleton_shape tr_skeleton_judge(const tr_skeleton *skeleton, const tr_clip *clip) {
    static const tr_part chains[][2] = {
        {TR_PART_CHEST, TR_PART_HIPS},
        {TR_PART_HEAD, TR_PART_CHEST},
        {TR_PART_LEFT_HIP, TR_PART_HIPS},
        {TR_PART_RIGHT_HIP, TR_PART_HIPS},
        {TR_PART_LEFT_KNEE, TR_PART_LEFT_HIP},
        {TR_PART_RIGHT_KNEE, TR_PART_RIGHT_HIP},
        {TR_PART_LEFT_ANKLE, TR_PART_LEFT_KNEE},
        {TR_PART_RIGHT_ANKLE, TR_PART_RIGHT_KNEE},
        {TR_PART_LEFT_TOE, TR_PART_LEFT_ANKLE},
        {TR_PART_RIGHT_TOE, TR_PART_RIGHT_ANKLE},
        {TR_PART_LEFT_SHOULDER, TR_PART_HIPS},
        {TR_PART_RIGHT_SHOULDER, TR_PART_HIPS},
        {TR_PART_LEFT_ELBOW, TR_PART_LEFT_SHOULDER},
        {TR_PART_RIGHT_ELBOW, TR_PART_RIGHT_SHOULDER},
        {TR_PART_LEFT_WRIST, TR_PART_LEFT_ELBOW},
        {TR_PART_RIGHT_WRIST, TR_PART_RIGHT_ELBOW},
    };
    tr_skeleton_shape shape = {.hangs = true};
    judge j = {skeleton, clip, tr_skeleton_joints(skeleton, clip), &shape};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        test_hang(&j, chains[i][0], chains[i][1]);
    test_apart(&j, TR_PART_LEFT_HIP, TR_PART_RIGHT_HIP);
    test_apart(&j, TR_PART_LEFT_SHOULDER, TR_PART_RIGHT_SHOULDER);
    if (!shape.hangs)
        return shape;
    test_sides(&j, TR_PART_LEFT_HIP, TR_PART_LEFT_KNEE);
    test_sides(&j, TR_PART_LEFT_KNEE, TR_PART_LEFT_ANKLE);
    test_sides(&j, TR_PART_LEFT_SHOULDER, TR_PART_LEFT_ELBOW);
    test_sides(&j, TR_PART_LEFT_ELBOW, TR_PART_LEFT_WRIST);
    test_proportions(&j);
    return shape;
}
