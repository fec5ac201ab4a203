#include "motion/clips/figure.h"

#include "math/quantile.h"

#include <math.h>
#include <stdlib.h>

tr_figure tr_figure_frame(const tr_clip *clip, const tr_part_joints *joints, int frame) {
    tr_figure figure = {0};
    for (int part = 0; part < TR_PART_COUNT; part++)
        if (joints->of[part] >= 0) {
            figure.pos[part] = tr_clip_pos(clip, frame, joints->of[part]);
            figure.rot[part] = tr_clip_rot(clip, frame, joints->of[part]);
        }
    return figure;
}

tr_figure tr_figure_zero(const tr_clip *clip, const tr_part_joints *joints) {
    tr_figure figure = {0};
    for (int part = 0; part < TR_PART_COUNT; part++) {
        figure.rot[part] = tr_quat_identity();
        for (int i = joints->of[part]; i >= 0 && clip->joints[i].parent >= 0;
             i = clip->joints[i].parent)
            figure.pos[part] = tr_vec3_add(figure.pos[part], clip->joints[i].offset);
    }
    return figure;
}

tr_vec3 tr_figure_middle(const tr_figure *figure, tr_part left) {
    return tr_vec3_lerp(figure->pos[left], figure->pos[left + 1], 0.5);
}

tr_vec3 tr_figure_left(const tr_figure *figure) {
    return tr_vec3_sub(figure->pos[TR_PART_LEFT_HIP], figure->pos[TR_PART_RIGHT_HIP]);
}

tr_vec3 tr_figure_trunk(const tr_figure *figure) {
    return tr_vec3_sub(tr_figure_middle(figure, TR_PART_LEFT_SHOULDER),
                       tr_figure_middle(figure, TR_PART_LEFT_HIP));
}

tr_vec3 tr_figure_snap(tr_vec3 v) {
    static const double near = 0.978;
    v = tr_vec3_normalize_or(v, tr_vec3_make(0, 0, 1));
    if (fabs(v.x) > near)
        return tr_vec3_make(copysign(1, v.x), 0, 0);
    if (fabs(v.y) > near)
        return tr_vec3_make(0, copysign(1, v.y), 0);
    return fabs(v.z) > near ? tr_vec3_make(0, 0, copysign(1, v.z)) : v;
}

tr_vec3 tr_figure_up(const tr_figure *figure) {
    tr_vec3 legs = tr_vec3_sub(tr_figure_middle(figure, TR_PART_LEFT_HIP),
                               tr_figure_middle(figure, TR_PART_LEFT_ANKLE));
    return tr_figure_snap(tr_vec3_add(tr_figure_trunk(figure), legs));
}

/* Cosine of the angle between v and a unit vector; 0 when v is zero. */
static double cosine(tr_vec3 v, tr_vec3 unit) {
    double length = tr_vec3_length(v);
    return length > 0 ? tr_vec3_dot(v, unit) / length : 0;
}

bool tr_figure_stands(const tr_figure *figure, tr_vec3 up) {
    static const double trunk_cosine = 0.966, leg_cosine = 0.906, straight = 0.93; /* 15, 25 deg */
    static const double level = 0.1;                                               /* of a leg */
    tr_vec3 ankles = tr_vec3_sub(figure->pos[TR_PART_LEFT_ANKLE], figure->pos[TR_PART_RIGHT_ANKLE]);
    double leg = 0;
    for (int side = 0; side < 2; side++) {
        tr_vec3 hip = figure->pos[TR_PART_LEFT_HIP + side];
        tr_vec3 knee = figure->pos[TR_PART_LEFT_KNEE + side];
        tr_vec3 ankle = figure->pos[TR_PART_LEFT_ANKLE + side];
        leg = tr_vec3_distance(hip, knee) + tr_vec3_distance(knee, ankle);
        if (!(tr_vec3_distance(hip, ankle) > straight * leg) ||
            cosine(tr_vec3_sub(hip, ankle), up) < leg_cosine)
            return false;
    }
    return cosine(tr_figure_trunk(figure), up) > trunk_cosine &&
           fabs(tr_vec3_dot(ankles, up)) < level * leg;
}

tr_quat tr_figure_axes(tr_vec3 left, tr_vec3 up) {
    up = tr_vec3_normalize_or(up, tr_vec3_make(0, 0, 1));
    left = tr_vec3_add_scaled(left, -tr_vec3_dot(left, up), up);
    left = tr_vec3_normalize_or(left, tr_vec3_make(0, 1, 0));
    tr_mat3 axes = tr_mat3_from_columns(tr_vec3_cross(left, up), left, up);
    return tr_quat_from_mat3(&axes);
}

/* Faster than this no limb moves about the hips, and no hips over ground. */
static const double LIMB_MPS = 15;

double tr_figure_leap(const tr_clip *clip, const tr_part_joints *joints, int frame,
                      tr_part *out_part) {
    tr_figure a = tr_figure_frame(clip, joints, frame);
    tr_figure b = tr_figure_frame(clip, joints, frame + 1);
    tr_vec3 hips_a = tr_figure_middle(&a, TR_PART_LEFT_HIP);
    tr_vec3 hips_b = tr_figure_middle(&b, TR_PART_LEFT_HIP);
    double fastest = tr_vec3_distance(hips_a, hips_b);
    *out_part = TR_PART_HIPS;
    for (int part = 0; part < TR_PART_COUNT; part++) {
        double way =
            tr_vec3_distance(tr_vec3_sub(a.pos[part], hips_a), tr_vec3_sub(b.pos[part], hips_b));
        if (joints->of[part] >= 0 && way > fastest) {
            fastest = way;
            *out_part = (tr_part)part;
        }
    }
    return fastest / clip->dt_s;
}

bool tr_figure_breaks(const tr_clip *clip, const tr_part_joints *joints, int frame) {
    static const double ratio = 4;
    tr_part part;
    double around = 0, leap = tr_figure_leap(clip, joints, frame, &part);
    if (leap < LIMB_MPS)
        return false;
    /* A single wrong frame makes two leaps in a row, so frames two apart are compared. */
    if (frame > 1)
        around = tr_figure_leap(clip, joints, frame - 2, &part);
    if (frame + 3 < clip->frame_count)
        around = fmax(around, tr_figure_leap(clip, joints, frame + 2, &part));
    return leap > ratio * around;
}

/* The 90th percentile of the leaps of a clip; 0 when memory is short. */
static double usual_leap(const tr_clip *clip, const tr_part_joints *joints) {
    int count = clip->frame_count - 1;
    double *leap = calloc((size_t)count, sizeof *leap), usual = 0;
    tr_part part;
    for (int f = 0; leap && f < count; f++)
        leap[f] = tr_figure_leap(clip, joints, f, &part);
    if (leap)
        usual = tr_quantile(leap, count, 0.9);
    free(leap);
    return usual;
}

int tr_figure_lead_in(const tr_clip *clip, const tr_part_joints *joints) {
    static const double longest_s = 0.15, least_mps = 2, ratio = 1.5;
    int most = (int)(longest_s / clip->dt_s) + 1, count = 0;
    tr_part part;
    if (clip->frame_count < 3 * most || tr_figure_leap(clip, joints, 0, &part) < LIMB_MPS)
        return 0;
    double limit = fmax(ratio * usual_leap(clip, joints), least_mps);
    for (int f = 0; f < most; f++)
        if (tr_figure_leap(clip, joints, f, &part) > limit)
            count = f + 1;
    return count;
}
