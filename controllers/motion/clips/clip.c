#include "motion/clips/clip.h"

#include "motion/clips/axes.h"
#include "motion/clips/loader.h"
#include "motion/clips/scan.h"
#include "motion/clips/skeleton_detect.h"
#include "motion/clips/skeleton_draft.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

void tr_clip_destroy(tr_clip *clip) {
    if (!clip)
        return;
    free(clip->skeleton);
    free(clip->joints);
    free(clip->pos);
    free(clip->rot);
    free(clip);
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

int tr_clip_find_joint(const tr_clip *clip, const char *name) {
    for (int i = 0; i < clip->joint_count; i++)
        if (strcasecmp(clip->joints[i].name, name) == 0)
            return i;
    return -1;
}

const char *tr_clip_format_name(tr_clip_format format) {
    static const char *const names[] = {"bvh", "amc", "deepmimic"};
    return names[format];
}

/* ---- Loading ---- */

/* The text after the last dot of the file name, or "". */
static const char *extension(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot + 1 : "";
}

static void name_after_file(tr_clip *clip, const char *path) {
    const char *slash = strrchr(path, '/');
    tr_text_copy(clip->name, sizeof clip->name, slash ? slash + 1 : path);
    char *dot = strrchr(clip->name, '.');
    if (dot && dot != clip->name)
        *dot = '\0';
}

static tr_status read_format(const char *path, const tr_clip_options *options, const char *dir,
                             tr_clip **out, tr_error *error) {
    const char *kind = extension(path);
    if (strcasecmp(kind, "bvh") == 0)
        return tr_bvh_read(path, out, error);
    if (strcasecmp(kind, "amc") == 0)
        return tr_amc_read(path, options->asf_path, out, error);
    if (strcasecmp(kind, "txt") == 0 || strcasecmp(kind, "json") == 0)
        return tr_deepmimic_read(path, dir, out, error);
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "%.200s: expected a file ending in .bvh, .amc, .txt or .json (DeepMimic)", path);
}

static tr_status check_options(const tr_clip_options *options, tr_error *error) {
    if (options->unit_m != 0 && !(options->unit_m >= 1e-6 && options->unit_m <= 1e3))
        return tr_fail(error, TR_INVALID_ARGUMENT, "unit: %g: expected 0.000001 to 1000 m",
                       options->unit_m);
    if (options->rate_hz != 0 && !(options->rate_hz >= 1 && options->rate_hz <= 1e4))
        return tr_fail(error, TR_INVALID_ARGUMENT, "frame rate: %g: expected 1 to 10000 Hz",
                       options->rate_hz);
    if (options->up && !strchr("xyzXYZ", options->up))
        return tr_fail(error, TR_INVALID_ARGUMENT, "up: expected x, y or z");
    return TR_OK;
}

/* The map stated, or the one that fits, with the clip's own names. */
static tr_status find_skeleton(tr_clip *clip, const tr_clip_options *options, const char *dir,
                               tr_error *error) {
    tr_skeleton *skeleton = calloc(1, sizeof *skeleton);
    if (!skeleton)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_status status = TR_OK;
    if (!options->skeleton)
        status = tr_skeleton_detect(dir, clip, skeleton, error);
    else if (strcmp(options->skeleton, TR_SKELETON_DRAFTED) == 0)
        tr_skeleton_draft(clip, skeleton);
    else
        status = tr_skeleton_load(options->skeleton, dir, skeleton, error);
    if (!status && options->skeleton)
        tr_skeleton_resolve(skeleton, clip);
    if (!status)
        status = tr_skeleton_check(skeleton, clip, error);
    skeleton->is_calibrated = !status && tr_skeleton_has_bones_of(skeleton, clip);
    clip->skeleton = skeleton;
    return status;
}

static const char *map_folder(const tr_clip_options *options) {
    return options->skeleton_dir ? options->skeleton_dir : TR_SKELETON_DIR;
}

tr_status tr_clip_read(const char *path, const tr_clip_options *options, tr_clip **out,
                       tr_error *error) {
    const tr_clip_options none = {0};
    if (!options)
        options = &none;
    tr_status status = check_options(options, error);
    if (!status)
        status = read_format(path, options, map_folder(options), out, error);
    if (!status)
        name_after_file(*out, path);
    return status;
}

tr_status tr_clip_load(const char *path, const tr_clip_options *options, tr_clip **out,
                       tr_error *error) {
    const tr_clip_options none = {0};
    if (!options)
        options = &none;
    tr_clip *clip = NULL;
    tr_status status = tr_clip_read(path, options, &clip, error);
    if (status)
        return status;
    assert(clip);
    status = find_skeleton(clip, options, map_folder(options), error);
    if (!status)
        status = tr_clip_settle(clip, options, error);
    if (status) {
        tr_error inner = error ? *error : (tr_error){0};
        tr_clip_destroy(clip);
        return tr_fail(error, status, "%.200s: %.280s", path, inner.message);
    }
    *out = clip;
    return TR_OK;
}
