#include "motion/clips/skeleton.h"

#include "motion/clips/skeleton_shape.h"
#include "proto/json_text.h"
#include "proto/sink.h"

#include <fnmatch.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAP_SIZE_MAX = 1024 * 1024, PATH_SIZE = 1024 };

const char *tr_part_name(tr_part part) {
    static const char *const names[] = {
#define X(name, text) text,
        TR_PART_LIST(X)
#undef X
    };
    return names[part];
}

bool tr_skeleton_needs(tr_part part) {
    return part != TR_PART_HEAD && part != TR_PART_LEFT_TOE && part != TR_PART_RIGHT_TOE;
}

static bool is_axis(const char *text) {
    return (text[0] == '+' || text[0] == '-') && (text[1] == 'x' || text[1] == 'z') && !text[2];
}

static bool copy_text(char *out, size_t size, const char *text) {
    return (size_t)snprintf(out, size, "%s", text) < size;
}

/* The parts of a body are the keys of three objects. */
static tr_status check_parts(const json_t *object, const char *path, const char *where,
                             tr_error *error) {
#define X(name, text) text " "
    static const char parts[] = TR_PART_LIST(X);
#undef X
    return object ? tr_json_only(object, parts, path, where, error) : TR_OK;
}

static tr_status read_parts(json_t *parts, tr_skeleton *out, const char *path, tr_error *error) {
    tr_status status = check_parts(parts, path, "parts", error);
    if (status)
        return status;
    for (int part = 0; part < TR_PART_COUNT; part++) {
        out->calibration[part] = tr_quat_identity();
        json_t *value = json_object_get(parts, tr_part_name((tr_part)part));
        const char *joint = json_string_value(value);
        if (value && !joint)
            return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: parts: '%s': expected a text", path,
                           tr_part_name((tr_part)part));
        if (!joint && tr_skeleton_needs((tr_part)part))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: parts: '%s' is missing", path,
                           tr_part_name((tr_part)part));
        if (joint && !copy_text(out->joint[part], sizeof out->joint[part], joint))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: parts: '%s': name too long", path,
                           tr_part_name((tr_part)part));
    }
    return TR_OK;
}

static tr_status read_calibration(json_t *calibration, tr_skeleton *out, const char *path,
                                  tr_error *error) {
    tr_status status = check_parts(calibration, path, "calibration", error);
    if (status)
        return status;
    for (int part = 0; part < TR_PART_COUNT; part++) {
        json_t *value = json_object_get(calibration, tr_part_name((tr_part)part));
        tr_quat q;
        if (!value)
            continue;
        if (json_unpack(value, "[F,F,F,F]", &q.w, &q.x, &q.y, &q.z) || !tr_quat_is_finite(q) ||
            !(fabs(tr_quat_dot(q, q) - 1) < 1e-3))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "%.200s: calibration: '%s': expected a unit quaternion [w, x, y, z]",
                           path, tr_part_name((tr_part)part));
        out->calibration[part] = tr_quat_normalize(q);
    }
    return TR_OK;
}

static tr_status read_bones(json_t *bones, tr_skeleton *out, const char *path, tr_error *error) {
    tr_status status = check_parts(bones, path, "bones", error);
    if (status)
        return status;
    for (int part = 0; part < TR_PART_COUNT; part++) {
        json_t *value = json_object_get(bones, tr_part_name((tr_part)part));
        tr_vec3 *bone = &out->bone[part];
        if (!value)
            continue;
        if (json_unpack(value, "[F,F,F]", &bone->x, &bone->y, &bone->z) ||
            !tr_vec3_is_finite(*bone))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "%.200s: bones: '%s': expected an offset [x, y, z]", path,
                           tr_part_name((tr_part)part));
        out->has_bones = true;
    }
    return TR_OK;
}

static tr_status read_ignore(json_t *ignore, tr_skeleton *out, const char *path, tr_error *error) {
    size_t count = json_array_size(ignore);
    if (ignore && !json_is_array(ignore))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: ignore: expected a list of names",
                       path);
    if (count > TR_SKELETON_IGNORE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: ignore: more than %d entries", path,
                       TR_SKELETON_IGNORE_MAX);
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(ignore, i));
        if (!text || !copy_text(out->ignore[i], sizeof out->ignore[i], text))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: ignore[%zu]: expected a joint name",
                           path, i);
    }
    out->ignore_count = (int)count;
    return TR_OK;
}

static tr_status read_map(json_t *root, tr_skeleton *out, const char *path, tr_error *error) {
    const char *name, *forward = "+z", *up = "";
    json_t *parts, *calibration = NULL, *bones = NULL, *ignore = NULL;
    json_error_t where;
    tr_status status = tr_json_only(
        root, "name description forward up unit_m parts calibration bones ignore", path, "", error);
    if (status)
        return status;
    if (json_unpack_ex(root, &where, 0, "{s:s, s?s, s:o, s?o, s?o, s?o, s?F, s?s}", "name", &name,
                       "forward", &forward, "parts", &parts, "calibration", &calibration, "bones",
                       &bones, "ignore", &ignore, "unit_m", &out->unit_m, "up", &up))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: %.200s", path, where.text);
    if (!is_axis(forward) || !copy_text(out->name, sizeof out->name, name))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%.200s: forward: expected +x, -x, +z or -z (with y up), found '%.10s'",
                       path, forward);
    if (*up && (strlen(up) != 1 || !strchr("xyz", *up)))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: up: expected x, y or z", path);
    if (!(out->unit_m >= 0 && out->unit_m < 1e3))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: unit_m: expected metres per unit",
                       path);
    memcpy(out->forward, forward, sizeof out->forward);
    out->up = *up;
    status = read_parts(parts, out, path, error);
    if (!status)
        status = read_calibration(calibration, out, path, error);
    if (!status)
        status = read_bones(bones, out, path, error);
    if (!status)
        status = read_ignore(ignore, out, path, error);
    return status;
}

