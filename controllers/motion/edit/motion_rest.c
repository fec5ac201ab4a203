/* The rest pose as beginning and end of a motion. */
#include "motion/poses/motion.h"

#include "motion/poses/poses.h"

#include <math.h>
#include <string.h>

/* The rest pose where a pose stands, heading as it heads. */
static tr_pose rest_at(const tr_model *model, const tr_pose *pose) {
    tr_pose rest = tr_pose_rest(model);
    tr_quat turn = tr_quat_from_heading(tr_quat_heading(pose->root_rot));
    rest.root_rot = tr_quat_mul(turn, rest.root_rot);
    rest.root_pos.x = pose->root_pos.x;
    rest.root_pos.y = pose->root_pos.y;
    return rest;
}

/* From 0 to 1 as t does, with no rate at either end. */
static double ease(double t) {
    return t * t * (3 - 2 * t);
}

static bool is_time(double time_s) {
    return time_s >= 0 && time_s <= 10;
}

tr_status tr_motion_join_poses(const tr_motion *motion, const tr_pose ends[2], double from_s,
                               double to_s, tr_motion **out) {
    if (motion->cyclic || !is_time(from_s) || !is_time(to_s))
        return TR_INVALID_ARGUMENT;
    int before = (int)lround(from_s / motion->dt_s), after = (int)lround(to_s / motion->dt_s);
    int count = motion->frame_count, bodies = motion->body_count;
    tr_motion *joined = NULL;
    tr_status status = tr_motion_allocate_like(motion, before + count + 2 * after, &joined);
    if (status)
        return status;
    for (int i = 0; i < before; i++)
        joined->poses[i] =
            tr_pose_between(&ends[0], &motion->poses[0], bodies, ease((double)i / before));
    memcpy(joined->poses + before, motion->poses, (size_t)count * sizeof *motion->poses);
    for (int i = 1; i <= 2 * after; i++)
        joined->poses[before + count - 1 + i] =
            i < after ? tr_pose_between(&motion->poses[count - 1], &ends[1], bodies,
                                        ease((double)i / after))
                      : ends[1];
    tr_motion_align(joined);
    tr_motion_place(joined);
    *out = joined;
    return TR_OK;
}

tr_status tr_motion_join_rest(const tr_model *model, const tr_motion *motion, double from_s,
                              double to_s, tr_motion **out) {
    const tr_pose ends[2] = {rest_at(model, &motion->poses[0]),
                             rest_at(model, &motion->poses[motion->frame_count - 1])};
    return tr_motion_join_poses(motion, ends, from_s, to_s, out);
}
