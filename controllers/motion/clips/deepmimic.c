/* DeepMimic JSON: {"Loop": ..., "Frames": [[dt, root position, root quaternion, joints ...], ...]}.
 *
 * A row holds the frame time, where the root is, and the rotations of the joints in the order of
 * the bone file: four numbers (w, x, y, z) for a ball, one angle about the local z axis for a
 * hinge. The bones are not in the clip but in the character of that project;
 * controllers/skeletons/humanoid3d.bones.json has them. */
#include "motion/clips/loader.h"

#include "math/hash.h"
#include "motion/scan/scan.h"
#include "proto/json_text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_SIZE_MAX = 32 * 1024 * 1024, ROW_MAX = 4 * TR_CLIP_JOINT_MAX + 8 };

/* All but "Frames" say how the project's simulator plays a motion: whether it repeats, how velocities are
 * filtered, which joints are left and right. A pose does not depend on them. */
static const char MOTION_KEYS[] = "Loop Frames VelFilterCutoff LeftJoints RightJoints";

/* Numbers a joint takes in a row: 4 for a ball, 1 for a hinge, 0 when it is fixed. */
typedef struct bones {
    int value_count[TR_CLIP_JOINT_MAX];
    int row_size;
} bones;

static tr_status add_bone(tr_clip *clip, json_t *entry, bones *b, const char *path,
                          tr_error *error) {
    const char *name, *parent, *kind;
    double x, y, z;
    json_error_t where;
    if (json_unpack_ex(entry, &where, 0, "{s:s, s:s, s:s, s:[F,F,F]}", "name", &name, "parent",
                       &parent, "joint", &kind, "offset", &x, &y, &z))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: bone %d: %.200s", path,
                       clip->joint_count, where.text);
    int above = tr_clip_find_joint(clip, parent);
    if (above < 0 && clip->joint_count > 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%.200s: bone '%.40s': no bone '%.40s' before it", path, name, parent);
    int joint = tr_clip_add_joint(clip, name, above);
    if (joint < 0)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: more than %d bones", path,
                       TR_CLIP_JOINT_MAX);
    clip->joints[joint].offset = tr_vec3_make(x, y, z);
    clip->joints[joint].is_end = strcmp(kind, "fixed") == 0;
    b->value_count[joint] = strcmp(kind, "ball") == 0 ? 4 : strcmp(kind, "hinge") == 0 ? 1 : 0;
    clip->joints[joint].order[0] = b->value_count[joint] == 1 ? 'Z' : '\0';
    b->row_size += b->value_count[joint];
    return TR_OK;
}

static tr_status read_bones(const char *dir, tr_clip *clip, bones *out, tr_error *error) {
    char path[1024];
    snprintf(path, sizeof path, "%s/humanoid3d.bones.json", dir);
    json_t *root = NULL;
    tr_status status = tr_json_load(path, JSON_SIZE_MAX, &root, error);
    if (status)
        return status;
    size_t i;
    json_t *entry;
    out->row_size = 4;
    json_array_foreach(json_object_get(root, "bones"), i, entry) {
        if (!status)
            status = add_bone(clip, entry, out, path, error);
    }
    json_decref(root);
    if (!status && clip->joint_count == 0)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: expected an array 'bones'", path);
    return status;
}

static tr_status read_row(json_t *row, const bones *b, const char *where, double *values,
                          tr_error *error) {
    if (!json_is_array(row) || json_array_size(row) != (size_t)b->row_size)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected %d numbers, found %zu", where,
                       b->row_size, json_array_size(row));
    for (int i = 0; i < b->row_size; i++) {
        json_t *value = json_array_get(row, (size_t)i);
        values[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(values[i]))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s[%d]: expected a number", where, i);
    }
    return TR_OK;
}

static tr_status place_frame(tr_clip *clip, int frame, const bones *b, const double *row,
                             const char *where, tr_error *error) {
    const double *value = row + 4;
    for (int joint = 0; joint < clip->joint_count; joint++) {
        tr_vec3 pos =
            joint == 0 ? tr_vec3_make(row[1], row[2], row[3]) : clip->joints[joint].offset;
        tr_quat rot = tr_quat_identity();
        if (b->value_count[joint] == 4) {
            rot = (tr_quat){value[0], value[1], value[2], value[3]};
            double length = sqrt(tr_quat_dot(rot, rot));
            if (!(length > 0.5 && length < 2)) /* files interpolate them linearly: not quite unit */
                return tr_fail(error, TR_INVALID_ARGUMENT,
                               "%s: rotation of '%s': expected a unit quaternion, length %.3g",
                               where, clip->joints[joint].name, length);
            rot = tr_quat_normalize(rot);
        } else if (b->value_count[joint] == 1)
            rot = tr_clip_axis_turn('Z', value[0]);
        value += b->value_count[joint];
        tr_clip_place_joint(clip, frame, joint, pos, rot);
    }
    return TR_OK;
}

static tr_status take_duration(tr_clip *clip, double duration_s, const char *where,
                               tr_error *error) {
    if (!(duration_s >= 1e-4 && duration_s <= 1.0))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s[0]: expected a frame time of 0.0001 to 1 s",
                       where);
    clip->dt_s = duration_s;
    return TR_OK;
}

/* Durations that are printed with few digits differ a little; the last frame's ends the clip and is not
 * used. */
static bool lasts_as_the_first(const tr_clip *clip, int frame, double duration_s) {
    return frame == clip->frame_count - 1 || fabs(duration_s - clip->dt_s) <= 0.01 * clip->dt_s;
}

static tr_status read_frames(json_t *root, tr_clip *clip, const bones *b, const char *path,
                             tr_error *error) {
    json_t *frames = json_object_get(root, "Frames");
    if (!json_is_array(frames) || json_array_size(frames) == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: expected an array 'Frames' with rows",
                       path);
    tr_status status = tr_clip_reserve_frames(clip, (int64_t)json_array_size(frames), path, error);
    double row[ROW_MAX];
    for (int frame = 0; !status && frame < clip->frame_count; frame++) {
        char where[300];
        snprintf(where, sizeof where, "%.200s: Frames[%d]", path, frame);
        status = read_row(json_array_get(frames, (size_t)frame), b, where, row, error);
        if (!status && frame == 0)
            status = take_duration(clip, row[0], where, error);
        else if (!status && !lasts_as_the_first(clip, frame, row[0]))
            status = tr_fail(error, TR_INVALID_ARGUMENT,
                             "%s[0]: lasts %g s, Frames[0] %g s: expected one duration for all "
                             "frames; resample the clip to one rate",
                             where, row[0], clip->dt_s);
        if (!status)
            status = place_frame(clip, frame, b, row, where, error);
    }
    return status;
}

tr_status tr_deepmimic_read(const char *path, const tr_clip_options *options, tr_clip *clip,
                            tr_error *error) {
    clip->hash = TR_HASH_START;
    bones b = {0};
    json_t *root = NULL;
    tr_scan scan = {0};
    tr_status status = read_bones(options->skeleton_dir, clip, &b, error);
    if (!status)
        status = tr_scan_open(&scan, path, JSON_SIZE_MAX, error);
    if (!status) {
        clip->hash = tr_hash_add(clip->hash, scan.text, scan.size);
        status = tr_json_parse(scan.text, scan.size, path, &root, error);
    }
    tr_scan_close(&scan);
    if (!status)
        status = tr_json_only(root, MOTION_KEYS, path, "", error);
    if (!status)
        status = read_frames(root, clip, &b, path, error);
    json_decref(root);
    return status;
}
