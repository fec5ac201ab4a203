#include "motion/clips/axes.h"

#include "motion/clips/figure.h"
#include "motion/clips/loader.h"
#include "motion/clips/skeleton.h"

#include "math/elementary.h"
#include "math/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A clip and where its parts are. */
typedef struct survey {
    const tr_clip *clip;
    tr_part_joints joints;
} survey;

/* ---- Units ---- */

static tr_vec3 part_pos(const survey *s, int frame, tr_part part) {
    return tr_clip_pos(s->clip, frame, s->joints.of[part]);
}

/* Mean over the frames of the length from one part's joint to another's, in units of the clip. */
static double bone_length(const survey *s, tr_part from, tr_part to) {
    double sum = 0;
    for (int f = 0; f < s->clip->frame_count; f++)
        sum += tr_vec3_distance(part_pos(s, f, from), part_pos(s, f, to));
    return sum / s->clip->frame_count;
}

static double leg_length(const survey *s) {
    return 0.5 * (bone_length(s, TR_PART_LEFT_HIP, TR_PART_LEFT_KNEE) +
                  bone_length(s, TR_PART_LEFT_KNEE, TR_PART_LEFT_ANKLE) +
                  bone_length(s, TR_PART_RIGHT_HIP, TR_PART_RIGHT_KNEE) +
                  bone_length(s, TR_PART_RIGHT_KNEE, TR_PART_RIGHT_ANKLE));
}

static const double LEG_M = 0.82; /* a person's */

/* The customary unit in which a leg of this length comes nearest to a person's. */
static double estimate_unit(double leg) {
    static const double units[] = {1.0, 0.01, 0.001, 0.0254, 0.3048, 0.0254 / 0.45};
    double best = 1.0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (fabs(tr_log(leg * units[i] / LEG_M)) < fabs(tr_log(leg * best / LEG_M)))
            best = units[i];
    return best;
}

/* A child's leg and a giant's. */
static const double LEG_MIN_M = 0.45, LEG_MAX_M = 1.25;

/* Whether arms and legs stand at right angles to the trunk in nearly all frames, as those of a dog.
 * People who crawl have their shanks behind them. */
static bool has_four_legs(const survey *s) {
    static const double along = 0.5, parallel = 0.7, share = 0.8;
    int count = 0;
    for (int f = 0; f < s->clip->frame_count; f++) {
        tr_figure at = tr_figure_frame(s->clip, &s->joints, f);
        tr_vec3 trunk = tr_vec3_normalize_or(tr_figure_trunk(&at), (tr_vec3){0});
        tr_vec3 leg = tr_vec3_sub(tr_figure_middle(&at, TR_PART_LEFT_ANKLE),
                                  tr_figure_middle(&at, TR_PART_LEFT_HIP));
        tr_vec3 arm = tr_vec3_sub(tr_figure_middle(&at, TR_PART_LEFT_WRIST),
                                  tr_figure_middle(&at, TR_PART_LEFT_SHOULDER));
        leg = tr_vec3_normalize_or(leg, (tr_vec3){0});
        arm = tr_vec3_normalize_or(arm, (tr_vec3){0});
        count += fabs(tr_vec3_dot(trunk, leg)) < along && fabs(tr_vec3_dot(trunk, arm)) < along &&
                 tr_vec3_dot(leg, arm) > parallel;
    }
    return count > share * s->clip->frame_count;
}

static tr_status settle_unit(const survey *s, tr_clip *clip, const tr_clip_options *options,
                             tr_error *error) {
    tr_clip_findings *found = &clip->found;
    double leg = leg_length(s);
    if (!(leg > 1e-6 && leg < 1e6))
        return tr_fail(error, TR_INVALID_ARGUMENT, "legs of length %g: no human skeleton", leg);
    /* Readers of formats with a fixed unit have already set it. */
    double known = options->unit_m > 0 ? options->unit_m
                   : found->unit_given ? found->unit_m
                                       : clip->skeleton->unit_m;
    found->unit_given = known > 0;
    found->unit_m = known > 0 ? known : estimate_unit(leg);
    found->leg_m = leg * found->unit_m;
    if (!found->unit_given && !(found->leg_m >= LEG_MIN_M && found->leg_m <= LEG_MAX_M))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "legs of %.4g units are %.2f m in the nearest customary unit, %g m: give "
                       "--unit in metres per unit; %.3g makes them %.2f m, as a person's",
                       leg, found->leg_m, found->unit_m, LEG_M / leg, LEG_M);
    return TR_OK;
}

