#include "motion/clips/calibration.h"

#include "motion/clips/figure.h"

#include "math/elementary.h"
#include "math/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const tr_vec3 UP = {0, 0, 1};

const char *tr_calibration_source_name(tr_calibration_source source) {
    static const char *const names[] = {"frames given",    "zero pose",
                                        "first frame",     "joint map of this skeleton",
                                        "standing frames", "directions of the bones",
                                        "flat soles"};
    return names[source];
}

/* ---- Means over frames ---- */

/* Adds q to a sum of rotations, on the side of the sum. */
static void accumulate(tr_quat *sum, tr_quat q) {
    double s = tr_quat_dot(*sum, q) < 0 ? -1 : 1;
    *sum = (tr_quat){sum->w + s * q.w, sum->x + s * q.x, sum->y + s * q.y, sum->z + s * q.z};
}

/* Mean orientation of a joint over frames. */
static tr_quat mean_rotation(const tr_clip *clip, int joint, int first, int last) {
    tr_quat sum = {0};
    for (int f = first; f <= last; f++)
        accumulate(&sum, tr_clip_rot(clip, f, joint));
    return tr_quat_normalize(sum);
}

static tr_vec3 sum_of_bones(const tr_clip *clip, int from, int to, int first, int last) {
    tr_vec3 sum = {0};
    for (int f = first; f <= last; f++)
        sum = tr_vec3_add(sum, tr_vec3_sub(tr_clip_pos(clip, f, to), tr_clip_pos(clip, f, from)));
    return sum;
}

tr_status tr_skeleton_calibrate(tr_skeleton *skeleton, const tr_clip *clip, int first, int last) {
    if (first < 0 || last < first || last >= clip->frame_count)
        return TR_OUT_OF_RANGE;
    tr_part_joints joints = tr_skeleton_joints(skeleton, clip);
    tr_vec3 left =
        sum_of_bones(clip, joints.of[TR_PART_RIGHT_HIP], joints.of[TR_PART_LEFT_HIP], first, last);
    double ahead = tr_atan2(-left.x, left.y);
    static const tr_part parts[] = {TR_PART_HIPS, TR_PART_CHEST, TR_PART_HEAD, TR_PART_LEFT_ANKLE,
                                    TR_PART_RIGHT_ANKLE};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int part = (int)parts[i], joint = joints.of[part];
        int toe = part >= TR_PART_LEFT_ANKLE ? joints.of[part + 2] : -1;
        double heading = ahead;
        if (toe >= 0) {
            tr_vec3 foot = sum_of_bones(clip, joint, toe, first, last);
            heading = tr_atan2(foot.y, foot.x);
        }
        if (joint >= 0)
            skeleton->calibration[part] =
                tr_quat_mul(tr_quat_conj(mean_rotation(clip, joint, first, last)),
                            tr_quat_from_heading(heading));
    }
    return TR_OK;
}

/* ---- Methods of calibration, best first ---- */

typedef struct calibrator {
    const tr_clip *clip;
    tr_part_joints joints;
    tr_calibration *out;
} calibrator;

static void take_all(calibrator *c, const tr_quat turn[TR_PART_COUNT], tr_calibration_source from) {
    memcpy(c->out->turn, turn, sizeof c->out->turn);
    c->out->trunk = c->out->foot[0] = c->out->foot[1] = from;
}

static void take_frames(calibrator *c, tr_frame_range frames, tr_calibration_source from) {
    tr_skeleton skeleton = *c->clip->skeleton;
    if (tr_skeleton_calibrate(&skeleton, c->clip, frames.first, frames.last))
        return;
    take_all(c, skeleton.calibration, from);
    c->out->frames = frames;
}

/* In a zero pose with legs astride each foot is at a right angle to its leg and leans with it, unless
 * the legs are nearly parallel: then people made it flat. */
static void lean_feet(calibrator *c, const tr_figure *zero) {
    static const double parallel_rad = 12 * TR_PI / 180;
    for (int side = 0; side < 2; side++) {
        tr_quat *turn = &c->out->turn[TR_PART_LEFT_ANKLE + side];
        tr_vec3 leg =
            tr_vec3_sub(zero->pos[TR_PART_LEFT_HIP + side], zero->pos[TR_PART_LEFT_ANKLE + side]);
        tr_vec3 own = tr_quat_rotate_inverse(*turn, leg);
        double lean = tr_atan2(-own.y, own.z);
        if (fabs(lean) > parallel_rad)
            *turn = tr_quat_mul(*turn, tr_quat_from_axis_angle(tr_vec3_make(1, 0, 0), lean));
    }
}

