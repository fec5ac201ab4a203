#include "motion/clips/bvh.h"

#include "motion/clips/loader.h"
#include "motion/poses/poses.h"
#include "proto/bvh.h"
#include "proto/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A motion as a clip ---- */

static bool is_leaf(const tr_model *model, int body) {
    for (int i = 0; i < model->body_count; i++)
        if (model->body[i].parent == body)
            return false;
    return true;
}

/* Joint i of the clip is body i; the ends follow. */
static void add_joints(const tr_model *model, const tr_pose_joints *rest, tr_clip *clip) {
    _Static_assert(2 * TR_BODY_MAX <= TR_CLIP_JOINT_MAX, "bodies and ends all have room");
    for (int i = 0; i < model->body_count; i++) {
        int parent = model->body[i].parent;
        int joint = tr_clip_add_joint(clip, model->body[i].name, parent);
        tr_vec3 from = parent < 0 ? rest->centre[i] : rest->centre[parent];
        clip->joints[joint].offset = tr_vec3_sub(rest->centre[i], from);
        memcpy(clip->joints[joint].order, "ZXY", 4);
    }
    for (int i = 0; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        if (!is_leaf(model, i))
            continue;
        char name[TR_CLIP_NAME_MAX];
        snprintf(name, sizeof name, "%.*s_end", TR_NAME_MAX, body->name);
        int joint = tr_clip_add_joint(clip, name, i);
        tr_vec3 half = tr_vec3_sub(body->com, body->anchor);
        clip->joints[joint].is_end = true;
        clip->joints[joint].offset = tr_quat_rotate(rest->rot[i], tr_vec3_scale(half, 2));
    }
}

static void set_frame(const tr_model *model, const tr_pose_joints *rest, const tr_pose *pose,
                      tr_clip *clip, int frame) {
    tr_pose_joints now;
    tr_pose_find_joints(model, pose, &now);
    size_t row = (size_t)frame * (size_t)clip->joint_count;
    for (int i = 0; i < clip->joint_count; i++) {
        int body = i < model->body_count ? i : clip->joints[i].parent;
        tr_quat turned = tr_quat_mul(now.rot[body], tr_quat_conj(rest->rot[body]));
        tr_vec3 pos = now.centre[body];
        if (i >= model->body_count)
            pos = tr_vec3_add(pos, tr_quat_rotate(turned, clip->joints[i].offset));
        clip->pos[row + (size_t)i] = pos;
        clip->rot[row + (size_t)i] = turned;
    }
}

tr_status tr_clip_from_motion(const tr_model *model, const tr_motion *motion, int cycle_count,
                              tr_clip **out) {
    if (motion->body_count != model->body_count || cycle_count < 1)
        return TR_INVALID_ARGUMENT;
    int64_t count = (int64_t)motion->frame_count * (motion->cyclic ? cycle_count : 1);
    tr_clip *clip = tr_clip_new(TR_CLIP_BVH);
    if (!clip)
        return TR_RESOURCE_EXHAUSTED;
    tr_pose upright = tr_pose_rest(model);
    tr_pose_joints rest;
    tr_pose_find_joints(model, &upright, &rest);
    add_joints(model, &rest, clip);
    tr_status status = tr_clip_reserve_frames(clip, count, motion->name, NULL);
    if (status) {
        tr_clip_destroy(clip);
        return status;
    }
    for (int frame = 0; frame < clip->frame_count; frame++) {
        tr_pose pose = tr_motion_frame(motion, frame);
        set_frame(model, &rest, &pose, clip, frame);
    }
    snprintf(clip->name, sizeof clip->name, "%s", motion->name);
    clip->dt_s = motion->dt_s;
    clip->found.unit_m = 1;
    clip->found.up = 'y';
    *out = clip;
    return TR_OK;
}

/* ---- A clip as text ---- */

static void write_frame(FILE *out, const tr_clip *clip, const tr_bvh_joint *joint, int frame) {
    double turned[TR_CLIP_JOINT_MAX][4];
    tr_vec3 root = tr_clip_pos(clip, frame, 0);
    for (int i = 0; i < clip->joint_count; i++) {
        tr_quat q = tr_clip_rot(clip, frame, i);
        memcpy(turned[i], (double[]){q.w, q.x, q.y, q.z}, sizeof turned[i]);
    }
    tr_bvh_write_frame(out, joint, clip->joint_count, (double[]){root.x, root.y, root.z},
                       (const double(*)[4])turned);
}

tr_status tr_bvh_print(const tr_clip *clip, char **out_text, size_t *out_size) {
    char *text = NULL;
    size_t size = 0;
    tr_bvh_joint joint[TR_CLIP_JOINT_MAX];
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < clip->joint_count; i++) {
        const tr_clip_joint *j = &clip->joints[i];
        joint[i] =
            (tr_bvh_joint){j->name, j->parent, j->is_end, {j->offset.x, j->offset.y, j->offset.z}};
    }
    tr_bvh_write_head(out, joint, clip->joint_count, clip->frame_count, clip->dt_s);
    for (int frame = 0; frame < clip->frame_count; frame++)
        write_frame(out, clip, joint, frame);
    if (fclose(out)) {
        free(text);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out_text = text;
    *out_size = size;
    return TR_OK;
}

tr_status tr_bvh_save(const tr_clip *clip, const char *path, tr_error *error) {
    char *text;
    size_t size;
    tr_status status = tr_bvh_print(clip, &text, &size);
    if (status)
        return tr_fail_if(error, status, "%.200s", path);
    status = tr_sink_write(path, text, size, error);
    free(text);
    return status;
}

tr_status tr_bvh_save_motion(const tr_model *model, const tr_motion *motion, const char *path,
                             tr_error *error) {
    tr_clip *clip;
    tr_status status = tr_clip_from_motion(model, motion, 1, &clip);
    if (status)
        return tr_fail_if(error, status, "%.200s", path);
    status = tr_bvh_save(clip, path, error);
    tr_clip_destroy(clip);
    return status;
}