/* ---- Which axis is up ---- */

/* A body counts as standing along an axis when shoulders are above ankles by this share of its
 * length, and an axis as one to stand along when it does so in this share of the frames. */
static const double STANDING = 0.75, STANDING_SHARE = 0.05;

static double along(tr_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* How the body stands along one axis in one direction. */
typedef struct stance {
    double share;  /* of the frames in which the body stands along it */
    double spread; /* of the lowest joint's height, between the 10th and 90th percentiles */
} stance;

static tr_vec3 middle(const survey *s, int frame, tr_part left) {
    return tr_vec3_lerp(part_pos(s, frame, left), part_pos(s, frame, left + 1), 0.5);
}

/* From the middle of the ankles to that of the shoulders. */
static tr_vec3 height(const survey *s, int frame) {
    return tr_vec3_sub(middle(s, frame, TR_PART_LEFT_SHOULDER),
                       middle(s, frame, TR_PART_LEFT_ANKLE));
}

/* Length of the body from the shoulders to the ankles, as if it were straight. */
static double body_length(const survey *s) {
    double trunk = 0;
    for (int f = 0; f < s->clip->frame_count; f++)
        trunk +=
            tr_vec3_distance(middle(s, f, TR_PART_LEFT_SHOULDER), middle(s, f, TR_PART_LEFT_HIP));
    return leg_length(s) + trunk / s->clip->frame_count;
}

static double lowest_joint(const survey *s, int frame, int axis, double sign) {
    double low = (double)INFINITY;
    for (int part = 0; part < TR_PART_COUNT; part++)
        if (s->joints.of[part] >= 0)
            low = fmin(low, sign * along(part_pos(s, frame, (tr_part)part), axis));
    return low;
}

/* low: [frame_count], scratch. */
static stance measure_stance(const survey *s, int axis, double sign, double *low) {
    int n = s->clip->frame_count, standing = 0;
    double length = body_length(s);
    for (int f = 0; f < n; f++) {
        standing += sign * along(height(s, f), axis) >= STANDING * length;
        low[f] = lowest_joint(s, f, axis, sign);
    }
    double spread = tr_quantile(low, n, 0.9) - tr_quantile(low, n, 0.1);
    return (stance){(double)standing / n, spread};
}

/* The axis along which a body that never stands is longest on average; 0: it is upside down. */
static char longest_axis(const survey *s) {
    tr_vec3 sum = {0};
    for (int f = 0; f < s->clip->frame_count; f++)
        sum = tr_vec3_add(sum, height(s, f));
    double x = fabs(sum.x), y = fabs(sum.y), z = fabs(sum.z);
    int axis = y >= x && y >= z ? 1 : z >= x ? 2 : 0;
    return along(sum, axis) > 0 ? "xyz"[axis] : '\0';
}

/* Finds the up axis: of the axes along which the body sometimes stands, the one along which its
 * lowest joint stays on one level. Upper case: the axis points down. *out 0: no such axis. */
static tr_status estimate_up(const survey *s, char *out, tr_error *error) {
    double *low = calloc((size_t)s->clip->frame_count, sizeof *low), least = (double)INFINITY;
    if (!low)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    *out = '\0';
    for (int axis = 0; axis < 3; axis++)
        for (int down = 0; down < 2; down++) {
            stance at = measure_stance(s, axis, down ? -1 : 1, low);
            if (at.share >= STANDING_SHARE && at.spread < least) {
                least = at.spread;
                *out = (down ? "XYZ" : "xyz")[axis];
            }
        }
    free(low);
    if (!*out)
        *out = longest_axis(s);
    return TR_OK;
}

static tr_status settle_up(const survey *s, tr_clip *clip, const tr_clip_options *options,
                           tr_error *error) {
    tr_clip_findings *found = &clip->found;
    char known = options->up ? options->up : clip->skeleton->up;
    found->up_given = known;
    found->up = known;
    tr_status status = known ? TR_OK : estimate_up(s, &found->up, error);
    if (!status && !found->up)
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "the body stands along no axis: give --up x, y or z (-y: y points down)");
    return status;
}

/* ---- Converting ---- */