/* A zero pose that stands: every joint frame is as the figure stands there. Its up need not be that
 * of the world, to which the root's rotation turns it. */
static bool take_zero_pose(calibrator *c) {
    tr_figure zero = tr_figure_zero(c->clip, &c->joints);
    tr_vec3 up = tr_figure_up(&zero);
    if (!tr_figure_stands(&zero, up))
        return false;
    tr_quat turn[TR_PART_COUNT];
    for (int part = 0; part < TR_PART_COUNT; part++)
        turn[part] = tr_figure_axes(tr_figure_snap(tr_figure_left(&zero)), up);
    take_all(c, turn, TR_CALIBRATION_ZERO_POSE);
    lean_feet(c, &zero);
    return true;
}

/* Whether a frame stands, and still. */
static bool stands_still(const calibrator *c, int frame) {
    static const double slow_mps = 0.25;
    static const tr_part parts[] = {TR_PART_HIPS, TR_PART_LEFT_ANKLE, TR_PART_RIGHT_ANKLE};
    tr_figure figure = tr_figure_frame(c->clip, &c->joints, frame);
    if (frame < 1 || frame + 1 >= c->clip->frame_count || !tr_figure_stands(&figure, UP))
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int joint = c->joints.of[parts[i]];
        double way = tr_vec3_distance(tr_clip_pos(c->clip, frame + 1, joint),
                                      tr_clip_pos(c->clip, frame - 1, joint));
        if (way > slow_mps * 2 * c->clip->dt_s)
            return false;
    }
    return true;
}

/* The longest stretch in which the character stands still. */
static bool take_standing(calibrator *c) {
    static const double least_s = 0.1;
    tr_frame_range best = {0, -1}, run = {0, -1};
    for (int f = 0; f < c->clip->frame_count; f++) {
        bool still = stands_still(c, f);
        run = still
                  ? (tr_frame_range){run.last == f - 1 && run.last >= run.first ? run.first : f, f}
                  : (tr_frame_range){0, -1};
        if (run.last - run.first > best.last - best.first)
            best = run;
    }
    if (best.last < best.first || (best.last - best.first) * c->clip->dt_s < least_s)
        return false;
    take_frames(c, best, TR_CALIBRATION_STANDING);
    return true;
}

static bool take_first_frame(calibrator *c) {
    tr_figure first = tr_figure_frame(c->clip, &c->joints, 0);
    if (!tr_figure_lead_in(c->clip, &c->joints) || !tr_figure_stands(&first, UP))
        return false;
    take_frames(c, (tr_frame_range){0, 0}, TR_CALIBRATION_FIRST_FRAME);
    return true;
}

static bool take_map(calibrator *c) {
    const tr_skeleton *map = c->clip->skeleton;
    if (map->is_calibrated)
        take_all(c, map->calibration, TR_CALIBRATION_MAP);
    return map->is_calibrated;
}

/* The first joint below `high` on the way to `low`; `low` must hang from it. */
static int first_below(const tr_clip *clip, int high, int low) {
    while (low >= 0 && clip->joints[low].parent != high)
        low = clip->joints[low].parent;
    return low;
}

/* Directions of the bones in the trunk: hips from side to side and up to the first joint of the
 * spine, chest from shoulder to shoulder and up to the neck. A head looks on average where the chest
 * does; a foot is at a right angle to its shank. */
static void take_bones(calibrator *c) {
    const tr_clip *clip = c->clip;
    const int *of = c->joints.of;
    int spine = first_below(clip, of[TR_PART_HIPS], of[TR_PART_CHEST]);
    int neck = of[TR_PART_HEAD] >= 0 ? first_below(clip, of[TR_PART_CHEST], of[TR_PART_HEAD]) : -1;
    tr_quat sum[TR_PART_COUNT] = {{0}}, turn[TR_PART_COUNT];
    for (int f = 0; f < clip->frame_count; f++) {
        tr_figure at = tr_figure_frame(clip, &c->joints, f);
        tr_vec3 trunk = tr_figure_trunk(&at);
        tr_vec3 hips_up =
            tr_vec3_sub(tr_clip_pos(clip, f, spine), tr_figure_middle(&at, TR_PART_LEFT_HIP));
        tr_vec3 chest_up =
            neck < 0 ? trunk : tr_vec3_sub(tr_clip_pos(clip, f, neck), at.pos[TR_PART_CHEST]);
        tr_vec3 shoulders =
            tr_vec3_sub(at.pos[TR_PART_LEFT_SHOULDER], at.pos[TR_PART_RIGHT_SHOULDER]);
        tr_quat axes[TR_PART_COUNT] = {{0}};
        axes[TR_PART_HIPS] =
            tr_figure_axes(tr_figure_left(&at), tr_vec3_length(hips_up) > 0.03 ? hips_up : trunk);
        axes[TR_PART_CHEST] = axes[TR_PART_HEAD] = tr_figure_axes(shoulders, chest_up);
        for (int part = TR_PART_LEFT_ANKLE; part <= TR_PART_RIGHT_ANKLE; part++)
            axes[part] =
                tr_figure_axes(tr_figure_left(&at), tr_vec3_sub(at.pos[part - 2], at.pos[part]));
        for (int part = 0; part < TR_PART_COUNT; part++)
            accumulate(&sum[part], tr_quat_mul(tr_quat_conj(at.rot[part]), axes[part]));
    }
    for (int part = 0; part < TR_PART_COUNT; part++)
        turn[part] = tr_quat_normalize(sum[part]);
    take_all(c, turn, TR_CALIBRATION_BONES);
}

