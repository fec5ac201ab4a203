#include "motion/clips/sole_calibration.h"

#include "motion/clips/figure.h"

#include "math/elementary.h"
#include "math/quantile.h"

#include <math.h>
#include <stdlib.h>

/* Limits for a flat foot: height above its lowest point and speed, both at the ankle and at the
 * toe, and how near to vertical leg and shank are (cosines of 15 and 20 deg): in a wide stance
 * soles roll. */
static const double NEAR_M = 0.02, SLOW_MPS = 0.35, LEG_UPRIGHT = 0.966, SHANK_UPRIGHT = 0.94;

/* A foot must stand flat for at least this time to show how its sole lies. */
static const double LEAST_S = 0.1;

/* A foot: its joints, ankle and toe; -1: it has no toe. */
typedef struct foot {
    const tr_clip *clip;
    int hip, knee, joint[2];
    double low[2]; /* the lowest height of each, m */
} foot;

/* The 5th percentile of the height of a joint; false when memory is short. */
static bool find_low(const tr_clip *clip, int joint, double *out) {
    double *height = calloc((size_t)clip->frame_count, sizeof *height);
    if (!height)
        return false;
    for (int f = 0; f < clip->frame_count; f++)
        height[f] = tr_clip_pos(clip, f, joint).z;
    *out = tr_quantile(height, clip->frame_count, 0.05);
    free(height);
    return true;
}

static double uprightness(const foot *f, int frame, int above) {
    tr_vec3 bone =
        tr_vec3_sub(tr_clip_pos(f->clip, frame, above), tr_clip_pos(f->clip, frame, f->joint[0]));
    return bone.z / fmax(tr_vec3_length(bone), 1e-9);
}

static bool is_flat(const foot *f, int frame) {
    if (uprightness(f, frame, f->hip) < LEG_UPRIGHT ||
        uprightness(f, frame, f->knee) < SHANK_UPRIGHT)
        return false;
    int before = frame > 0 ? frame - 1 : 0;
    int after = frame + 1 < f->clip->frame_count ? frame + 1 : frame;
    for (int k = 0; k < 2; k++) {
        if (f->joint[k] < 0)
            continue;
        double way = tr_vec3_distance(tr_clip_pos(f->clip, after, f->joint[k]),
                                      tr_clip_pos(f->clip, before, f->joint[k]));
        if (tr_clip_pos(f->clip, frame, f->joint[k]).z > f->low[k] + NEAR_M ||
            way > SLOW_MPS * (after - before) * f->clip->dt_s)
            return false;
    }
    return true;
}

static double heading(const foot *f, const tr_part_joints *joints, int frame) {
    tr_figure at = tr_figure_frame(f->clip, joints, frame);
    tr_vec3 left = tr_figure_left(&at);
    if (f->joint[1] < 0)
        return tr_atan2(-left.x, left.y);
    tr_vec3 ahead = tr_vec3_sub(tr_clip_pos(f->clip, frame, f->joint[1]),
                                tr_clip_pos(f->clip, frame, f->joint[0]));
    return tr_atan2(ahead.y, ahead.x);
}

bool tr_sole_calibrate(const tr_clip *clip, const tr_part_joints *joints, int side, tr_quat *out) {
    foot f = {
        .clip = clip,
        .hip = joints->of[TR_PART_LEFT_HIP + side],
        .knee = joints->of[TR_PART_LEFT_KNEE + side],
        .joint = {joints->of[TR_PART_LEFT_ANKLE + side], joints->of[TR_PART_LEFT_TOE + side]}};
    for (int k = 0; k < 2; k++)
        if (f.joint[k] >= 0 && !find_low(clip, f.joint[k], &f.low[k]))
            return false;
    tr_quat sum = {0};
    int count = 0;
    for (int frame = 0; frame < clip->frame_count; frame++) {
        if (!is_flat(&f, frame))
            continue;
        tr_quat flat = tr_quat_mul(tr_quat_conj(tr_clip_rot(clip, frame, f.joint[0])),
                                   tr_quat_from_heading(heading(&f, joints, frame)));
        double s = tr_quat_dot(sum, flat) < 0 ? -1 : 1;
        sum = (tr_quat){sum.w + s * flat.w, sum.x + s * flat.x, sum.y + s * flat.y,
                        sum.z + s * flat.z};
        count++;
    }
    if (count * clip->dt_s < LEAST_S)
        return false;
    *out = tr_quat_normalize(sum);
    return true;
}
