#include "motion/clips/bvh.h"

#include "motion/clips/loader.h"
#include "motion/clips/scan.h"
#include "motion/poses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A motion as a clip ---- */

/* The model's joints at rest: centres and orientations, world. */
typedef struct rest_joints {
    tr_vec3 centre[TR_BODY_MAX];
    tr_quat rot[TR_BODY_MAX];
} rest_joints;

static void joints_at(const tr_model *model, const tr_pose *pose, rest_joints *out) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state state = tr_state_at_rest(model, pose);
    tr_state_forward(model, &state, bodies);
    for (int i = 0; i < model->body_count; i++) {
        tr_vec3 anchor = tr_quat_rotate(bodies[i].rot, model->body[i].anchor);
        out->centre[i] = tr_vec3_add(tr_body_origin(model, i, &bodies[i]), anchor);
        out->rot[i] = bodies[i].rot;
    }
}

static bool is_leaf(const tr_model *model, int body) {
    for (int i = 0; i < model->body_count; i++)
        if (model->body[i].parent == body)
            return false;
    return true;
}

/* Joint i of the clip is body i; the ends follow. */
static void add_joints(const tr_model *model, const rest_joints *rest, tr_clip *clip) {
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

static void set_frame(const tr_model *model, const rest_joints *rest, const tr_pose *pose,
                      tr_clip *clip, int frame) {
    rest_joints now;
    joints_at(model, pose, &now);
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
    rest_joints rest;
    joints_at(model, &upright, &rest);
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

/* House axes to the file's: x forward, y left, z up become z, x, y. */
static tr_vec3 to_file(tr_vec3 v) {
    return tr_vec3_make(v.y, v.z, v.x);
}

static tr_quat rotation_to_file(tr_quat q) {
    return (tr_quat){q.w, q.y, q.z, q.x};
}

/* Angles (z, x, y), rad, of R = Rz Rx Ry; y is 0 where only z + y or z - y is determined. */
static tr_vec3 angles_zxy(tr_quat q) {
    tr_mat3 r = tr_quat_to_mat3(q);
    double x = tr_asin(r.m[7]);
    if (fabs(r.m[7]) > 1 - 1e-12)
        return tr_vec3_make(tr_atan2(r.m[3], r.m[0]), x, 0);
    return tr_vec3_make(tr_atan2(-r.m[1], r.m[4]), x, tr_atan2(-r.m[6], r.m[8]));
}

static void print_joint(FILE *out, const tr_clip *clip, int joint, int depth) {
    const tr_clip_joint *j = &clip->joints[joint];
    tr_vec3 offset = to_file(j->parent < 0 ? (tr_vec3){0} : j->offset);
    int indent = 2 * depth;
    if (j->is_end)
        fprintf(out, "%*sEnd Site\n", indent, "");
    else
        fprintf(out, "%*s%s %s\n", indent, "", j->parent < 0 ? "ROOT" : "JOINT", j->name);
    fprintf(out, "%*s{\n%*s  OFFSET %.6f %.6f %.6f\n", indent, "", indent, "", offset.x, offset.y,
            offset.z);
    if (!j->is_end)
        fprintf(out, "%*s  CHANNELS %sZrotation Xrotation Yrotation\n", indent, "",
                j->parent < 0 ? "6 Xposition Yposition Zposition " : "3 ");
    for (int i = joint + 1; i < clip->joint_count; i++)
        if (clip->joints[i].parent == joint)
            print_joint(out, clip, i, depth + 1);
    fprintf(out, "%*s}\n", indent, "");
}

/* The values of a joint and, after it, of those below it: in the order of the hierarchy. */
static void print_values(FILE *out, const tr_clip *clip, int frame, int joint) {
    const tr_clip_joint *j = &clip->joints[joint];
    tr_quat local = tr_clip_rot(clip, frame, joint);
    if (j->is_end)
        return;
    if (j->parent < 0) {
        tr_vec3 pos = to_file(tr_clip_pos(clip, frame, joint));
        fprintf(out, "%.6f %.6f %.6f", pos.x, pos.y, pos.z);
    } else {
        local = tr_quat_mul(tr_quat_conj(tr_clip_rot(clip, frame, j->parent)), local);
    }
    tr_vec3 angle = tr_vec3_scale(angles_zxy(rotation_to_file(local)), 180 / TR_PI);
    fprintf(out, " %.6f %.6f %.6f", angle.x, angle.y, angle.z);
    for (int i = joint + 1; i < clip->joint_count; i++)
        if (clip->joints[i].parent == joint)
            print_values(out, clip, frame, i);
}

tr_status tr_bvh_print(const tr_clip *clip, char **out_text, size_t *out_size) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return TR_RESOURCE_EXHAUSTED;
    fprintf(out, "HIERARCHY\n");
    print_joint(out, clip, 0, 0);
    fprintf(out, "MOTION\nFrames: %d\nFrame Time: %.9f\n", clip->frame_count, clip->dt_s);
    for (int frame = 0; frame < clip->frame_count; frame++) {
        print_values(out, clip, frame, 0);
        fprintf(out, "\n");
    }
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
        return tr_fail(error, status, "%.200s: %s", path, tr_status_text(status));
    status = tr_text_save(text, size, path, error);
    free(text);
    return status;
}

tr_status tr_bvh_save_motion(const tr_model *model, const tr_motion *motion, const char *path,
                             tr_error *error) {
    tr_clip *clip;
    tr_status status = tr_clip_from_motion(model, motion, 1, &clip);
    if (status)
        return tr_fail(error, status, "%.200s: %s", path, tr_status_text(status));
    status = tr_bvh_save(clip, path, error);
    tr_clip_destroy(clip);
    return status;
}