/* The unit vector that "+x", "-z", ... means; joint maps are checked on loading. */
static tr_vec3 axis_vector(const char *text) {
    double s = text[0] == '-' ? -1 : 1;
    return tr_vec3_make(text[1] == 'x' ? s : 0, text[1] == 'y' ? s : 0, text[1] == 'z' ? s : 0);
}

/* The turn that brings the up axis of a file to y. */
static tr_quat turn_y_up(char up) {
    switch (up) {
    case 'x':
        return tr_clip_axis_turn('Z', TR_PI / 2);
    case 'X':
        return tr_clip_axis_turn('Z', -TR_PI / 2);
    case 'Y':
        return tr_clip_axis_turn('Z', TR_PI);
    case 'z':
        return tr_clip_axis_turn('X', -TR_PI / 2);
    case 'Z':
        return tr_clip_axis_turn('X', TR_PI / 2);
    default:
        return tr_quat_identity();
    }
}

/* Rotation from the file's axes to x forward, z up. `forward` refers to a file with y up; a file
 * with another axis up is first turned so that y is up. */
static tr_quat axes_to_house(char up, const char *forward) {
    tr_vec3 f = axis_vector(forward), u = {0, 1, 0};
    tr_mat3 from_house = tr_mat3_from_columns(f, tr_vec3_cross(u, f), u);
    tr_mat3 to_house = tr_mat3_transpose(&from_house);
    return tr_quat_mul(tr_quat_from_mat3(&to_house), turn_y_up(up));
}

static void convert(tr_clip *clip, tr_quat axes, double unit_m) {
    for (int i = 0; i < clip->joint_count; i++) {
        tr_clip_joint *joint = &clip->joints[i];
        joint->offset = tr_vec3_scale(tr_quat_rotate(axes, joint->offset), unit_m);
    }
    size_t count = (size_t)clip->frame_count * (size_t)clip->joint_count;
    for (size_t i = 0; i < count; i++) {
        clip->pos[i] = tr_vec3_scale(tr_quat_rotate(axes, clip->pos[i]), unit_m);
        clip->rot[i] = tr_quat_mul(tr_quat_mul(axes, clip->rot[i]), tr_quat_conj(axes));
    }
}

/* Joints are where a capture can have seen them; what lies beyond, or is not finite, would spoil
 * everything computed from it. */
static tr_status check_reach(const tr_clip *clip, tr_error *error) {
    for (int f = 0; f < clip->frame_count; f++)
        for (int i = 0; i < clip->joint_count; i++) {
            tr_vec3 pos = tr_clip_pos(clip, f, i);
            if (!(tr_vec3_length(pos) <= TR_CLIP_REACH_M))
                return tr_fail(error, TR_INVALID_ARGUMENT,
                               "frame %d: joint '%s' is not within %d m of the origin", f,
                               clip->joints[i].name, TR_CLIP_REACH_M);
        }
    return TR_OK;
}

tr_status tr_clip_settle(tr_clip *clip, const tr_clip_options *options, tr_error *error) {
    tr_clip_findings *found = &clip->found;
    snprintf(found->skeleton, sizeof found->skeleton, "%s", clip->skeleton->name);
    const survey s = {clip, tr_skeleton_joints(clip->skeleton, clip)};
    if (!options->skeleton && has_four_legs(&s))
        return tr_fail(
            error, TR_FAILED_PRECONDITION,
            "arms and legs stand side by side at right angles to the trunk: a body on four "
            "legs; joint maps are for bodies that stand on two (--skeleton %s takes it for "
            "one)",
            clip->skeleton->name);
    tr_status status = settle_unit(&s, clip, options, error);
    if (!status)
        status = settle_up(&s, clip, options, error);
    if (status)
        return status;
    found->rate_given = options->rate_hz > 0;
    if (options->rate_hz > 0)
        clip->dt_s = 1.0 / options->rate_hz;
    convert(clip, axes_to_house(found->up, clip->skeleton->forward), found->unit_m);
    if (options->left_handed) {
        /* Mirrors the plane y = 0, which turns left-handed axes into right-handed ones. */
        for (int i = 0; i < clip->joint_count; i++)
            clip->joints[i].offset = tr_vec3_mirror(clip->joints[i].offset);
        size_t count = (size_t)clip->frame_count * (size_t)clip->joint_count;
        for (size_t i = 0; i < count; i++) {
            clip->pos[i] = tr_vec3_mirror(clip->pos[i]);
            clip->rot[i] = tr_quat_mirror(clip->rot[i]);
        }
    }
    return check_reach(clip, error);
}
