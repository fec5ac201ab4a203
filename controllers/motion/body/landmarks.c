#include "motion/body/landmarks.h"

#include "math/elementary.h"
#include "motion/clips/figure.h"

#include <math.h>

/* The customary unit in which a height comes nearest to a person's. */
static double unit_of(double height) {
    static const double units[] = {1.0, 0.01, 0.001, 0.0254}, person_m = 1.7;
    double best = 1.0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (fabs(tr_log(height * units[i] / person_m)) < fabs(tr_log(height * best / person_m)))
            best = units[i];
    return best;
}

/* Do trunk and legs point the same way, within 60 degrees? An animal's trunk lies across its legs. */
static bool is_two_legged(const tr_figure *figure) {
    static const double least_cosine = 0.5;
    tr_vec3 trunk = tr_figure_trunk(figure);
    tr_vec3 legs = tr_vec3_sub(tr_figure_middle(figure, TR_PART_LEFT_HIP),
                               tr_figure_middle(figure, TR_PART_LEFT_ANKLE));
    return tr_vec3_dot(trunk, legs) > least_cosine * tr_vec3_length(trunk) * tr_vec3_length(legs);
}

/* The pose to measure: the zero pose of a mesh, or the first that stands. */
static tr_status find_pose(const tr_clip *clip, const tr_part_joints *joints, bool meshed,
                           tr_figure *out, int *out_frame, tr_error *error) {
    *out = tr_figure_zero(clip, joints);
    *out_frame = -1;
    if (meshed && !is_two_legged(out))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "the trunk lies across the legs, as an animal's does: expected a body that "
                       "stands on two legs. Write a model of four legs by hand, as "
                       "controllers/model/quadruped.xml is; or name the right joints in a map, "
                       "--skeleton");
    if (meshed || tr_figure_stands(out, tr_figure_up(out)))
        return TR_OK;
    for (int f = 0; f < clip->frame_count; f++) {
        *out = tr_figure_frame(clip, joints, f);
        *out_frame = f;
        if (tr_figure_stands(out, tr_figure_up(out)))
            return TR_OK;
    }
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "neither the zero pose nor any frame stands upright: expected legs and trunk "
                   "along one axis; add a frame that stands");
}

/* From the lowest to the highest along z. */
static double extent(const tr_landmarks *m, const tr_skin *skin) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < skin->count; i++) {
        double z = tr_landmarks_place(m, skin->pos[i]).z;
        low = fmin(low, z);
        high = fmax(high, z);
    }
    for (int part = 0; part < TR_PART_COUNT && skin->count == 0; part++)
        if (m->has[part]) {
            low = fmin(low, m->pos[part].z);
            high = fmax(high, m->pos[part].z);
        }
    return high - low;
}

tr_vec3 tr_landmarks_place(const tr_landmarks *marks, tr_vec3 point) {
    tr_vec3 from = tr_vec3_sub(point, marks->centre);
    return tr_vec3_scale(tr_quat_rotate_inverse(marks->axes, from), marks->unit_m);
}

/* Without a mesh the top is the joint of the head, at 0.92 of a person's height. */
static void take_size(tr_landmarks *m, const tr_figure *figure, const tr_skin *skin,
                      double height_m) {
    static const double head_share = 0.92;
    for (int part = 0; part < TR_PART_COUNT; part++)
        m->pos[part] = tr_landmarks_place(m, figure->pos[part]);
    double height = extent(m, skin) / (skin->count > 0 ? 1 : head_share);
    m->unit_m = height_m > 0 ? height_m / height : unit_of(height);
    m->height_m = height * m->unit_m;
    for (int part = 0; part < TR_PART_COUNT; part++)
        m->pos[part] = tr_vec3_scale(m->pos[part], m->unit_m);
}

/* Bones that a body needs have a length. */
static tr_status check_bones(const tr_landmarks *m, const tr_skeleton *map, tr_error *error) {
    static const tr_part chains[][2] = {{TR_PART_LEFT_SHOULDER, TR_PART_LEFT_ELBOW},
                                        {TR_PART_LEFT_ELBOW, TR_PART_LEFT_WRIST},
                                        {TR_PART_LEFT_HIP, TR_PART_LEFT_KNEE},
                                        {TR_PART_LEFT_KNEE, TR_PART_LEFT_ANKLE}};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        for (int side = 0; side < 2; side++) {
            int from = (int)chains[i][0] + side, to = (int)chains[i][1] + side;
            double length = tr_vec3_distance(m->pos[from], m->pos[to]);
            if (!(length > 0.01 * m->height_m && length < m->height_m))
                return tr_fail(error, TR_INVALID_ARGUMENT,
                               "bone '%.60s' (%s to %s) is %.3g m long in a body of %.2f m: name "
                               "the right joints in a map (troupe-train skeleton) and give it "
                               "with --skeleton",
                               map->joint[from], tr_part_name((tr_part)from),
                               tr_part_name((tr_part)to), length, m->height_m);
        }
    return TR_OK;
}

tr_status tr_landmarks_find(const tr_clip *clip, const tr_skeleton *map, const tr_skin *skin,
                            double height_m, tr_landmarks *out, tr_error *error) {
    tr_part_joints joints = tr_skeleton_joints(map, clip);
    tr_landmarks m = {.unit_m = 1};
    tr_figure figure;
    tr_status status = find_pose(clip, &joints, skin->count > 0, &figure, &m.frame, error);
    if (status)
        return status;
    for (int part = 0; part < TR_PART_COUNT; part++)
        m.has[part] = joints.of[part] >= 0;
    m.axes = tr_figure_axes(tr_figure_snap(tr_figure_left(&figure)), tr_figure_up(&figure));
    m.centre = tr_figure_middle(&figure, TR_PART_LEFT_HIP);
    take_size(&m, &figure, skin, height_m);
    status = check_bones(&m, map, error);
    if (!status)
        *out = m;
    return status;
}
