#include "motion/clips/clip.h"

#include "motion/clips/loader.h"
#include "motion/clips/scan.h"
#include "motion/clips/skeleton.h"

#include "math/elementary.h"

#include <assert.h>
#include <math.h>
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

/* ---- Units and axes ---- */

/* Mean over the frames of the length from one part's joint to another's, in units of the clip. */
static double bone_length(const tr_clip *clip, const tr_skeleton *skeleton, tr_part from,
                          tr_part to) {
    int a = tr_skeleton_joint(skeleton, clip, from), b = tr_skeleton_joint(skeleton, clip, to);
    double sum = 0;
    for (int f = 0; f < clip->frame_count; f++)
        sum += tr_vec3_distance(tr_clip_pos(clip, f, a), tr_clip_pos(clip, f, b));
    return sum / clip->frame_count;
}

static double leg_length(const tr_clip *clip, const tr_skeleton *skeleton) {
    return 0.5 * (bone_length(clip, skeleton, TR_PART_LEFT_HIP, TR_PART_LEFT_KNEE) +
                  bone_length(clip, skeleton, TR_PART_LEFT_KNEE, TR_PART_LEFT_ANKLE) +
                  bone_length(clip, skeleton, TR_PART_RIGHT_HIP, TR_PART_RIGHT_KNEE) +
                  bone_length(clip, skeleton, TR_PART_RIGHT_KNEE, TR_PART_RIGHT_ANKLE));
}

/* The customary unit in which a leg of this length comes nearest to 0.82 m. */
static double estimate_unit(double leg) {
    static const double units[] = {1.0, 0.01, 0.001, 0.0254, 0.3048, 0.0254 / 0.45};
    double best = 1.0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (fabs(tr_log(leg * units[i] / 0.82)) < fabs(tr_log(leg * best / 0.82)))
            best = units[i];
    return best;
}

/* The axis along which the chest is above the ankles, on average over the clip; 0 when it is upside
 * down. */
static char estimate_up(const tr_clip *clip, const tr_skeleton *skeleton) {
    int chest = tr_skeleton_joint(skeleton, clip, TR_PART_CHEST);
    int left = tr_skeleton_joint(skeleton, clip, TR_PART_LEFT_ANKLE);
    int right = tr_skeleton_joint(skeleton, clip, TR_PART_RIGHT_ANKLE);
    tr_vec3 sum = {0};
    for (int f = 0; f < clip->frame_count; f++) {
        tr_vec3 feet = tr_vec3_lerp(tr_clip_pos(clip, f, left), tr_clip_pos(clip, f, right), 0.5);
        sum = tr_vec3_add(sum, tr_vec3_sub(tr_clip_pos(clip, f, chest), feet));
    }
    double x = fabs(sum.x), y = fabs(sum.y), z = fabs(sum.z);
    double most = y >= x && y >= z ? sum.y : z >= x ? sum.z : sum.x;
    if (most <= 0)
        return 0;
    return y >= x && y >= z ? 'y' : z >= x ? 'z' : 'x';
}

/* The unit vector that "+x", "-z", ... means; joint maps are checked on loading. */
static tr_vec3 axis_vector(const char *text) {
    double s = text[0] == '-' ? -1 : 1;
    return tr_vec3_make(text[1] == 'x' ? s : 0, text[1] == 'y' ? s : 0, text[1] == 'z' ? s : 0);
}

/* Rotation from the file's axes to x forward, z up. `forward` is told for a file with y up; a file
 * with another axis up is first turned so that y is up. */
