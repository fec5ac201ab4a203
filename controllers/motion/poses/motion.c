#include "motion/poses/motion.h"

#include "motion/poses/poses.h"

#include "math/elementary.h"
#include "math/hash.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

tr_status tr_motion_create(const tr_model *model, int frame_count, double dt_s, tr_motion **out) {
    if (frame_count < 1 || frame_count > TR_MOTION_FRAME_MAX || !(dt_s > 0) || !isfinite(dt_s))
        return TR_INVALID_ARGUMENT;
    tr_motion *motion = calloc(1, sizeof *motion);
    if (motion)
        motion->poses = calloc((size_t)frame_count, sizeof *motion->poses);
    if (!motion || !motion->poses) {
        free(motion);
        return TR_RESOURCE_EXHAUSTED;
    }
    memcpy(motion->model, model->name, sizeof motion->model);
    motion->model_hash = model->hash;
    motion->body_count = model->body_count;
    motion->dt_s = dt_s;
    motion->frame_count = frame_count;
    tr_pose rest = tr_pose_rest(model);
    for (int i = 0; i < frame_count; i++)
        motion->poses[i] = rest;
    *out = motion;
    return TR_OK;
}

tr_status tr_motion_allocate_like(const tr_motion *motion, int frame_count, tr_motion **out) {
    if (frame_count < 1 || frame_count > TR_MOTION_FRAME_MAX)
        return TR_OUT_OF_RANGE;
    tr_motion *copy = malloc(sizeof *copy);
    tr_pose *poses = calloc((size_t)frame_count, sizeof *poses);
    if (!copy || !poses) {
        free(copy);
        free(poses);
        return TR_RESOURCE_EXHAUSTED;
    }
    *copy = *motion;
    copy->poses = poses;
    copy->frame_count = frame_count;
    *out = copy;
    return TR_OK;
}

tr_status tr_motion_copy(const tr_motion *motion, tr_motion **out) {
    tr_motion *copy;
    tr_status status = tr_motion_allocate_like(motion, motion->frame_count, &copy);
    if (status)
        return status;
    memcpy(copy->poses, motion->poses, (size_t)motion->frame_count * sizeof *motion->poses);
    *out = copy;
    return TR_OK;
}

void tr_motion_destroy(tr_motion *motion) {
    if (!motion)
        return;
    free(motion->poses);
    free(motion);
}

uint64_t tr_motion_hash(const tr_motion *motion) {
    const int32_t kind[] = {motion->body_count, motion->frame_count, motion->cyclic,
                            motion->symmetric};
    uint64_t hash = tr_hash_add(TR_HASH_START, kind, sizeof kind);
    hash = tr_hash_add(hash, &motion->dt_s, sizeof motion->dt_s);
    hash = tr_hash_add(hash, &motion->cycle_shift, sizeof motion->cycle_shift);
    hash = tr_hash_add(hash, &motion->cycle_turn_rad, sizeof motion->cycle_turn_rad);
    size_t joints = (size_t)(motion->body_count > 1 ? motion->body_count - 1 : 0);
    for (int i = 0; i < motion->frame_count; i++) {
        const tr_pose *pose = &motion->poses[i];
        hash = tr_hash_add(hash, &pose->root_pos, sizeof pose->root_pos);
        hash = tr_hash_add(hash, &pose->root_rot, sizeof pose->root_rot);
        hash = tr_hash_add(hash, &pose->joint[1], joints * sizeof pose->joint[1]);
    }
    return hash;
}

double tr_motion_duration(const tr_motion *motion) {
    return motion->dt_s * (motion->cyclic ? motion->frame_count : motion->frame_count - 1);
}

/* ---- Cycles ---- */

/* With D(p) = R p + s (R the turn of one cycle), D^n(p) = R^n p + (1 + R + ... + R^(n-1)) s. In the
 * complex plane the sum is (1 - r^n) / (1 - r) with r = exp(i turn); D^-n is its inverse. */
void tr_motion_cycle(const tr_motion *motion, int n, double *out_turn_rad, tr_vec3 *out_shift) {
    if (!motion->cyclic || n == 0) {
        *out_turn_rad = 0;
        *out_shift = (tr_vec3){0};
        return;
    }
    double turn = motion->cycle_turn_rad, count = fabs((double)n);
    tr_vec3 s = motion->cycle_shift, sum;
    if (fabs(turn) < 1e-12) {
        sum = tr_vec3_scale(s, count);
    } else {
        /* sum = s rotated by (n - 1) turn / 2, times sin(n turn / 2) / sin(turn / 2) */
        double gain = tr_sin(0.5 * count * turn) / tr_sin(0.5 * turn);
        sum = tr_vec3_scale(tr_vec3_from_heading(s, 0.5 * (count - 1) * turn), gain);
    }
    *out_turn_rad = tr_angle_wrap(n * turn);
    *out_shift = n > 0 ? sum : tr_vec3_negate(tr_vec3_to_heading(sum, count * turn));
}

static tr_pose place_pose(const tr_pose *pose, double turn_rad, tr_vec3 shift) {
    tr_pose placed = *pose;
    placed.root_pos = tr_vec3_add(tr_vec3_from_heading(pose->root_pos, turn_rad), shift);
    placed.root_rot = tr_quat_mul(tr_quat_from_heading(turn_rad), pose->root_rot);
    return placed;
}

tr_pose tr_motion_frame(const tr_motion *motion, int frame) {
    int count = motion->frame_count;
    if (frame >= 0 && frame < count)
        return motion->poses[frame];
    if (!motion->cyclic)
        return motion->poses[frame < 0 ? 0 : count - 1];
    int cycle = frame >= 0 ? frame / count : -((count - 1 - frame) / count);
    double turn;
    tr_vec3 shift;
    tr_motion_cycle(motion, cycle, &turn, &shift);
    return place_pose(&motion->poses[frame - cycle * count], turn, shift);
}

tr_pose tr_motion_pose(const tr_motion *motion, double time_s) {
    assert(isfinite(time_s) && fabs(time_s / motion->dt_s) < 1e9);
    double at = time_s / motion->dt_s, low = floor(at);
    tr_pose a = tr_motion_frame(motion, (int)low), b = tr_motion_frame(motion, (int)low + 1);
    return tr_pose_between(&a, &b, motion->body_count, at - low);
}

tr_state tr_motion_state(const tr_model *model, const tr_motion *motion, double time_s) {
    tr_pose before = tr_motion_pose(motion, time_s - motion->dt_s);
    tr_pose at = tr_motion_pose(motion, time_s);
    tr_pose after = tr_motion_pose(motion, time_s + motion->dt_s);
    return tr_state_from_poses(model, &before, &at, &after, motion->dt_s);
}

void tr_pose_find_joints(const tr_model *model, const tr_pose *pose, tr_pose_joints *out) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, pose, bodies);
    for (int i = 0; i < model->body_count; i++) {
        tr_vec3 anchor = tr_quat_rotate(bodies[i].rot, model->body[i].anchor);
        out->centre[i] = tr_vec3_add(tr_body_origin(model, i, &bodies[i]), anchor);
        out->rot[i] = bodies[i].rot;
    }
}
