#include "motion/clips/loader.h"

#include <stdio.h>
#include <stdlib.h>

tr_clip *tr_clip_new(tr_clip_format format) {
    tr_clip *clip = calloc(1, sizeof *clip);
    if (!clip)
        return NULL;
    clip->format = format;
    clip->joints = calloc(TR_CLIP_JOINT_MAX, sizeof *clip->joints);
    if (!clip->joints) {
        free(clip);
        return NULL;
    }
    return clip;
}

int tr_clip_add_joint(tr_clip *clip, const char *name, int parent) {
    if (clip->joint_count == TR_CLIP_JOINT_MAX)
        return -1;
    tr_clip_joint *joint = &clip->joints[clip->joint_count];
    snprintf(joint->name, sizeof joint->name, "%s", name);
    joint->parent = parent;
    return clip->joint_count++;
}

tr_status tr_clip_reserve_frames(tr_clip *clip, int64_t frame_count, const char *file,
                                 tr_error *error) {
    if (frame_count < 1 || frame_count > TR_CLIP_FRAME_MAX ||
        frame_count * clip->joint_count > TR_CLIP_VALUE_MAX)
        return tr_fail(
            error, TR_RESOURCE_EXHAUSTED,
            "%.200s: %lld frames of %d joints: at most %d frames, and %d joint frames in all", file,
            (long long)frame_count, clip->joint_count, TR_CLIP_FRAME_MAX, TR_CLIP_VALUE_MAX);
    size_t count = (size_t)frame_count * (size_t)clip->joint_count;
    clip->pos = malloc(count * sizeof *clip->pos);
    clip->rot = malloc(count * sizeof *clip->rot);
    if (!clip->pos || !clip->rot)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: out of memory", file);
    clip->frame_count = (int)frame_count;
    return TR_OK;
}

tr_quat tr_clip_axis_turn(char axis, double angle_rad) {
    tr_vec3 unit = {axis == 'X', axis == 'Y', axis == 'Z'};
    return tr_quat_from_axis_angle(unit, angle_rad);
}

void tr_clip_place_joint(tr_clip *clip, int frame, int joint, tr_vec3 local_pos,
                         tr_quat local_rot) {
    size_t row = (size_t)frame * (size_t)clip->joint_count, at = row + (size_t)joint;
    int parent = clip->joints[joint].parent;
    if (parent < 0) {
        clip->pos[at] = local_pos;
        clip->rot[at] = tr_quat_normalize(local_rot);
        return;
    }
    size_t above = row + (size_t)parent;
    clip->pos[at] = tr_vec3_add(clip->pos[above], tr_quat_rotate(clip->rot[above], local_pos));
    clip->rot[at] = tr_quat_normalize(tr_quat_mul(clip->rot[above], local_rot));
}