/* ---- Feet ---- */

/* ---- Soles ---- */

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

/* Finds the frame of a foot that stands level and points where its toe does (without a toe: where the hips
 * look), in the joint's frame, from the frames in which it stands flat. side: 0 left, 1 right. false: it
 * never does. */
static bool find_sole(const tr_clip *clip, const tr_part_joints *joints, int side, tr_quat *out) {
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
        accumulate(&sum, flat);
        count++;
    }
    if (count * clip->dt_s < LEAST_S)
        return false;
    *out = tr_quat_normalize(sum);
    return true;
}

/* The up direction of a sole that stands flat, in the foot's calibrated frame; right feet mirrored. */
static tr_vec3 flat_up(const calibrator *c, int side, tr_quat flat) {
    tr_quat off = tr_quat_mul(tr_quat_conj(c->out->turn[TR_PART_LEFT_ANKLE + side]), flat);
    tr_vec3 up = tr_quat_rotate(off, UP);
    return side ? tr_vec3_mirror(up) : up;
}

/* Feet that stand flat show how their soles lie. Soles of a single capture roll and pitch by
 * several degrees; the error of a skeleton is larger, and the same on both sides. */
static void check_soles(calibrator *c) {
    static const double doubt_cosine = 0.974; /* 13 deg */
    tr_quat flat[2];
    bool seen[2];
    for (int side = 0; side < 2; side++)
        seen[side] = find_sole(c->clip, &c->joints, side, &flat[side]);
    for (int side = 0; side < 2 && c->out->trunk == TR_CALIBRATION_BONES; side++)
        if (seen[side]) {
            c->out->turn[TR_PART_LEFT_ANKLE + side] = flat[side];
            c->out->foot[side] = TR_CALIBRATION_SOLES;
        }
    if (c->out->trunk != TR_CALIBRATION_ZERO_POSE || !seen[0] || !seen[1])
        return;
    tr_vec3 both = tr_vec3_add(flat_up(c, 0, flat[0]), flat_up(c, 1, flat[1]));
    tr_vec3 up = tr_vec3_normalize_or(both, UP);
    if (up.z > doubt_cosine)
        return;
    for (int side = 0; side < 2; side++) {
        tr_vec3 to = side ? tr_vec3_mirror(up) : up;
        tr_vec3 axis = tr_vec3_cross(UP, to);
        tr_quat tilt = tr_quat_normalize((tr_quat){1 + to.z, axis.x, axis.y, axis.z});
        tr_quat *turn = &c->out->turn[TR_PART_LEFT_ANKLE + side];
        *turn = tr_quat_mul(*turn, tilt);
        c->out->foot[side] = TR_CALIBRATION_SOLES;
    }
}

tr_status tr_calibrate(const tr_clip *clip, const tr_frame_range *given, tr_calibration *out) {
    tr_calibration found = {.frames = {0, -1}};
    calibrator c = {clip, tr_skeleton_joints(clip->skeleton, clip), &found};
    if (given) {
        if (given->first < 0 || given->last < given->first || given->last >= clip->frame_count)
            return TR_OUT_OF_RANGE;
        take_frames(&c, *given, TR_CALIBRATION_GIVEN);
    } else {
        if (!take_zero_pose(&c) && !take_first_frame(&c) && !take_map(&c) && !take_standing(&c))
            take_bones(&c);
        check_soles(&c);
    }
    *out = found;
    return TR_OK;
}