tr_status tr_skeleton_load(const char *name_or_path, const char *dir, tr_skeleton *out,
                           tr_error *error) {
    char path[PATH_SIZE];
    if (strchr(name_or_path, '/') || strstr(name_or_path, ".json"))
        snprintf(path, sizeof path, "%s", name_or_path);
    else
        snprintf(path, sizeof path, "%s/%s.json", dir ? dir : TR_SKELETON_DIR, name_or_path);
    json_t *root = NULL;
    tr_status status = tr_json_load(path, MAP_SIZE_MAX, &root, error);
    if (status)
        return status;
    tr_skeleton skeleton = {0};
    status = read_map(root, &skeleton, path, error);
    json_decref(root);
    if (!status)
        *out = skeleton;
    return status;
}

int tr_skeleton_joint(const tr_skeleton *skeleton, const tr_clip *clip, tr_part part) {
    return skeleton->joint[part][0] ? tr_clip_find_joint(clip, skeleton->joint[part]) : -1;
}

tr_part_joints tr_skeleton_joints(const tr_skeleton *skeleton, const tr_clip *clip) {
    tr_part_joints joints;
    for (int part = 0; part < TR_PART_COUNT; part++)
        joints.of[part] = tr_skeleton_joint(skeleton, clip, (tr_part)part);
    return joints;
}

bool tr_skeleton_shows(const tr_skeleton *skeleton, const char *joint_name) {
    for (int i = 0; i < skeleton->ignore_count; i++)
        if (fnmatch(skeleton->ignore[i], joint_name, FNM_CASEFOLD) == 0)
            return false;
    return true;
}

bool tr_skeleton_draws(const tr_skeleton *skeleton, const tr_clip *clip, int joint) {
    int hips = tr_skeleton_joint(skeleton, clip, TR_PART_HIPS);
    for (int above = hips < 0 ? -1 : clip->joints[hips].parent; above >= 0;
         above = clip->joints[above].parent)
        if (above == joint)
            return false;
    return tr_skeleton_shows(skeleton, clip->joints[joint].name);
}

tr_part tr_skeleton_lacking(const tr_skeleton *skeleton, const tr_clip *clip) {
    for (int part = 0; part < TR_PART_COUNT; part++) {
        bool named = skeleton->joint[part][0];
        if (named ? tr_skeleton_joint(skeleton, clip, (tr_part)part) < 0
                  : tr_skeleton_needs((tr_part)part))
            return (tr_part)part;
    }
    return TR_PART_COUNT;
}

tr_status tr_skeleton_check(const tr_skeleton *skeleton, const tr_clip *clip, tr_error *error) {
    tr_part part = tr_skeleton_lacking(skeleton, clip);
    if (part != TR_PART_COUNT)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "no joint '%s', which joint map '%s' takes for the part '%s'",
                       skeleton->joint[part], skeleton->name, tr_part_name(part));
    for (int i = 0; i < TR_PART_COUNT; i++)
        for (int j = tr_skeleton_joint(skeleton, clip, (tr_part)i) + 1;
             j > 0 && j < clip->joint_count; j++)
            if (strcasecmp(clip->joints[j].name, skeleton->joint[i]) == 0)
                return tr_fail(error, TR_INVALID_ARGUMENT,
                               "two joints are named '%s', the part '%s': give one another name",
                               skeleton->joint[i], tr_part_name((tr_part)i));
    tr_skeleton_shape shape = tr_skeleton_judge(skeleton, clip);
    if (!shape.hangs)
        return tr_fail(error, TR_INVALID_ARGUMENT, "joint map '%s': %s", skeleton->name,
                       shape.complaint);
    return TR_OK;
}

/* ---- Writing ---- */

static json_t *parts_to_json(const tr_skeleton *skeleton) {
    json_t *parts = json_object();
    for (int part = 0; part < TR_PART_COUNT; part++)
        if (skeleton->joint[part][0])
            json_object_set_new(parts, tr_part_name((tr_part)part),
                                json_string(skeleton->joint[part]));
    return parts;
}

tr_status tr_skeleton_save(const tr_skeleton *skeleton, const char *name, const char *path,
                           tr_error *error) {
    json_t *root = json_pack("{s:s, s:o}", "name", name ? name : skeleton->name, "parts",
                             parts_to_json(skeleton));
    char *text = root ? json_dumps(root, JSON_INDENT(2)) : NULL;
    json_decref(root);
    tr_status status = text ? tr_sink_write(path, text, strlen(text), error)
                            : tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: out of memory", path);
    free(text);
    return status;
}