static tr_quat axes_to_house(char up, const char *forward) {
    tr_vec3 f = axis_vector(forward), u = {0, 1, 0};
    tr_mat3 from_house = tr_mat3_from_columns(f, tr_vec3_cross(u, f), u);
    tr_mat3 to_house = tr_mat3_transpose(&from_house);
    tr_quat y_up = up == 'z'   ? tr_clip_axis_turn('X', -TR_PI / 2)
                   : up == 'x' ? tr_clip_axis_turn('Z', TR_PI / 2)
                               : tr_quat_identity();
    return tr_quat_mul(tr_quat_from_mat3(&to_house), y_up);
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

/* Joints are where a capture can have seen them; what lies beyond, or is not finite, would poison
 * all that is made of it. */
static tr_status check_reach(const tr_clip *clip, const char *path, tr_error *error) {
    for (int f = 0; f < clip->frame_count; f++)
        for (int i = 0; i < clip->joint_count; i++) {
            tr_vec3 pos = tr_clip_pos(clip, f, i);
            if (!(tr_vec3_length(pos) <= TR_CLIP_REACH_M))
                return tr_fail(error, TR_INVALID_ARGUMENT,
                               "%.200s: frame %d: joint '%s' is not within %d m of the origin",
                               path, f, clip->joints[i].name, TR_CLIP_REACH_M);
        }
    return TR_OK;
}

/* Finds units and axes, and converts. The options prevail over the joint map, the map over the
 * data. */
static tr_status settle(tr_clip *clip, const tr_skeleton *skeleton, const tr_clip_options *options,
                        const char *path, tr_error *error) {
    tr_clip_findings *found = &clip->found;
    snprintf(found->skeleton, sizeof found->skeleton, "%s", skeleton->name);
    double leg = leg_length(clip, skeleton);
    if (!(leg > 1e-6 && leg < 1e6))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: legs of length %g: no human skeleton",
                       path, leg);
    /* A reader that knows the unit has stated it already. */
    double known = options->unit_m > 0 ? options->unit_m
                   : found->unit_given ? found->unit_m
                                       : skeleton->unit_m;
    found->unit_given = known > 0;
    found->unit_m = known > 0 ? known : estimate_unit(leg);
    found->up_given = options->up || skeleton->up;
    found->up = options->up    ? options->up
                : skeleton->up ? skeleton->up
                               : estimate_up(clip, skeleton);
    if (!found->up)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: cannot tell which axis is up; state it",
                       path);
    found->rate_given = options->rate_hz > 0;
    if (options->rate_hz > 0)
        clip->dt_s = 1.0 / options->rate_hz;
    found->leg_m = leg * found->unit_m;
    convert(clip, axes_to_house(found->up, skeleton->forward), found->unit_m);
    return check_reach(clip, path, error);
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

static tr_status read_raw(const char *path, const tr_clip_options *options, const char *dir,
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
        return tr_fail(error, TR_INVALID_ARGUMENT, "unit: expected 0.000001 to 1000 m");
    if (options->rate_hz != 0 && !(options->rate_hz >= 1 && options->rate_hz <= 1e4))
        return tr_fail(error, TR_INVALID_ARGUMENT, "frame rate: expected 1 to 10000 Hz");
    if (options->up && !strchr("xyz", options->up))
        return tr_fail(error, TR_INVALID_ARGUMENT, "up: expected x, y or z");
    return TR_OK;
}

tr_status tr_clip_load(const char *path, const tr_clip_options *options, tr_clip **out,
                       tr_error *error) {
    const tr_clip_options none = {0};
    if (!options)
        options = &none;
    const char *dir = options->skeleton_dir ? options->skeleton_dir : TR_SKELETON_DIR;
    tr_clip *clip = NULL;
    tr_skeleton skeleton;
    tr_status status = check_options(options, error);
    if (!status)
        status = read_raw(path, options, dir, &clip, error);
    if (status)
        return status;
    assert(clip);
    name_after_file(clip, path);
    status = options->skeleton ? tr_skeleton_load(options->skeleton, dir, &skeleton, error)
                               : tr_skeleton_detect(dir, clip, &skeleton, error);
    if (!status)
        status = tr_skeleton_check(&skeleton, clip, error);
    if (status && error) {
        tr_error inner = *error;
        tr_fail(error, status, "%.200s: %.280s", path, inner.message);
    }
    if (!status)
        status = settle(clip, &skeleton, options, path, error);
    if (status) {
        tr_clip_destroy(clip);
        return status;
    }
    *out = clip;
    return TR_OK;
}
